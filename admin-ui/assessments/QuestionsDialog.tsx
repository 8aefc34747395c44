import type { HeldQuestion } from '#api/contract/questions';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { Button as MuiButton } from '@mui/material';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { FormDialog, Typed } from '../dialog/FormDialog.tsx';
import { Changed, Gone } from '../dialog/Trouble.tsx';
import { counted, day } from '../format.ts';
import { AddLine, isTyped, lineOf, nothingTyped } from './AddLine.tsx';
import styles from './Assessments.module.css';
import { Lines } from './Lines.tsx';
import type { PaperLine } from './paper.ts';
import { usePaper } from './usePaper.ts';
import { heldBy } from './useWhich.ts';

type QuestionsDialogProps = {
  /** Updated live. */
  readonly contents: AssessmentContents;
  /** Somebody else has removed the assessment. */
  readonly isGone: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Edits the paper: topics and marks, and their order by dragging or by Move up and Move down. */
export const QuestionsDialog = ({ contents, isGone, refetch, onClose }: QuestionsDialogProps) => {
  const paper = usePaper({ contents, refetch, onSaved: onClose });
  const [toDelete, setToDelete] = useState<PaperLine>();
  const [typed, setTyped] = useState(nothingTyped);
  const [isHalf, setHalf] = useState(false);
  /** With the new question that was typed and not added: it is not lost without a word. */
  const save = () => {
    const line = lineOf(typed);
    setHalf(!line && isTyped(typed));
    if (!line && isTyped(typed)) return;
    const lines = line ? [...paper.lines, line] : paper.lines;
    if (line) {
      paper.change(() => lines);
      setTyped(nothingTyped);
    }
    paper.save(lines);
  };
  return (
    <FormDialog title={`Questions of ${contents.name}`} onClose={onClose} size="fit">
      <Typed when={paper.isTyped} />
      <div className="stack gap-4 pad">
        <Lines
          lines={paper.lines}
          wasOf={paper.wasOf}
          onChange={paper.change}
          onRemove={(line) => (paper.heldBy(line) === '' ? paper.drop(line) : setToDelete(line))}
        />
        <AddLine
          number={paper.lines.length + 1}
          typed={typed}
          onType={(now) => {
            setTyped(now);
            setHalf(false);
          }}
          onAdd={(line) => paper.change((now) => [...now, line])}
        />
        {paper.removed.length > 0 && <Removed questions={paper.removed} onBringBack={paper.bringBack} />}
      </div>
      <DialogFoot
        trouble={(isGone || paper.isChanged || paper.refusal || isHalf) && <WhyNot isGone={isGone} isHalf={isHalf} paper={paper} />}
      >
        <span className="grow muted">
          {counted(paper.lines.length, 'question')}, {counted(paper.total, 'mark')}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!paper.isRight || paper.saving || isGone} onClick={save}>
          {paper.saving ? 'Saving…' : 'Save'}
        </Button>
      </DialogFoot>
      {toDelete && (
        <Confirm
          title="Delete this question?"
          go="Delete"
          removes
          onGo={() => {
            paper.drop(toDelete);
            setToDelete(undefined);
          }}
          onClose={() => setToDelete(undefined)}
        >
          <p>
            “{toDelete.topic}” leaves the paper with {paper.heldBy(toDelete)}. They are kept, and come back if you undo this.
          </p>
        </Confirm>
      )}
    </FormDialog>
  );
};

type WhyNotProps = { readonly isGone: boolean; readonly isHalf: boolean; readonly paper: ReturnType<typeof usePaper> };

const WhyNot = ({ isGone, isHalf, paper }: WhyNotProps) => (
  <div className="stack">
    {isGone ? (
      <Gone />
    ) : paper.isChanged ? (
      <Changed onReload={paper.reload} />
    ) : (
      paper.refusal && <Wrong title={paper.refusal.title} errors={paper.refusal.errors} />
    )}
    {isHalf && (
      <Notice tone="bad" title="The new question is not complete.">
        Give it a topic and its marks, or empty both fields.
      </Notice>
    )}
  </div>
);

type RemovedProps = { readonly questions: readonly HeldQuestion[]; readonly onBringBack: (question: HeldQuestion) => void };

const Removed = ({ questions, onBringBack }: RemovedProps) => (
  <section className={`stack ${styles.removed}`} aria-label="Deleted questions">
    <p className="muted">Deleted questions keep their marks. A question that you add starts without any.</p>
    <ul className="stack">
      {questions.map((question) => (
        <li key={question.questionId} className="row apart">
          <span className={styles.removedText}>
            Question {question.number}, “{question.topic}” ({question.marksAvailable}), was deleted on {day(question.removedAt ?? '')} with{' '}
            {heldBy(question)}.
          </span>
          <MuiButton size="small" variant="outlined" onClick={() => onBringBack(question)} aria-label={`Bring back ${question.topic}`}>
            Bring back
          </MuiButton>
        </li>
      ))}
    </ul>
  </section>
);

const Wrong = ({ title, errors }: { readonly title: string; readonly errors: readonly string[] }) => (
  <Notice tone="bad" title={title}>
    {errors.length > 0 && (
      <ul className={styles.errors}>
        {errors.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    )}
  </Notice>
);
