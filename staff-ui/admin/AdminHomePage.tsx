import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** Where admins arrive as long as the administration area is not there. */
export const AdminHomePage = () => {
  const { school } = useSession().me;
  return (
    <Page title={school.name}>
      <EmptyState title="Administration">
        <p>
          The screens for subjects, classes, students and colleagues come with a later release; until then they are made by commands over
          HTTP, as the README says under “Run it for a school”. View as Leader to see the school’s marks.
        </p>
      </EmptyState>
    </Page>
  );
};
