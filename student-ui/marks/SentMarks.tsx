import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { FlagSigns } from '../../ui/feedback/FlagSigns.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { totalOf } from './own-mark-drafts.ts';
import styles from './Submit.module.css';

/** The marks as they stand, read-only: what the student has sent, beside what staff have entered. */
export const SentMarks = ({ page: { name, questions, max, staffTotal, flags } }: { readonly page: SubmissionPage }) => {
  if (questions.length === 0)
    return <EmptyState title="No questions yet">Your teacher has still to add the questions of this assessment.</EmptyState>;
  const hasStaff = staffTotal !== null || questions.some(({ staff }) => staff !== null);
  return (
    <table className={styles.sent}>
      <caption className="sr">Marks for {name}</caption>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Yours</th>
          {hasStaff && <th scope="col">Teacher’s</th>}
          <th scope="col">of</th>
        </tr>
      </thead>
      <tbody>
        {questions.map(({ questionId, number, topic, mark, staff, flags: open, max: most }) => (
          <tr key={questionId}>
            <th scope="row">
              {number} <small>{topic}</small>
            </th>
            <td>{mark ?? NONE}</td>
            {hasStaff && (
              <td>
                {staff ?? NONE}
                <FlagSigns flags={open} />
              </td>
            )}
            <td>{most}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{totalOf(questions)}</td>
          {hasStaff && (
            <td>
              {staffTotal ?? NONE}
              <FlagSigns flags={flags} />
            </td>
          )}
          <td>{max}</td>
        </tr>
      </tfoot>
    </table>
  );
};

const NONE = '–';
