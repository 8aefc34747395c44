import type { ComponentProps } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { dateTime } from '../format.ts';
import styles from './MomentBanner.module.css';
import { MomentControl } from './MomentControl.tsx';
import { useMoment } from './useMoment.ts';

/** A page that can show an earlier moment (`moments` in ui/pages.ts): the choice stands in its head, and a banner says so while it does. */
export const MomentPage = ({ actions, ...page }: ComponentProps<typeof Page>) => (
  <>
    <MomentBanner />
    <Page
      {...page}
      actions={
        <>
          <MomentControl />
          {actions}
        </>
      }
    />
  </>
);

/** A fixed banner while the page shows an earlier moment. */
const MomentBanner = () => {
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
