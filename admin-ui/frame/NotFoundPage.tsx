import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';

export const NotFoundPage = () => (
  <Page title="There is no such page">
    <EmptyState title="Nothing is here" action={<Link to="/">Go to the admin home</Link>}>
      The address may be misspelt, or the page is not part of this version.
    </EmptyState>
  </Page>
);
