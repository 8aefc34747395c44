import { Button } from '../../ui/controls/Button.tsx';
import { dateTime } from '../format.ts';
import styles from './MomentBanner.module.css';
import { useMoment } from './useMoment.ts';

/** A fixed banner while the page shows an earlier moment. */
export const MomentBanner = () => {
  const { asOf, goTo } = useMoment();
  if (asOf === undefined) return null;
  return (
    <div className={styles.banner} role="status">
      <p>
        As it was on <strong>{dateTime(asOf)}</strong>. Nothing can be changed here.
      </p>
      <Button onClick={() => goTo(undefined)}>Back to now</Button>
    </div>
  );
};
