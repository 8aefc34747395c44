import { linkId } from './tables.ts';

/** Ids of rows that have none of their own: each is that of the two things that the row is about. */

/** A total, of an assessment and a student. */
export const totalId = (testId: string, studentId: string): string => linkId('TestTotals', testId, studentId);
/** The mark of a question. */
export const resultId = (questionId: string, studentId: string): string => linkId('QuestionResults', questionId, studentId);
/** A score of a terminal exam. */
export const endpointScoreId = (terminalExamId: string, studentId: string): string => linkId('EndpointScores', terminalExamId, studentId);
/** What a class sits for a feedback task. */
export const feedbackMapId = (taskId: string, setId: string, testId: string): string =>
  linkId('FeedbackMaps', taskId, `${setId} ${testId}`);
/** A student's row in the ranking of a feedback task. */
export const rankId = (taskId: string, studentId: string): string => linkId('ranking', taskId, studentId);
