import { buttonClass } from '../ui/controls/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export const NotFoundPage = () => (
  <EmptyState
    title="There is no such page"
    action={
      <a href="/" className={buttonClass('primary')}>
        Go to the start page
      </a>
    }
  >
    The address may be mistyped, or the page has moved.
  </EmptyState>
);
