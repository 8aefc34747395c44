import { addedSince } from '#api/marks/submissions/submission-words.contract';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { SUBMIT_PAGE, submitAddress } from './place.ts';
import { useToSubmit } from './queries.ts';
import styles from './Submit.module.css';

/** On the student's home: the tests that wait for their own marks. */
export const SubmitBanner = () => {
  const { data } = useToSubmit();
  const [first, ...others] = data?.tests ?? [];
  if (!first) return null;
  return (
    <div className={styles.banner}>
      <Notice
        tone="warn"
        title={others.length === 0 ? `${first.name} waits for your marks.` : `${others.length + 1} assessments wait for your marks.`}
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
            : data?.tests.map(({ name }) => name).join(', ')}
        </p>
      </Notice>
    </div>
  );
};
