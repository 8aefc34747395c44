import type { Assessment } from '../../events/assessments/assessment.ts';
import { assessment } from '../../events/assessments/assessment.ts';
import type { ChangedQuestion, HeldQuestion } from '../contract/questions.ts';
import { identified } from './identity-of-questions.formula.ts';
import { assessmentCommands, NOT_SEQUENTIAL } from './assessments.contract.ts';
import { isGone, NO_TEST, NOT_ITS_QUESTION, ofAssessment, samePaper, stranded } from './paper.rules.ts';
import type { PaperFacts } from '../marks/entered.facts.ts';
import { enteredMarks, markedQuestions, paperFacts } from '../marks/entered.facts.ts';
import { assessmentNames } from '../school/names.facts.ts';
import type { Refused } from '../common/command.ts';
import { ask, command, refuse, refuseInput } from '../common/command.ts';
import { isAmong } from '../contract/names.ts';

const CHANGED = 'Somebody else changed these questions while you were editing them.';
const NAME_TAKEN = 'Assessment name needs to be unique';

export const CreateAssessment = command({
  ...assessmentCommands.CreateAssessment,
  aggregate: assessment,
  streamId: (_input, { newId }) => newId('test'),
  facts: assessmentNames.inSubject,
  decide({ subjectId, name }, _state, others) {
    if (isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    return [{ type: 'AssessmentCreated', data: { subjectId, name } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ testId: newId('test') }),
});

export const RenameAssessment = command({
  ...assessmentCommands.RenameAssessment,
  ...ofAssessment,
  facts: assessmentNames.others,
  decide({ name }, state, others) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    if (isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    return state.name === name ? [] : [{ type: 'AssessmentRenamed', data: { name } }];
  },
});

/** Whether students may enter feedback on the assessment. */
export const ShowAssessment = command({
  ...assessmentCommands.ShowAssessment,
  ...ofAssessment,
  decide({ visible }, state) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    if (state.visible === visible) return [];
    return [{ type: visible ? 'AssessmentShown' : 'AssessmentHidden', data: {} }];
  },
});

/**
 * Replaces the questions by those of a file. Where it brings another topic or maximum under a number and marks or mappings hang on the question
 * there, its user must say which question that is; nothing is guessed. A maximum below an entered mark is refused, naming the students;
 * questions that are not in the file any more are hidden with their marks.
 */
export const UploadQuestions = command({
  ...assessmentCommands.UploadQuestions,
  ...ofAssessment,
  facts: paperFacts,
  decide({ questions, was, answers }, state, { entered, held }, { newId }) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    if (was && !samePaper(was, state.questions)) return refuse('precondition-failed', CHANGED);
    const astray = questions.findIndex(({ number }, index) => number !== index + 1);
    if (astray >= 0) {
      return refuseInput(`questions.${astray}.number`, NOT_SEQUENTIAL);
    }
    const beyond = answers.findIndex(
      ({ number }, index) => !questions[number - 1] || answers.findLastIndex((one) => one.number === number) > index,
    );
    if (beyond >= 0) return refuseInput(`answers.${beyond}.number`, 'Answer once for each number of the file.');
    const identity = identified(questions, heldOf(state, held), answers);
    if ('unanswered' in identity) return askWhich(identity.unanswered);
    if ('unknown' in identity) return refuseInput(`answers.${answers.indexOf(identity.unknown)}.questionId`, NOT_ITS_QUESTION);
    if ('twice' in identity) {
      return refuseInput(`answers.${answers.indexOf(identity.twice)}.questionId`, 'One question cannot have two numbers.');
    }
    const paper = questions.map((question, index) => ({
      questionId: identity.ids[index] ?? newId(`question-${question.number}`),
      ...question,
    }));
    return (
      stranded(paper, entered) ?? (samePaper(paper, state.questions) ? [] : [{ type: 'QuestionsUploaded', data: { questions: paper } }])
    );
  },
  answer: (_input, events, _facts, { commandId }) => ({ changed: events.length > 0, commandId }),
});

