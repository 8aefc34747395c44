import type { Assessment, Question } from '../../events/assessments/assessment.ts';
import { command, refuse, Refused, refuseInput } from '../common/command.ts';
import { MAX_QUESTIONS } from '../contract/limits.ts';
import { REQUIRED } from '../contract/rules.ts';
import { enteredMarks } from '../marks/entered.facts.ts';
import { isGone, NO_TEST, NOT_ITS_QUESTION, ofAssessment, samePaper, stranded } from './paper.rules.ts';
import { assessmentCommands, NOT_SEQUENTIAL, TOO_MANY_QUESTIONS } from './assessments.contract.ts';

/**
 * Saves some questions of a paper, decided on those that there are: what others do to the rest meanwhile stays. A question keeps its marks
 * whatever of it is edited; a removed one is put back by its id.
 */
export const SaveQuestions = command({
  ...assessmentCommands.SaveQuestions,
  ...ofAssessment,
  facts: enteredMarks,
  decide({ save, remove }, state, entered, { newId }) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    const saved = save.map((row, index) => savedQuestion(row, index, state, newId));
    const wrong = saved.find((row) => row instanceof Refused);
    if (wrong) return wrong;
    const rows = saved.filter((row): row is Saved => !(row instanceof Refused));
    const twice = rows.findIndex(({ questionId }, index) => rows.findIndex((other) => other.questionId === questionId) < index);
    if (twice >= 0) return refuseInput(`save.${twice}`, NOT_ITS_QUESTION);
    const paper = ordered(
      rows,
      save,
      state.questions.filter(({ questionId }) => !remove.includes(questionId)),
    );
    if (paper.length > MAX_QUESTIONS) return refuseInput('save', TOO_MANY_QUESTIONS);
    const astray = save.findIndex(({ number }, index) => number !== undefined && paper[number - 1]?.questionId !== rows[index]?.questionId);
    if (astray >= 0) return refuseInput(`save.${astray}.number`, NOT_SEQUENTIAL);
    return stranded(paper, entered) ?? (samePaper(paper, state.questions) ? [] : [{ type: 'QuestionsEdited', data: { questions: paper } }]);
  },
  answer: ({ save }, _events, _facts, { newId }) => ({
    questionIds: save.map((row, index) => row.questionId ?? newId(`question-${index + 1}`)),
  }),
});

type Sent = {
  readonly questionId: string | null;
  readonly number?: number | undefined;
  readonly topic?: string | undefined;
  readonly marksAvailable?: number | undefined;
};
type Saved = Omit<Question, 'number'>;

const savedQuestion = (
  { questionId, topic, marksAvailable }: Sent,
  index: number,
  { questions, removed }: Assessment,
  newId: (label: string) => string,
): Saved | Refused => {
  const before = questionId === null ? undefined : (questions.find((one) => one.questionId === questionId) ?? removed.get(questionId));
  if (questionId !== null && !before) return refuse('not-found', NOT_ITS_QUESTION, [{ path: `save.${index}`, message: NOT_ITS_QUESTION }]);
  const next = { topic: topic ?? before?.topic, marksAvailable: marksAvailable ?? before?.marksAvailable };
  if (next.topic === undefined) return refuseInput(`save.${index}.topic`, REQUIRED);
  if (next.marksAvailable === undefined) return refuseInput(`save.${index}.marksAvailable`, REQUIRED);
  return { questionId: questionId ?? newId(`question-${index + 1}`), topic: next.topic, marksAvailable: next.marksAvailable };
};

/** Those with a number are taken out and put in at it, the lowest first; so a whole paper comes out in the order of its numbers. */
const ordered = (rows: readonly Saved[], save: readonly Sent[], there: readonly Question[]): Question[] => {
  const isPlaced = (questionId: string): boolean =>
    rows.some((row, index) => row.questionId === questionId && save[index]?.number !== undefined);
  const changed = new Map(rows.map((row) => [row.questionId, row]));
  const paper: Saved[] = [
    ...there.filter(({ questionId }) => !isPlaced(questionId)).map((question) => changed.get(question.questionId) ?? question),
    ...rows.filter(({ questionId }) => !isPlaced(questionId) && !there.some((question) => question.questionId === questionId)),
  ];
  const placed = rows.flatMap((row, index) => {
    const number = save[index]?.number;
    return number === undefined ? [] : [{ row, number }];
  });
  for (const { row, number } of placed.toSorted((a, b) => a.number - b.number)) paper.splice(number - 1, 0, row);
  return paper.map(({ questionId, topic, marksAvailable }, index) => ({ questionId, number: index + 1, topic, marksAvailable }));
};
