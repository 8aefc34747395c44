import { useSession } from '../../ui/session/Session.tsx';
import { useArea } from '../shell/area.ts';

/** Whether the user leads feedback tasks here: auditors only look, and in the teachers' area nobody leads. */
export const useMayLead = (): boolean => {
  const { me } = useSession();
  const area = useArea();
  return area === '/leader' && (me.role === 'admin' || me.role === 'leader');
};
