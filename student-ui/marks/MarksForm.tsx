import { flagsShort } from '#api/contract/flags';
import { INCOMPLETE } from '#api/marks/submissions/submission-words.contract';
import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { draftStatus } from '../../ui/drafts/draft-status.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useOwnMarks } from './OwnMarksProvider.tsx';
import { staffTotalText } from './place.ts';
import { QuestionRow } from './QuestionRow.tsx';
import styles from './Submit.module.css';
import { useMarksForm } from './useMarksForm.ts';

/** The questions one below the other, each with its buttons; the total, and how far it is stored, stay at the foot. */
export const MarksForm = ({ page }: { readonly page: SubmissionPage }) => {
  const model = useMarksForm(page);
  const { submit, savedAt, show } = useOwnMarks();
  useEffect(() => show(page.testId), [show, page.testId]);
  const [hasAsked, setHasAsked] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const foot = useRef<HTMLButtonElement>(null);
  const { entered, total, missing, wrong, isSubmitted, announcement } = model;
  const focusOn = (at: number) => {
    const field = list.current?.querySelectorAll('input')[at];
    if (field) field.focus();
    else foot.current?.focus();
  };
  const ask = () => {
    const first = entered.findIndex(({ questionId, mark }) => mark === null || wrong.has(questionId));
    setHasAsked(first >= 0);
    setIsConfirming(first < 0);
    focusOn(first < 0 ? entered.length : first);
  };
  const isMissing = hasAsked && missing > 0;
  return (
    <form
      className={`stack gap-4 large ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitted) ask();
      }}
    >
      {model.reason !== undefined && (
        <Notice tone="bad" title={model.reason} actions={<Button onClick={model.discard}>Discard what is not stored</Button>} />
      )}
      <ol ref={list}>
        {entered.map((question, at) => (
          <QuestionRow
            key={question.questionId}
            question={question}
            text={model.textOf(question)}
            wrong={
              wrong.get(question.questionId) ??
              (isMissing && question.mark === null ? `Question ${question.number} has no mark.` : undefined)
            }
            isFixed={isSubmitted}
            onType={(text) => model.type(question, text)}
            onStep={(step) => model.step(question, step)}
            onNext={() => focusOn(at + 1)}
          />
        ))}
      </ol>
      <div className={`row apart ${styles.foot}`}>
        <p className={styles.total}>
          <strong>{total}</strong> of {page.max ?? 0}
          {page.staffTotal !== null && <span className="muted">Teacher’s total {staffTotalText(page)}</span>}
        </p>
        <p className={`muted small ${styles.standing}`}>
          {isMissing ? (
            <span className="failed">{INCOMPLETE}</span>
          ) : isSubmitted ? (
            submitting(model)
          ) : (
            draftStatus({ ...model, savedAt: savedAt[page.testId] })
          )}
        </p>
        {/* It keeps the focus, which a disabled button loses. */}
        <button ref={foot} type="submit" className={styles.submit} aria-disabled={isSubmitted}>
          Submit
        </button>
      </div>
      <p className="sr" role="status">
        {announcement === undefined
          ? ''
          : `${announcement} Total ${total} of ${page.max ?? 0}${page.staffTotal === null ? '' : `, teacher’s total ${[page.staffTotal, flagsShort(page.flags)].filter(Boolean).join(', ')}`}.`}
        {isMissing && ` ${INCOMPLETE}`}
      </p>
      <ConfirmSubmit
        page={page}
        total={total}
        gone={model.gone}
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => {
          setIsConfirming(false);
          void submit(page.testId, model.marks());
        }}
      />
    </form>
  );
};

const submitting = ({ isOffline, isKept }: { readonly isOffline: boolean; readonly isKept: boolean }): string => {
  if (!isOffline) return 'Submitting…';
  return isKept
    ? 'Your marks wait on this device. They are submitted as soon as the server can be reached.'
    : 'Your marks wait in this page alone: keep it open until the server can be reached.';
};

type ConfirmSubmitProps = {
  readonly page: SubmissionPage;
  readonly total: number;
  /** Marks for questions that are no longer asked. */
  readonly gone: number;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

/** They can be changed afterwards only if their total turns out not to be the teacher's, so it is asked before. */
const ConfirmSubmit = ({ page, total, gone, open, onClose, onConfirm }: ConfirmSubmitProps) => (
  <Dialog title="Submit your marks?" open={open} onClose={onClose}>
    <div className="stack gap-4 large pad">
      <p>
        Your total is {total} of {page.max ?? 0}
        {page.staffTotal === null
          ? '. You can change your marks afterwards if your teacher’s total is different.'
          : `; your teacher’s total is ${staffTotalText(page)}.`}
        {page.staffTotal === total && ' You can submit your marks once.'}
      </p>
      {page.staffTotal !== null && page.staffTotal !== total && (
        <Notice tone="warn" title="The totals differ.">
          Look through your marks once more, or submit them as they are: you can change them afterwards.
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
