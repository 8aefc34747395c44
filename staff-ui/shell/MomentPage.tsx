import type { ComponentProps } from 'react';
import { MomentBanner } from '../../ui/as-of/MomentBanner.tsx';
import { MomentControl } from '../../ui/as-of/MomentControl.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useMoment } from '../moment.ts';

/** A page that can show an earlier moment (`moments` in ui/pages.ts): the choice stands in its head, and a banner says so while it does. */
export const MomentPage = ({ actions, ...page }: ComponentProps<typeof Page>) => {
  const moment = useMoment();
  return (
    <>
      <MomentBanner {...moment} />
      <Page
        {...page}
        actions={
          <>
            <MomentControl {...moment} />
            {actions}
          </>
        }
      />
    </>
  );
};
