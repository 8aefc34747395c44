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
  const isOne = removedSubjects.length === 1;
  return (
    <EmptyState title={isOne ? `${removedSubjects[0]} has been deleted` : 'Your subjects have been deleted'}>
      An admin of your school has deleted {isOne ? 'it' : 'them'}. Nothing is lost: classes and marks come back as soon as an admin restores{' '}
      {isOne ? 'it' : 'them'}, under Subjects.
    </EmptyState>
  );
};
