import { buttonClass } from '../ui/controls/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Page } from '../ui/frame/Page.tsx';

export const NotFoundPage = () => (
  <Page title="There is no such page">
    <EmptyState
      title="Nothing is here"
      action={
        <a href="/" className={buttonClass('primary')}>
          Go to the start page
        </a>
      }
    >
      The address may be mistyped, or the page has moved.
    </EmptyState>
  </Page>
);
