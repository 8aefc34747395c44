import { useEffect } from 'react';
import { Button } from '../controls/Button.tsx';
import { dateTime } from './moments.ts';
import styles from './MomentBanner.module.css';
import type { Moment } from './moments.ts';

/** A fixed banner while the page shows an earlier moment. Its button leads back to now, and so does Escape where it closes nothing else. */
export const MomentBanner = ({ asOf, trouble, goTo }: Moment) => {
  const isShown = asOf !== undefined || trouble !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const back = (event: KeyboardEvent) => {
      const isInUse = event.defaultPrevented || document.querySelector('dialog[open], [role=dialog], [role=listbox], [role=menu]') !== null;
      if (event.key === 'Escape' && !isInUse) goTo(undefined);
    };
    document.addEventListener('keydown', back);
    return () => document.removeEventListener('keydown', back);
  }, [isShown, goTo]);
  if (!isShown) return null;
  return (
    <div className={`line apart gap-4 ${styles.banner}`} role="status">
      <p>
        {asOf === undefined ? (
          trouble
        ) : (
          <>
            As it was on <strong>{dateTime(asOf)}</strong>. Nothing can be changed here.
          </>
        )}
      </p>
      <Button onClick={() => goTo(undefined)}>Back to now</Button>
    </div>
  );
};
