import { addedSince, MISMATCH } from '#api/marks/submissions/submission-words.contract';
import type { ToSubmit } from '#api/marks/submissions/submissions.contract';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { mismatchText, SUBMIT_PAGE, submitAddress } from './place.ts';
import { useToSubmit } from './queries.ts';
import styles from './Submit.module.css';

type Tests = ToSubmit['tests'];

/** On the student's home: the tests whose totals differ, until that is settled, and those that wait for their own marks. */
export const SubmitBanner = () => {
  const { data } = useToSubmit();
  const tests = data?.tests ?? [];
  return (
    <>
      <Mismatches tests={tests.filter(({ mismatch }) => mismatch)} />
      <Waiting tests={tests.filter(({ state, addedSince: added }) => state !== 'confirmed' || added > 0)} />
    </>
  );
};

const Mismatches = ({ tests }: { readonly tests: Tests }) =>
  tests.length > 0 && (
    <div className={styles.banner}>
      <Notice tone="bad" title={MISMATCH}>
        <ul className={styles.mismatches}>
          {tests.map((test) => (
            <li key={test.testId}>
              <AppLink to={submitAddress(test.testId)}>{test.name}</AppLink>
              <span>
                {test.subject}: {mismatchText(test)}
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
  return (
    <div className={styles.banner}>
      <Notice
        tone="warn"
        title={others.length === 0 ? `${first.name} waits for your marks.` : `${tests.length} assessments wait for your marks.`}
        actions={
          <AppLink className={buttonClass('primary')} to={others.length === 0 ? submitAddress(first.testId) : SUBMIT_PAGE}>
            Enter your marks
          </AppLink>
        }
      >
        <p>
          {others.length === 0
            ? [
                first.subject,
                first.addedSince > 0 ? addedSince(first.addedSince) : undefined,
                first.staffTotal === null ? undefined : `teacher’s total ${first.staffTotal}`,
              ]
                .filter(Boolean)
                .join(' · ')
            : tests.map(({ name }) => name).join(', ')}
        </p>
      </Notice>
    </div>
  );
};
