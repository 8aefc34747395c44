import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useState } from 'react';
import { isRefused, isUnexpected, sentence } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { useUndo } from '../dialog/useUndo.ts';
import type { Line } from './paper.ts';
import { editInput } from './paper.ts';

type Refusal = { readonly title: string; readonly errors: readonly string[] };
type SavePaper = { readonly refetch: () => Promise<unknown>; readonly onSaved: () => void };

/** Saves the questions of an assessment and offers Undo; `refusal`: why that was not possible. */
export const useSavePaper = ({ refetch, onSaved }: SavePaper) => {
  const [refusal, setRefusal] = useState<Refusal>();
  const [saving, setSaving] = useState(false);
  const command = useCommand();
  const toast = useToast();
  const undoOf = useUndo();
  const oops = useOops();

  /** `before`: the paper on screen, which `lines` replace. */
  const save = async (before: AssessmentContents, lines: readonly Line[]) => {
    setSaving(true);
    setRefusal(undefined);
    try {
      const input = editInput(before, lines);
      const { changed, commandId } = await command('EditQuestions', input);
      const back = () => command('UndoQuestions', { testId: input.testId, commandId });
      toast({ tone: 'good', text: 'Submitted successfully!', ...(changed && undoOf(back)) });
      onSaved();
    } catch (error) {
      if (isUnexpected(error)) oops(error);
      if (isRefused(error, 'precondition-failed', 'not-found')) await refetch();
      else setRefusal({ title: sentence(error), errors: othersIn(error) });
    } finally {
      setSaving(false);
    }
  };
  return { save, saving, refusal };
};

/** Its messages about single questions. */
const othersIn = (error: unknown): readonly string[] =>
  isRefused(error) ? error.errors.map(({ message }) => message).filter((message) => message !== error.message) : [];
