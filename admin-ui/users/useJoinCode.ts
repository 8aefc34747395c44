import type { JoinCode } from '#api/contract/door';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { uuid } from '../../ui/api/uuid.ts';

/** The joining code of a subject, which admins may read at any time, and the commands that change it. */
export const useJoinCode = (subjectId: string) => {
  const api = useApi();
  const client = useQueryClient();
  const queryKey = ['join-code', subjectId];
  const asked = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.rest(`/api/door/join-code?subjectId=${subjectId}`, { method: 'GET' }, { signal })).json as JoinCode,
  });
  const after = async (work: Promise<unknown>): Promise<void> => {
    await work;
    await client.invalidateQueries({ queryKey });
  };
  return {
    ...asked,
    /** Earlier codes stop working. */
    regenerate: () => after(api.command('IssueJoinCode', { subjectId }, { key: uuid() })),
    /** Empty: students enter a whole address. */
    restrict: (domain: string) => after(api.command('ChangeJoinDomain', { subjectId, domain }, { key: uuid() })),
  };
};
