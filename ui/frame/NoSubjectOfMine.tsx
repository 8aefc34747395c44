import { EmptyState } from '../feedback/EmptyState.tsx';
import { useSession } from '../session/Session.tsx';

/** For teachers and leaders without a subject: why they have none, and what to do. */
export const NoSubjectOfMine = () => {
  const { removedSubjects = [] } = useSession().me;
  if (removedSubjects.length === 0)
    return (
      <EmptyState title="You have no subject yet">
        Your account is not linked to a teacher of any subject. Ask an admin of your school to link it, under Manage Users.
      </EmptyState>
    );
  return (
    <EmptyState title={removedSubjects.length === 1 ? `${removedSubjects[0]} has been removed` : 'Your subjects have been removed'}>
      An administrator has done that. Nothing is lost: classes and marks come back when a subject is restored. Ask an admin of your school
      to restore what you need, under Subjects.
    </EmptyState>
  );
};
