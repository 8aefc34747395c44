import { wrongName } from '#api/contract/rules';
import { useCallback } from 'react';
import type { HeldQuestion } from '#api/contract/questions';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useSend } from '../../ui/sending/useSend.ts';
import { same } from '../../ui/drafts/drafts.ts';
import { useMemoryDrafts, useSeen } from '../../ui/drafts/useDraftStore.ts';
import type { EditQuestionsInput, PaperLine } from './paper.ts';
import { editInput, linesOf, wrongMarks } from './paper.ts';
import { heldBy } from './useWhich.ts';

type Options = {
  /** The paper as it is now, whoever changed it. */
  readonly contents: AssessmentContents;
  readonly refetch: () => Promise<unknown>;
  readonly onSaved: () => void;
};

/** A paper being edited: one draft, saved as a whole. */
export const usePaper = ({ contents, refetch, onSaved }: Options) => {
  const store = useMemoryDrafts<readonly PaperLine[], AssessmentContents, EditQuestionsInput>((_lines, before) => before);
  const { drafts, troubles } = useSeen(store);
  const draft = drafts[PAPER];
  /** The version that the input is based on. */
  const seen = draft?.saw ?? contents;
  const lines = draft?.value ?? linesOf(contents);
  const trouble = troubles[PAPER];
  const change = useCallback(
    (step: (lines: readonly PaperLine[]) => readonly PaperLine[]) => {
      const now = store.seen().drafts[PAPER] ?? { value: linesOf(contents), saw: contents };
      const next = step(now.value);
      if (same(next, linesOf(now.saw))) store.discard([PAPER]);
      else store.type({ [PAPER]: { value: next, saw: now.saw } });
    },
    [store, contents],
  );

  const { send, pending } = useSend({
    act: async (saved: readonly PaperLine[], command) => {
      let undone: { readonly changed: boolean; readonly commandId: string } | undefined;
      const isSaved = await store.save(
        [PAPER],
        // After a notice that somebody else has changed it, saving takes the place of theirs.
        () => editInput(contents, saved),
        async ({ input }) => {
          undone = await command('EditQuestions', input);
          return {};
        },
      );
      if (!isSaved) await refetch();
      return isSaved ? undone : undefined;
    },
    invalidates: 'everything',
    notice: (saved) => saved && 'Submitted successfully!',
    undo: (saved) => {
      if (!saved?.changed) return undefined;
      return (command) => command('UndoQuestions', { testId: contents.testId, commandId: saved.commandId });
    },
    onDone: (saved) => saved && onSaved(),
  });

  return {
    lines,
    change,
    drop: ({ key }: PaperLine) => change((now) => now.filter((line) => line.key !== key)),
    /** What would leave the paper with a question, in words. */
    heldBy: ({ questionId }: PaperLine): string => {
      const held = seen.questions.find((question) => question.questionId === questionId);
      return held ? heldBy(held) : '';
    },
    /** What a changed question was, and what stays with it; undefined: nothing hangs on it, or it is as it was. */
    wasOf: ({ questionId, topic, marks }: PaperLine, number: number): string | undefined => {
      const was = [...seen.questions, ...seen.removed].find((question) => question.questionId === questionId);
      if (!was || heldBy(was) === '') return undefined;
      const returns = was.removedAt !== null;
      if (!returns && was.number === number && was.topic === topic.trim() && String(was.marksAvailable) === marks.trim()) return undefined;
      const place = returns ? `Back again: question ${was.number}, ` : was.number === number ? 'Was ' : `Was question ${was.number}, `;
      return `${place}“${was.topic}” (${was.marksAvailable}): ${heldBy(was)} stay with it.`;
    },
    /** Removed questions that can be brought back. */
    removed: seen.removed.filter(({ questionId }) => !lines.some((line) => line.questionId === questionId)),
    bringBack: ({ questionId, topic, marksAvailable }: HeldQuestion) =>
      change((now) => [...now, { key: questionId, questionId, topic, marks: String(marksAvailable) }]),
    isTyped: draft !== undefined,
    /** Somebody else has changed the paper since. */
    isChanged: draft !== undefined && !pending && !same(linesOf(contents), linesOf(seen)),
    reload: () => store.discard([PAPER]),
    isRight: lines.every(({ topic, marks }) => !wrongName(topic) && !wrongMarks(marks)),
    total: lines.reduce((sum, { marks }) => sum + (wrongMarks(marks) ? 0 : Number(marks)), 0),
    save: (saved: readonly PaperLine[]) => void send(saved),
    saving: pending,
    /** Why it could not be saved. */
    refusal:
      trouble && !pending
        ? { title: trouble.reason, errors: Object.values(trouble.fields ?? {}).filter((message) => message !== trouble.reason) }
        : undefined,
  };
};

const PAPER = 'paper';
