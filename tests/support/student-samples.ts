import type { Ids } from './school.ts';

/** A request for every query of students about themselves. */
export const studentSamples = ({ maths: subjectId, mock: testId, terminalExam: terminalExamId }: Ids) => ({
  submission: { testId },
  'to-submit': {},
  'student-home': { subjectId },
  'student-card': { testId },
  'student-topics': { subjectId },
  'grade-graph': { testId, terminalExamId },
  'student-tasks': {},
  'my-data': {},
});
