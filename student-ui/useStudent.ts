import type { MySubject } from '#api/accounts/accounts.contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../ui/api/ApiProvider.tsx';
import { useSession } from '../ui/session/Session.tsx';

export type Student = { readonly name: string; readonly subjects: readonly MySubject[] };

/**
 * The student whose pages these are: the signed-in student, or the one that staff view, if the server allows it. `data` undefined: it is not known yet.
 */
export const useStudent = () => {
  const api = useApi();
  const { me, isConfirmed, viewed } = useSession();
  const isOwn = me.role === 'student';
  const { data, error, refetch } = useQuery({
    queryKey: ['student', viewed?.studentId],
    queryFn: async ({ signal }): Promise<Student> => {
      const { viewAs } = await api.query('me', {}, { signal });
      return { name: viewAs?.name ?? '', subjects: viewAs?.subjects ?? [] };
    },
    enabled: !isOwn,
  });
  return { data: isOwn && isConfirmed ? me : data, error, refetch };
};
