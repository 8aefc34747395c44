import type { MySubject } from '#contract/structure';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { useSession } from '../../ui/session/Session.tsx';

export type Student = { readonly name: string; readonly subjects: readonly MySubject[] };

/** Whose pages these are: the student who is signed in, or the one through whose eyes staff look, as the server lets them. */
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
