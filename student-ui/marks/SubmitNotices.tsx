import { aboveMaximum as aboveText, addedSince as addedText, closedText } from '#api/marks/submissions/submission-words.contract';
import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { staffTotalText } from './place.ts';
import { useSession } from '../../ui/session/Session.tsx';

/** How it stands with the student's marks, and what happens next. */
export const SubmitNotices = ({ page }: { readonly page: SubmissionPage }) => {
  const { state, closedBy, mismatch, message, addedSince, aboveMaximum } = page;
  if (mismatch) return <Mismatch page={page} />;
  if (closedBy !== null && closedBy !== 'submitted') return <Notice title={closedText[closedBy]} />;
  if (state === 'reopened') return <Notice title="Your marks are open again.">Change what is wrong, and submit them once more.</Notice>;
  if (closedBy !== 'submitted') return null;
  if (addedSince > 0)
    return (
      <Notice tone="warn" title={message} actions={<ChangeMarks page={page} />}>
        Open your marks again, enter what is missing, and submit them once more. What you submitted is kept.
      </Notice>
    );
  if (aboveMaximum > 0)
    return (
      <Notice tone="warn" title={message}>
        The maximum was lowered after you submitted. Tell your teacher, who can open your marks again for you.
      </Notice>
    );
  return message === null ? (
    <Notice tone="good" title="Submitted: the total is the same as your teacher’s.">
      There is nothing more to do here.
    </Notice>
  ) : (
    <Notice tone="good" title={message}>
      Once it is there, this page says whether it is the same as yours. If it is not, you can open your marks again.
    </Notice>
  );
};

/** The totals differ: says both, and lets the student open their marks again. */
const Mismatch = ({ page }: { readonly page: SubmissionPage }) => {
  const { message, confirmedTotal, state, closedBy, addedSince, aboveMaximum } = page;
  return (
    <Notice tone="bad" title={message} actions={<ChangeMarks page={page} />}>
      <p>
        You submitted {confirmedTotal}; your teacher’s total is {staffTotalText(page)}.
        {state === 'reopened' && ' Change what is wrong, and submit your marks once more.'}
        {closedBy !== null && closedBy !== 'submitted' && ` ${closedText[closedBy]}`}
        {closedBy === 'submitted' && addedSince > 0 && ` ${addedText(addedSince)}`}
        {aboveMaximum > 0 && ` ${aboveText(aboveMaximum)}`}
      </p>
    </Notice>
  );
};

const ChangeMarks = ({ page: { testId, mayReopen } }: { readonly page: SubmissionPage }) => {
  const { me } = useSession();
  const reopen = useCommand('ReopenFeedback', { input: () => ({ testId }) });
  return (
    mayReopen &&
    me.role === 'student' && (
      <Button look="primary" disabled={reopen.pending} onClick={() => void reopen.send()}>
        Change my marks
      </Button>
    )
  );
};
