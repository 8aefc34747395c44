import { Suspense } from 'react';
import { isRefused } from '../../ui/api/failure.ts';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Page } from '../../ui/frame/Page.tsx';
import { AppLink, useGo } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { Dashboard } from '../analysis/Dashboard.tsx';
import { useOpensOffline } from '../marks/offline-app.ts';
import { SUBMIT_PAGE } from '../marks/place.ts';
import { SubmitBanner } from '../marks/SubmitBanner.tsx';
import styles from './Student.module.css';
import type { Student } from '../useStudent.ts';
import { useStudent } from '../useStudent.ts';

const RevisionList = lazily(() => import('../revision-lists/RevisionList.tsx'), 'RevisionList');

type StudentHomePageProps = {
  /** Loads what opens without a network from here. */
  readonly offline: () => Promise<unknown>;
};

/** The students' home. */
export const StudentHomePage = ({ offline }: StudentHomePageProps) => {
  const { me, isConfirmed } = useSession();
  const student = useStudent();
  useOpensOffline(me.role === 'student' && student.data !== undefined, offline);
  if (!isConfirmed) return <WithoutNetwork />;
  if (student.error) return <NotShown error={student.error} retry={() => void student.refetch()} />;
  if (!student.data) return <Skeleton rows={4} label="Loading your page" />;
  return (
    <Page title={`Hello ${calledOf(student.data.name)}`} sub={me.school.name}>
      <div className={styles.page}>
        <SubmitBanner />
        <OfSubject student={student.data} />
      </div>
    </Page>
  );
};

/** 'Osei, George', as the school lists them, is called George Osei. */
const calledOf = (name: string): string => name.split(', ').toReversed().join(' ');

/** Opened without a network: nothing of a student's results is kept on the device, only marks that wait. */
const WithoutNetwork = () => (
  <Page title="Your page">
    <EmptyState
      title="There is no connection"
      action={
        <AppLink to={SUBMIT_PAGE} className={buttonClass('primary')}>
          Go to your marks
        </AppLink>
      }
    >
      Your results are shown as soon as the server can be reached. Marks that you have entered wait on this device.
    </EmptyState>
  </Page>
);

/** One subject at a time: the chosen one. */
const OfSubject = ({ student: { subjects } }: { readonly student: Student }) => {
  const { me, subject } = useSession();
  const shown = subjects.find(({ subjectId }) => subjectId === subject?.subjectId) ?? subjects[0];
  if (!shown) return <EmptyState title="No subject yet">Ask your teacher to add you to a class.</EmptyState>;
  return (
    <>
      <p className={`row large ${styles.subject}`}>
        <strong>{shown.name}</strong> <span className="muted">{shown.set ?? 'in no class now'}</span>
        {me.role === 'student' && subjects.length > 1 && <AppLink to="/student/subject">Change Subject</AppLink>}
      </p>
      <Dashboard subjectId={shown.subjectId} below={revisionOf} />
    </>
  );
};

const revisionOf = (testId: string) => (
  <Suspense fallback={null}>
    <RevisionList testId={testId} />
  </Suspense>
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
