import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';

/** In the place of a page about a subject, in a school that has none. */
export const NeedsSubject = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <EmptyState title="No subject yet" action={<Link to="/subjects">Add a subject</Link>}>
      <p>This page is about one subject of the school. Add the first one, and come back.</p>
    </EmptyState>
  </Page>
);
