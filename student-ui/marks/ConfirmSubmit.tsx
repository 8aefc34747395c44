import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { staffTotalText } from './place.ts';
import styles from './Submit.module.css';

type ConfirmSubmitProps = {
  readonly page: SubmissionPage;
  readonly total: number;
  /** Marks for questions that are no longer asked. */
  readonly gone: number;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

/** Marks are submitted once, so it is asked before. */
export const ConfirmSubmit = ({ page, total, gone, open, onClose, onConfirm }: ConfirmSubmitProps) => (
  <Dialog title="Submit your marks?" open={open} onClose={onClose}>
    <div className={styles.confirm}>
      <p>
        Your total is {total} of {page.max ?? 0}
        {page.staffTotal === null ? '.' : `; your teacher’s total is ${staffTotalText(page)}.`} You can submit your marks once.
      </p>
      {page.staffTotal !== null && page.staffTotal !== total && (
        <Notice tone="warn" title="The totals differ.">
          Look through your marks once more, or submit them as they are.
        </Notice>
      )}
      {gone > 0 && (
        <Notice
          tone="warn"
          title={gone === 1 ? '1 mark that you entered is not submitted.' : `${gone} marks that you entered are not submitted.`}
        >
          {gone === 1
            ? 'Its question was taken out of this assessment. Submitting gives the mark up.'
            : 'Their questions were taken out of this assessment. Submitting gives the marks up.'}
        </Notice>
      )}
    </div>
    <DialogFoot>
      <Button onClick={onClose}>Go on entering</Button>
      <Button look="primary" onClick={onConfirm}>
        Submit {total} of {page.max ?? 0}
      </Button>
    </DialogFoot>
  </Dialog>
);
