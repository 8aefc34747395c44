import { Button } from '../../controls/Button.tsx';
import { homeOf } from '../../roles.ts';
import { useSession } from '../../session/Session.tsx';
import styles from './Viewing.module.css';
import { useGo } from '../navigation.tsx';

/** A fixed banner while staff view the pages of a student. */
export const Viewing = () => {
  const { me, section, viewed, view } = useSession();
  const go = useGo();
  if (section !== 'student' || !viewed || me.role === 'student') return null;
  const stop = () => {
    view(undefined);
    go(homeOf(me.role));
  };
  return (
    <div className={styles.viewing} role="status">
      <p>
        You are viewing as <strong>{viewed.name}</strong>. Nothing can be changed here.
      </p>
      <Button onClick={stop}>Stop viewing</Button>
    </div>
  );
};
