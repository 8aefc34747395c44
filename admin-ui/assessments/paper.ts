import type { AssessmentContents, editQuestions } from '#api/assessments/assessments.contract';
import { typedNumber, wrongCount } from '#api/contract/rules';
import type { z } from 'zod';

/** A question in the form. `key`: unique while the form is open. */
export type PaperLine = {
  readonly key: string;
  /** null: new */
  readonly questionId: string | null;
  readonly topic: string;
  readonly marks: string;
};

export const linesOf = ({ questions }: AssessmentContents): readonly PaperLine[] =>
  questions.map(({ questionId, topic, marksAvailable }) => ({ key: questionId, questionId, topic, marks: String(marksAvailable) }));

export const moved = (lines: readonly PaperLine[], from: number, to: number): readonly PaperLine[] => {
  const line = lines[from];
  if (!line || to < 0 || to >= lines.length || from === to) return lines;
  return lines.toSpliced(from, 1).toSpliced(to, 0, line);
};

export const wrongMarks = (marks: string): string | undefined => wrongCount(typedNumber(marks));

export type EditQuestionsInput = z.input<typeof editQuestions>;

export const editInput = (contents: AssessmentContents, lines: readonly PaperLine[]): EditQuestionsInput => ({
  testId: contents.testId,
  questions: lines.map(({ questionId, topic, marks }) => ({ questionId, topic: topic.trim(), marksAvailable: Number(marks) })),
  was: seenPaper(contents),
});

/** The paper that a change is based on; the server refuses the change if it differs from what is stored. */
export const seenPaper = ({ questions }: AssessmentContents): NonNullable<EditQuestionsInput['was']> =>
  questions.map(({ questionId, topic, marksAvailable }) => ({ questionId, topic, marksAvailable }));
