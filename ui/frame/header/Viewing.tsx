import type { ReactNode } from 'react';
import { Button } from '../../controls/Button.tsx';
import { homeOf } from '../../roles.ts';
import { useSession } from '../../session/Session.tsx';
import { leaving } from '../../session/unsaved.ts';
import { useGo } from '../navigation.tsx';
import styles from './Viewing.module.css';

/** A fixed banner while staff view the pages of a student. */
export const Viewing = () => {
  const { me, section, viewed, view } = useSession();
  if (section !== 'student' || !viewed || me.role === 'student') return null;
  return <ViewingBanner name={viewed.name} says="Nothing can be changed here." onStop={() => view(undefined)} />;
};

type ViewingBannerProps = {
  /** of whoever is viewed */
  readonly name: string;
  /** What may be done here. */
  readonly says: string;
  readonly onStop: () => void;
  /** What else may be chosen here. */
  readonly children?: ReactNode;
};

/** Says as whom the pages are viewed. Its last button ends that, the same for everybody who is viewed: one is at one's own home then. */
export const ViewingBanner = ({ name, says, onStop, children }: ViewingBannerProps) => {
  const { me } = useSession();
  const go = useGo();
  const stop = () => {
    onStop();
    go(homeOf(me.role));
  };
  return (
    <div className={`row apart ${styles.viewing}`} role="region" aria-label="Viewing as">
      <p role="status">
        You are viewing as <strong>{name}</strong>. {says}
      </p>
      <div className="row">
        {children}
        <Button onClick={() => leaving('app', stop)}>Stop viewing</Button>
      </div>
    </div>
  );
};
