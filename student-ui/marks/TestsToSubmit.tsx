import { addedSince as addedText } from '#api/marks/submissions/submission-words.contract';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { useStudent } from '../useStudent.ts';
import { mismatchText, staffTotalText, submitAddress } from './place.ts';
import { useToSubmit } from './queries.ts';
import styles from './Choices.module.css';

/** The tests whose marks the student can submit now, or why there are none. */
export const TestsToSubmit = () => {
  const tests = useToSubmit();
  return (
    <Page title="Submit your marks" sub="Assessments that wait for your own marks, question by question">
      {tests.error && <Failure error={tests.error} retry={() => void tests.refetch()} />}
      {tests.isPending && <Skeleton rows={3} label="Loading your assessments" />}
      {tests.data && tests.data.tests.length === 0 && <NothingWaits />}
      {tests.data && tests.data.tests.length > 0 && (
        <ul className={`stack ${styles.choices}`}>
          {tests.data.tests.map(({ testId, name, subject, state, mismatch, addedSince, ...totals }) => (
            <li key={testId}>
              <AppLink to={submitAddress(testId)} className={`row apart large ${styles.choice}`}>
                <strong className="breaks">{name}</strong>
                <span className="muted">{subject}</span>
                <small className={`muted ${styles.about}`}>
                  {[
                    addedSince > 0 ? addedText(addedSince) : STATES[state],
                    mismatch
                      ? `the totals differ: ${mismatchText(totals)}`
                      : totals.staffTotal === null
                        ? undefined
                        : `teacher’s total ${staffTotalText(totals)}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </AppLink>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
};

const STATES = { none: 'not begun', saved: 'begun', reopened: 'open again', confirmed: 'submitted' } as const;

const NothingWaits = () => {
  const student = useStudent();
  const isInAClass = student.data?.subjects.some(({ set }) => set !== null && set !== undefined);
  return isInAClass === false ? (
    <EmptyState title="You are in no class now">Assessments of your class are listed here. Ask your teacher to add you to one.</EmptyState>
  ) : (
    <EmptyState title="No assessment waits for your marks">
      An assessment is listed here once your teacher has opened it to students, until you have submitted your marks or your teacher has
      entered all of them.
    </EmptyState>
  );
};
