import type { ReactNode } from 'react';
import styles from './Foot.module.css';

type FootProps = {
  /** At the foot of a page instead of a dialog. */
  readonly isOnPage?: boolean;
  /** Why it cannot be done: beside the buttons, wherever the content is scrolled to. */
  readonly trouble?: ReactNode;
  /** The quiet ones first, the primary one last. */
  readonly children: ReactNode;
};

/** The one place for Save: buttons that stay at the foot of what they are about while that scrolls. */
export const Foot = ({ isOnPage = false, trouble, children }: FootProps) => (
  <footer className={styles.foot} data-on-page={isOnPage || undefined}>
    {trouble && <div className={styles.trouble}>{trouble}</div>}
    {children}
  </footer>
);
