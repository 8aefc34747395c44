import type { Question } from '../../events/assessment.ts';
import { assessment, maxMark } from '../../events/assessment.ts';
import { createAssessment, renameAssessment, showAssessment, uploadQuestions } from '../contract/structure.ts';
import { noFacts } from '../facts/facts.ts';
import type { EnteredMark } from '../facts/subject.ts';
import { enteredMarks, otherTestNames, testNames } from '../facts/subject.ts';
import { command, refuse, refuseInput } from './command.ts';
import { isAmong } from './names.ts';

const NO_TEST = 'There is no such assessment.';
const NAME_TAKEN = 'Assessment name needs to be unique';

export const CreateAssessment = command({
  input: createAssessment,
  aggregate: assessment,
  streamId: (_input, { newId }) => newId('test'),
  facts: testNames,
  decide({ subjectId, name }, _state, known) {
    if (!known.subject) return refuse('not-found', 'There is no such subject.');
    if (isAmong(known.names, name)) return refuseInput('name', NAME_TAKEN);
    return [{ type: 'AssessmentCreated', data: { subjectId, name } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ testId: newId('test') }),
});

export const RenameAssessment = command({
  input: renameAssessment,
  aggregate: assessment,
  streamId: ({ testId }) => testId,
  facts: otherTestNames,
  decide({ name }, state, others) {
    if (state.subjectId === undefined) return refuse('not-found', NO_TEST);
    if (isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    return state.name === name ? [] : [{ type: 'AssessmentRenamed', data: { name } }];
  },
  answer: () => ({}),
});

/** Whether students may enter feedback on it. */
export const ShowAssessment = command({
  input: showAssessment,
  aggregate: assessment,
  streamId: ({ testId }) => testId,
  facts: noFacts,
  decide({ visible }, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_TEST);
    if (state.visible === visible) return [];
    return [{ type: visible ? 'AssessmentShown' : 'AssessmentHidden', data: {} }];
  },
  answer: () => ({}),
});

/**
 * The paper as it is to be. A question keeps its id as long as its number. A maximum that would fall below a mark that is entered is
 * refused, naming the students; a question that is no longer there is hidden with its marks.
 */
export const UploadQuestions = command({
  input: uploadQuestions,
  aggregate: assessment,
  streamId: ({ testId }) => testId,
  facts: enteredMarks,
  decide({ questions }, state, entered, { newId }) {
    if (state.subjectId === undefined) return refuse('not-found', NO_TEST);
    const astray = questions.findIndex(({ number }, index) => number !== index + 1);
    if (astray >= 0) {
      return refuseInput(`questions.${astray}.number`, 'Questions are not numbered sequentially. Please check your upload file.');
    }
    const paper = questions.map((question) => ({
      questionId: state.everAsked.get(question.number) ?? newId(`question-${question.number}`),
      ...question,
    }));
    const stranded = entered.filter((mark) => mark.mark > maximumFor(mark, paper));
    if (stranded.length > 0) {
      return refuse(
        'above-maximum',
        'There are marks above the new maximum: correct them first.',
        stranded.map((mark) => ({
          path: mark.questionId === null ? 'questions' : `questions.${(mark.number ?? 1) - 1}.marksAvailable`,
          message: `${mark.name}: ${mark.mark} for ${mark.questionId === null ? 'the total' : `question ${mark.number}`} is above the maximum of ${maximumFor(mark, paper)}`,
        })),
      );
    }
    return samePaper(paper, state.questions) ? [] : [{ type: 'QuestionsUploaded', data: { questions: paper } }];
  },
  answer: (_input, events) => ({ changed: events.length > 0 }),
});

/** A question that leaves the paper takes its marks along: nothing is stranded. */
const maximumFor = ({ questionId }: EnteredMark, paper: readonly Question[]): number =>
  questionId === null ? maxMark(paper) : (paper.find((question) => question.questionId === questionId)?.marksAvailable ?? Infinity);

const samePaper = (a: readonly Question[], b: readonly Question[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ topic, marksAvailable, questionId }, index) =>
      b[index]?.questionId === questionId && b[index].topic === topic && b[index].marksAvailable === marksAvailable,
  );
