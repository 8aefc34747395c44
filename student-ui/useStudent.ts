import type { MySubject } from '#api/accounts/accounts.contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../ui/api/ApiProvider.tsx';
import { useSession } from '../ui/session/Session.tsx';

export type Student = { readonly name: string; readonly subjects: readonly MySubject[] };

/** The student whose pages these are: the signed-in student, or the one that staff view, if the server allows it. */
export const useStudent = () => {
  const api = useApi();
  const { me, viewed } = useSession();
  return useQuery({
    queryKey: ['student', viewed?.studentId],
    queryFn: async ({ signal }): Promise<Student> => {
      const { name, subjects, viewAs } = await api.query('me', {}, { signal });
      return me.role === 'student' ? { name, subjects } : { name: viewAs?.name ?? '', subjects: viewAs?.subjects ?? [] };
    },
  });
};
