import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';

/** In the place of a page that is about a subject, while the school has none. */
export const NoSubjectYet = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <EmptyState title="There is no subject yet" action={<Link to="/subjects">Add a subject</Link>}>
      Schemes of work, assessments, classes and students belong to a subject.
    </EmptyState>
  </Page>
);
