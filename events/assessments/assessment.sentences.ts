import { changesOf, deletion, renaming, words } from '../change.ts';
import type { Change, Descriptions } from '../sentence.ts';
import { count, things } from '../sentence.ts';
import type { assessmentEvents, Question } from './assessment.ts';
import { maxMark } from './assessment.ts';

export const assessmentSentences: Descriptions<typeof assessmentEvents> = {
  AssessmentCreated: {
    says: ({ data }) => [`added the assessment ${data.name} to `, things('subject', data.subjectId)],
    changes: ({ id, data }) => changesOf('assessment', id, { Name: words(data.name) }),
  },
  AssessmentRenamed: renaming('renamed an assessment to ', 'assessment', ({ id }) => id),
  AssessmentShown: {
    says: ({ id }) => ['showed ', things('assessment', id), ' to students'],
    changes: ({ id }) => changesOf('assessment', id, { 'Shown to students': true }),
  },
  AssessmentHidden: {
    says: ({ id }) => ['hid ', things('assessment', id), ' from students'],
    changes: ({ id }) => changesOf('assessment', id, { 'Shown to students': false }),
  },
  QuestionsUploaded: {
    says: ({ id, data: { questions } }) => [`uploaded ${paper(questions)} of `, things('assessment', id)],
    changes: ({ id, data }) => questionsOf(id, data.questions),
  },
  QuestionsEdited: {
    says: ({ id, data: { questions } }) => ['changed the questions of ', things('assessment', id), `, now ${paper(questions)}`],
    changes: ({ id, data }) => questionsOf(id, data.questions),
  },
  AssessmentDeleted: deletion('deleted the assessment ', 'assessment', true, ({ id }) => id),
  AssessmentRestored: deletion('restored the assessment ', 'assessment', false, ({ id }) => id),
};

const paper = (questions: readonly Question[]): string =>
  `${count(questions.length, 'question')} with ${count(maxMark(questions), 'mark')}`;

/** A question that has left the paper is no longer among the assessment's questions; by itself it is not named. */
const questionsOf = (testId: string, questions: readonly Question[]): readonly Change[] => [
  ...changesOf('assessment', testId, { Questions: things('question', ...questions.map(({ questionId }) => questionId)) }),
  ...questions.flatMap(({ questionId, number, topic, marksAvailable }) =>
    changesOf('question', questionId, { Number: number, Topic: words(topic), 'Marks available': marksAvailable }),
  ),
];
