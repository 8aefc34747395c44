import { isRefused } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page, Section } from '../../ui/frame/Page.tsx';
import { useGo } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { SubmitBanner } from '../marks/SubmitBanner.tsx';
import styles from './Student.module.css';
import type { Student } from '../useStudent.ts';
import { useStudent } from '../useStudent.ts';

/** The students' home. */
export const StudentHomePage = () => {
  const { me } = useSession();
  const student = useStudent();
  if (student.error) return <NotShown error={student.error} retry={() => void student.refetch()} />;
  if (!student.data) return <Skeleton rows={4} label="Loading your page" />;
  return (
    <Page title={`Hello ${student.data.name}`} sub={me.school.name}>
      <SubmitBanner />
      <Section title="Your subjects">
        <Subjects student={student.data} />
      </Section>
      <Section title="Your results">
        <EmptyState title="This page does not show results yet">
          Your teachers have them: ask them how you did in each assessment, what went well and what to work on next.
        </EmptyState>
      </Section>
    </Page>
  );
};

const Subjects = ({ student: { subjects } }: { readonly student: Student }) =>
  subjects.length > 0 ? (
    <ul className={styles.subjects}>
      {subjects.map(({ subjectId, name, set }) => (
        <li key={subjectId}>
          <strong>{name}</strong>
          <span>{set ?? 'in no class now'}</span>
        </li>
      ))}
    </ul>
  ) : (
    <EmptyState title="No subject yet">Ask your teacher to add you to a class.</EmptyState>
  );

/** The viewed student does not exist, or the user may no longer view them. */
const NotShown = ({ error, retry }: { readonly error: unknown; readonly retry: () => void }) => {
  const { view } = useSession();
  const go = useGo();
  const selectAnother = () => {
    view(undefined);
    go('/student/select');
  };
  return (
    <Page title="Student">
      <Failure error={error} retry={retry} />
      {isRefused(error, 'forbidden') && <Button onClick={selectAnother}>Select another student</Button>}
    </Page>
  );
};
