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
            Subjects, classes, students, assessments and accounts of colleagues are next. The screens for them come with a later release;
            until then they are made by commands over HTTP, as the README says under “Run it for a school”.
          </p>
          <p>
            To see a school at work, start Marktrail in another data directory without NODE_ENV=production: it builds a demo school there.
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
