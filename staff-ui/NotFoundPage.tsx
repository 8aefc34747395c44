import { Link } from 'react-router';
import { buttonClass } from '../ui/controls/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export const NotFoundPage = () => (
  <main>
    <EmptyState
      title="There is no such page"
      action={
        <Link to="/" className={buttonClass('primary')}>
          Go to the start page
        </Link>
      }
    >
      The address may be mistyped, or the page has moved.
    </EmptyState>
  </main>
);
