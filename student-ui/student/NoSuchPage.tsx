import { buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { AppLink } from '../../ui/frame/places.tsx';

export const NoSuchPage = () => (
  <EmptyState
    title="There is no such page"
    action={
      <AppLink to="/student" className={buttonClass('primary')}>
        Go home
      </AppLink>
    }
  >
    The address may be mistyped, or the page has moved.
  </EmptyState>
);
