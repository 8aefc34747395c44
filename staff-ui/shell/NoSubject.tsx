import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { NoSubjectOfMine } from '../../ui/frame/NoSubjectOfMine.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** A page about a subject, for users who have none. Admins learn that the school is empty and how to fill it. */
export const NoSubject = ({ title }: { readonly title: string }) => {
  const { me } = useSession();
  return (
    <Page title={title}>
      {me.role === 'admin' ? (
        <EmptyState title={`${me.school.name} is open, and still empty`}>
          <p>
            Its marks appear here as soon as it has a subject with classes, students and assessments.{' '}
            <a href="/admin">Go to the administration</a> to make them.
          </p>
        </EmptyState>
      ) : (
        <NoSubjectOfMine />
      )}
    </Page>
  );
};
