import { buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';

export const NoSuchPage = () => (
  <Page title="There is no such page">
    <EmptyState
      title="Nothing is here"
      action={
        <AppLink to="/student" className={buttonClass('primary')}>
          Go home
        </AppLink>
      }
    >
      The address may be mistyped, or the page is not part of this version.
    </EmptyState>
  </Page>
);
