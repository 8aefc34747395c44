import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** A room of a subject for somebody who has none: to an admin it says that the school is empty, and how it is filled. */
export const NoSubject = ({ title }: { readonly title: string }) => {
  const { me } = useSession();
  return (
    <Page title={title}>
      {me.role === 'admin' ? (
        <EmptyState title={`${me.school.name} is open, and still empty`}>
          <p>
            Its marks stand here as soon as it has a subject with classes, students and assessments.{' '}
            <a href="/admin">Go to the administration</a> to make them.
          </p>
        </EmptyState>
      ) : (
        <EmptyState title="You have no subject yet">
          Your account is not linked to a teacher of any subject. Ask an admin of your school to link it.
        </EmptyState>
      )}
    </Page>
  );
};
