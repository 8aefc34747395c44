import type { AssessmentContents } from '#contract/structure';
import { Button, DialogActions, DialogContent, useMediaQuery } from '@mui/material';
import { useState } from 'react';
import { Confirm } from 'react-admin';
import { isRefused, isUnexpected, sentence } from '../../ui/api/failure.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useOops } from '../../ui/feedback/Oops.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { FormDialog, Typed } from '../dialog/FormDialog.tsx';
import { Changed, Gone } from '../dialog/Trouble.tsx';
import { useUndo } from '../dialog/useUndo.ts';
import { counted, listed } from '../format.ts';
import { AddLine } from './AddLine.tsx';
import styles from './Assessments.module.css';
import { Lines } from './Lines.tsx';
import type { Line } from './paper.ts';
import { editInput, linesOf, wrongMarks, wrongTopic } from './paper.ts';

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
  /** The version that the input is based on: the paper when the dialog was opened or last reloaded. */
  const [seen, setSeen] = useState(contents);
  const [lines, setLines] = useState(() => linesOf(contents));
  const [asked, setAsked] = useState<{ readonly line: Line; readonly content: string }>();
  const [errors, setErrors] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  const command = useCommand();
  const toast = useToast();
  const undoOf = useUndo();
  const oops = useOops();
  const isChanged = !saving && paperOf(contents) !== paperOf(seen);

  const drop = ({ key }: Line) => setLines((all) => all.filter((line) => line.key !== key));
  const remove = (line: Line) => {
    const { marks = 0, mappings = 0 } = seen.questions.find(({ questionId }) => questionId === line.questionId) ?? {};
    if (marks + mappings === 0) drop(line);
    else {
      const held = [
        ...(marks > 0 ? [`the marks of ${counted(marks, 'student')}`] : []),
        ...(mappings > 0 ? [counted(mappings, 'topic mapping')] : []),
      ];
      setAsked({ line, content: `“${line.topic}” leaves the paper with ${listed(held)}. They are kept, and come back if it is undone.` });
    }
  };

  const save = async () => {
    setSaving(true);
    setRefusal(undefined);
    setErrors([]);
    // After a notice that the paper has changed, saving overwrites the new version.
    const before = isChanged ? contents : seen;
    try {
      const input = editInput(before, lines);
      const { changed, commandId } = await command('EditQuestions', input);
      const back = () => command('UndoQuestions', { testId: input.testId, commandId });
      toast({ tone: 'good', text: 'Submitted successfully!', ...(changed && undoOf(back)) });
      onClose();
    } catch (error) {
      if (isUnexpected(error)) oops(error);
      if (isRefused(error, 'precondition-failed', 'not-found')) await refetch();
      else setRefusal(sentence(error));
      if (isRefused(error)) setErrors(error.errors.map(({ message }) => message).filter((message) => message !== error.message));
    } finally {
      setSaving(false);
    }
  };

  const isRight = lines.every(({ topic, marks }) => !wrongTopic(topic) && !wrongMarks(marks));
  const total = lines.reduce((sum, { marks }) => sum + (wrongMarks(marks) ? 0 : Number(marks)), 0);
  return (
    <FormDialog title={`Questions of ${contents.name}`} onClose={onClose} maxWidth="md" fullScreen={useMediaQuery('(max-width: 599px)')}>
      <Typed when={JSON.stringify(lines) !== paperOf(seen)} />
      <DialogContent>
        <div className={styles.details}>
          {isGone ? (
            <Gone />
          ) : isChanged ? (
            <Changed
              onReload={() => {
                setSeen(contents);
                setLines(linesOf(contents));
              }}
            />
          ) : (
            refusal !== undefined && <Wrong title={refusal} errors={errors} />
          )}
          <Lines lines={lines} onChange={setLines} onRemove={remove} />
          <AddLine number={lines.length + 1} onAdd={(line) => setLines([...lines, line])} />
        </div>
      </DialogContent>
      <DialogActions>
        <span className={styles.total}>
          {counted(lines.length, 'question')}, {counted(total, 'mark')}
        </span>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={!isRight || saving || isGone} onClick={() => void save()}>
          {saving ? 'Saving…' : 'Save'}
        </Button>
      </DialogActions>
      {asked && (
        <Confirm
          isOpen
          title="Delete this question?"
          content={asked.content}
          confirm="Delete"
          confirmColor="warning"
          onConfirm={() => {
            drop(asked.line);
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </FormDialog>
  );
};

/** The part of an assessment that is edited here. */
const paperOf = (contents: AssessmentContents): string => JSON.stringify(linesOf(contents));

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
