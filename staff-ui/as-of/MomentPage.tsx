import type { ComponentProps } from 'react';
import { Page } from '../../ui/frame/Page.tsx';
import { MomentBanner } from './MomentBanner.tsx';
import { MomentControl } from './MomentControl.tsx';

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
