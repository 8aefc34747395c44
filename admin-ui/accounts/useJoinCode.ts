import type { JoinCode } from '#api/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';

/** The joining code of a subject, which admins may read at any time. */
export const useJoinCode = (subjectId: string) => {
  const api = useApi();
  return useQuery({
    queryKey: ['join-code', subjectId],
    queryFn: async ({ signal }) =>
      (await api.rest(`/api/door/join-code?subjectId=${subjectId}`, { method: 'GET' }, { signal })).json as JoinCode,
  });
};
