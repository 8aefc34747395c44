import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { NoSubjectOfMine } from '../../ui/frame/NoSubjectOfMine.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { Changes } from '../../ui/frame/ReadOnly.tsx';

type OfSubject = { readonly subjectId: string; readonly name: string };

/** A page about the subject in use; in a school without one it says so. */
export const subjectPage = (title: string, Content: ComponentType<OfSubject>) =>
  function SubjectPage() {
    const { subject } = useSession();
    if (subject) return <Content key={subject.subjectId} subjectId={subject.subjectId} name={subject.name} />;
    return (
      <Page title={title}>
        <NoSubject action={<Link to="/subjects">Add a subject</Link>}>
          <p>This page is about one subject of the school. Add the first one, and come back.</p>
        </NoSubject>
      </Page>
    );
  };

/** Admins add the first subject; a leader has to be given one. */
export const NoSubject = ({ action, children }: { readonly action: ReactNode; readonly children: ReactNode }) =>
  useSession().me.role === 'admin' ? (
    <EmptyState title="No subject yet" action={<Changes>{action}</Changes>}>
      <Changes>{children}</Changes>
    </EmptyState>
  ) : (
    <NoSubjectOfMine />
  );
