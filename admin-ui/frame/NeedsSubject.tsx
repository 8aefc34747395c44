import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { NoSubjectOfMine } from '../../ui/frame/NoSubjectOfMine.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** Replaces a page about a subject in a school without one. */
export const NeedsSubject = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <NoSubject action={<Link to="/subjects">Add a subject</Link>}>
      <p>This page is about one subject of the school. Add the first one, and come back.</p>
    </NoSubject>
  </Page>
);

/** Admins add the first subject; a leader has to be given one. */
export const NoSubject = ({ action, children }: { readonly action: ReactNode; readonly children: ReactNode }) =>
  useSession().me.role === 'admin' ? (
    <EmptyState title="No subject yet" action={action}>
      {children}
    </EmptyState>
  ) : (
    <NoSubjectOfMine />
  );
