import { wrongName } from '#api/contract/rules';
import type { HeldQuestion } from '#api/assessments/questions.contract';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useState } from 'react';
import type { Line } from './paper.ts';
import { linesOf, wrongMarks } from './paper.ts';
import { heldBy } from './useWhich.ts';

/** A paper being edited. `contents`: the paper as it is now, whoever changed it. */
export const usePaper = (contents: AssessmentContents) => {
  /** The version that the input is based on: the paper when the dialog was opened or last reloaded. */
  const [seen, setSeen] = useState(contents);
  const [lines, setLines] = useState(() => linesOf(contents));
  return {
    lines,
    setLines,
    drop: ({ key }: Line) => setLines((all) => all.filter((line) => line.key !== key)),
    /** What would leave the paper with a question, in words. */
    heldBy: ({ questionId }: Line): string => {
      const held = seen.questions.find((question) => question.questionId === questionId);
      return held ? heldBy(held) : '';
    },
    /** What a changed question was, and what stays with it; undefined: nothing hangs on it, or it is as it was. */
    wasOf: ({ questionId, topic, marks }: Line, number: number): string | undefined => {
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
      setLines((all) => [...all, { key: questionId, questionId, topic, marks: String(marksAvailable) }]),
    isTyped: JSON.stringify(lines) !== paperOf(seen),
    /** Somebody else has changed the paper since. */
    isChanged: paperOf(contents) !== paperOf(seen),
    reload: () => {
      setSeen(contents);
      setLines(linesOf(contents));
    },
    isRight: lines.every(({ topic, marks }) => !wrongName(topic) && !wrongMarks(marks)),
    total: lines.reduce((sum, { marks }) => sum + (wrongMarks(marks) ? 0 : Number(marks)), 0),
  };
};

/** The part of an assessment that is edited here. */
const paperOf = (contents: AssessmentContents): string => JSON.stringify(linesOf(contents));
