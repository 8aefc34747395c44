/** What every change of a paper has to respect. */
import type { Assessment, Question } from '../../events/assessments/assessment.ts';
import { assessment, maxMark } from '../../events/assessments/assessment.ts';
import type { Refused } from '../common/command.ts';
import { refuse } from '../common/command.ts';
import type { EnteredMark } from '../marks/entered.facts.ts';

export const NO_TEST = 'There is no such assessment.';
export const NOT_ITS_QUESTION = 'This question is not one of this assessment.';
export const isGone = ({ subjectId, deleted }: Assessment): boolean => subjectId === undefined || deleted;

/** A command for an assessment that exists. */
export const ofAssessment = {
  aggregate: assessment,
  streamId: ({ testId }: { readonly testId: string }): string => testId,
  subjectOf: ({ subjectId }: Assessment): string | undefined => subjectId,
};

/** A refusal that names the students if there are marks above the new maximum. */
export const stranded = (paper: readonly Question[], entered: readonly EnteredMark[]): Refused | undefined => {
  const above = entered.filter((mark) => mark.mark > maximumFor(mark, paper));
  if (above.length === 0) return undefined;
  return refuse(
    'above-maximum',
    'There are marks above the new maximum: correct them first.',
    above.map((mark) => {
      const index = paper.findIndex(({ questionId }) => questionId === mark.questionId);
      const what = mark.questionId === null ? 'the total' : `question ${index + 1}`;
      return {
        path: mark.questionId === null ? 'questions' : `questions.${index}.marksAvailable`,
        message: `${mark.name}: ${mark.mark} for ${what} is above the maximum of ${maximumFor(mark, paper)}`,
      };
    }),
  );
};

/** A removed question has no maximum: its marks are hidden with it. */
const maximumFor = ({ questionId }: EnteredMark, paper: readonly Question[]): number =>
  questionId === null ? maxMark(paper) : (paper.find((question) => question.questionId === questionId)?.marksAvailable ?? Infinity);

export const samePaper = (a: readonly Omit<Question, 'number'>[], b: readonly Question[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ topic, marksAvailable, questionId }, index) =>
      b[index]?.questionId === questionId && b[index].topic === topic && b[index].marksAvailable === marksAvailable,
  );