/** Replaces the questions by those of a form. A question keeps its marks whatever of it is edited; a removed one is put back by its id. */
export const EditQuestions = command({
  ...assessmentCommands.EditQuestions,
  ...ofAssessment,
  facts: enteredMarks,
  decide({ questions, was }, state, entered, { newId }) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    if (was && !samePaper(was, state.questions)) return refuse('precondition-failed', CHANGED);
    const questionIds = new Set([...state.questions.map(({ questionId }) => questionId), ...state.removed.keys()]);
    const unknown = questions.findIndex(
      ({ questionId }, index) =>
        questionId !== null && (!questionIds.has(questionId) || questions.findIndex((other) => other.questionId === questionId) < index),
    );
    if (unknown >= 0) return refuseInput(`questions.${unknown}.questionId`, NOT_ITS_QUESTION);
    const paper = questions.map(({ questionId, ...question }, index) => ({
      questionId: questionId ?? newId(`question-${index + 1}`),
      number: index + 1,
      ...question,
    }));
    return stranded(paper, entered) ?? (samePaper(paper, state.questions) ? [] : [{ type: 'QuestionsEdited', data: { questions: paper } }]);
  },
  answer: (_input, events, _facts, { commandId }) => ({ changed: events.length > 0, commandId }),
});

/**
 * Undoes the last upload or edit of the questions. Refused if marks were entered since for a question that would be another one, or gone:
 * they would count for a question that was not asked.
 */
export const UndoQuestions = command({
  ...assessmentCommands.UndoQuestions,
  ...ofAssessment,
  facts: markedQuestions,
  decide({ commandId }, state, { entered, markedSince }) {
    if (isGone(state)) return refuse('not-found', NO_TEST);
    const { before } = state;
    if (before?.commandId !== commandId) return refuse('refused', 'These questions were changed again since: edit them instead.');
    const marked = state.questions.filter(
      ({ questionId, topic }) =>
        before.questions.find((question) => question.questionId === questionId)?.topic !== topic && markedSince.includes(questionId),
    );
    if (marked.length > 0) {
      const numbers = marked.map(({ number }) => number).join(', ');
      return refuse(
        'refused',
        `Marks have been entered since for questions that the earlier paper does not have (question ${numbers}): edit the questions instead.`,
      );
    }
    return stranded(before.questions, entered) ?? [{ type: 'QuestionsEdited', data: { questions: [...before.questions] } }];
  },
});

/** Hides the assessment. Its questions and marks are kept, and come back when it is restored. */
export const DeleteAssessment = command({
  ...assessmentCommands.DeleteAssessment,
  ...ofAssessment,
  decide(_input, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_TEST);
    return state.deleted ? [] : [{ type: 'AssessmentDeleted', data: {} }];
  },
});

export const RestoreAssessment = command({
  ...assessmentCommands.RestoreAssessment,
  ...ofAssessment,
  facts: assessmentNames.besideDeleted,
  decide(_input, state, others) {
    if (state.subjectId === undefined) return refuse('not-found', NO_TEST);
    if (!state.deleted) return [];
    if (isAmong(others, state.name)) {
      return refuse('refused', `There is another assessment called ${state.name} now: rename that one first.`);
    }
    return [{ type: 'AssessmentRestored', data: {} }];
  },
});

const NOTHING_HELD = { marks: 0, mappings: 0 };

/** All questions that were ever on the paper, with what hangs on them; those that left it last first, as on the page. */
const heldOf = ({ questions, removed }: Assessment, held: PaperFacts['held']): readonly HeldQuestion[] =>
  [...questions.map((question) => ({ ...question, removedAt: null })), ...[...removed.values()].toReversed()].map((question) => ({
    ...question,
    ...(held[question.questionId] ?? NOTHING_HELD),
  }));

const askWhich = (unanswered: readonly ChangedQuestion[]): Refused =>
  ask(
    'Questions that this file changes have marks or mappings. Say for each number whether it is the same question, one that moved, or another.',
    unanswered.map(({ number, was, topic, marksAvailable, mayBe }) => ({
      path: `questions.${number - 1}`,
      message: [
        `Question ${number} becomes “${topic}” (${marksAvailable}).`,
        ...mayBe.map((one) => `${one === was ? 'It was' : one.removedAt ? 'Deleted:' : `Question ${one.number} was`} ${inWords(one)}.`),
      ].join(' '),
    })),
    { questions: unanswered },
  );

const inWords = ({ topic, marksAvailable, marks, mappings }: HeldQuestion): string => {
  const held = [marks > 0 && `${marks} student(s) with marks`, mappings > 0 && `${mappings} mapping(s)`].filter(Boolean).join(' and ');
  return `“${topic}” (${marksAvailable})${held && `, with ${held}`}`;
};
