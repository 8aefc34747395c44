import type { StudentTasks } from '#api/analysis/student/student.contract';
import { dateText } from '#api/contract/dates';
import { addedSince, MISMATCH } from '#api/marks/submissions/submission-words.contract';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { mismatchText, staffTotalText, SUBMIT_PAGE, submitAddress } from './place.ts';
import { useTasks } from './queries.ts';
import styles from './Submit.module.css';

type Tests = StudentTasks['tests'];
type Test = Tests[number];

/** On the student's home: the tests whose totals differ, until that is settled, and those that wait for their own marks, what is due first. */
export const SubmitBanner = () => {
  const { data } = useTasks();
  const tests = (data?.tests ?? []).filter(({ waits }) => waits);
  return (
    <>
      <Mismatches tests={tests.filter(({ mismatch }) => mismatch)} />
      <Waiting tests={tests.filter(({ submitted }) => !submitted)} />
    </>
  );
};

const Mismatches = ({ tests }: { readonly tests: Tests }) =>
  tests.length > 0 && (
    <div className={styles.banner}>
      <Notice tone="bad" title={MISMATCH}>
        <ul className="stack gap-1">
          {tests.map((test) => (
            <li key={test.testId} className={`row ${styles.mismatch}`}>
              <AppLink to={submitAddress(test.testId)}>{test.name}</AppLink>
              <span>
                {test.subject}: {mismatchText({ ...test, confirmedTotal: test.ownTotal })}
              </span>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );

const Waiting = ({ tests }: { readonly tests: Tests }) => {
  const [first, ...others] = tests;
  if (!first) return null;
  const isOne = others.length === 0;
  return (
    <div className={styles.banner}>
      <Notice
        tone="warn"
        title={isOne ? `${first.name} waits for your marks.` : `${tests.length} assessments wait for your marks.`}
        actions={
          <AppLink className={buttonClass('primary')} to={isOne ? submitAddress(first.testId) : SUBMIT_PAGE}>
            Enter your marks
          </AppLink>
        }
      >
        {isOne ? (
          <>
            <p>
              {[
                first.subject,
                first.addedSince > 0 ? addedSince(first.addedSince) : undefined,
                first.staffTotal === null ? undefined : `teacher’s total ${staffTotalText(first)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <Due test={first} />
          </>
        ) : (
          <ul className="stack gap-1">
            {tests.map((test) => (
              <li key={test.testId}>
                {test.name} <Due test={test} />
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
};

const Due = ({ test: { expiry, overdue } }: { readonly test: Test }) => {
  if (expiry === null) return null;
  const day = dateText(expiry);
  return overdue ? <strong className="failed">was due on {day} (Overdue!)</strong> : <span className="muted">due on {day}</span>;
};
