import { changesOf, words } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { count, things } from '../sentence.ts';
import type { submissionEvents } from './submission.ts';

export const submissionSentences: Descriptions<typeof submissionEvents> = {
  /** What is only saved is still the student's alone, so its marks are not said. */
  SubmissionSaved: {
    says: ({ id, data }) => [`saved ${count(data.ownMarks.length, 'own mark')} of `, testIn(id)],
    changes: ({ id }) => statusOf(id, 'saved'),
  },
  SubmissionConfirmed: {
    says: ({ id, data }) => [`confirmed ${count(data.ownMarks.length, 'own mark')} of `, testIn(id)],
    changes: ({ id, data }) => [
      ...statusOf(id, 'confirmed'),
      ...data.ownMarks.flatMap(({ questionId, mark }) =>
        changesOf('student', partsOf(id).studentId, { 'Own mark': mark }, { kind: 'question', id: questionId }),
      ),
    ],
  },
  SubmissionReopened: {
    says: ({ id }) => ['reopened the own marks of ', things('student', partsOf(id).studentId), ' in ', testIn(id)],
    changes: ({ id }) => statusOf(id, 'reopened'),
  },
};

const partsOf = (id: string): { readonly testId: string; readonly studentId: string } => {
  const [testId = '', studentId = ''] = id.split('.');
  return { testId, studentId };
};

const testIn = (id: string) => things('assessment', partsOf(id).testId);

const statusOf = (id: string, status: string) => {
  const { testId, studentId } = partsOf(id);
  return changesOf('student', studentId, { 'Own marks': words(status) }, { kind: 'assessment', id: testId });
};
