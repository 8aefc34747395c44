import type { AssessmentContents } from '#contract/structure';
import { useState } from 'react';
import { counted } from '../format.ts';
import type { Line } from './paper.ts';
import { linesOf, wrongMarks, wrongTopic } from './paper.ts';

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
    heldBy: ({ questionId }: Line): readonly string[] => {
      const { marks = 0, mappings = 0 } = seen.questions.find((question) => question.questionId === questionId) ?? {};
      return [
        ...(marks > 0 ? [`the marks of ${counted(marks, 'student')}`] : []),
        ...(mappings > 0 ? [counted(mappings, 'topic mapping')] : []),
      ];
    },
    isTyped: JSON.stringify(lines) !== paperOf(seen),
    /** Somebody else has changed the paper since. */
    isChanged: paperOf(contents) !== paperOf(seen),
    reload: () => {
      setSeen(contents);
      setLines(linesOf(contents));
    },
    isRight: lines.every(({ topic, marks }) => !wrongTopic(topic) && !wrongMarks(marks)),
    total: lines.reduce((sum, { marks }) => sum + (wrongMarks(marks) ? 0 : Number(marks)), 0),
  };
};

/** The part of an assessment that is edited here. */
const paperOf = (contents: AssessmentContents): string => JSON.stringify(linesOf(contents));
