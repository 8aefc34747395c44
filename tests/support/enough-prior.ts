import { randomUUID } from 'node:crypto';
import type { PriorScores } from '../../api/prior/prior.contract.ts';
import type { School } from './school.ts';

const thisYear = new Date().getUTCFullYear();

/** Everybody on roll has a prior score, without which no feedback task begins. */
export const enoughPrior = async (school: School): Promise<{ readonly terminalExamId: string }> => {
  const { maths: subjectId, year: yearGroupId } = school.ids;
  const admin = await school.as('admin');
  const { terminalExamId = '' } = await admin.done('AddTerminalExam', { subjectId, name: `Prior ${randomUUID()}`, yearSat: 6 });
  const { students } = await admin.ask<PriorScores>('prior-scores', { subjectId, terminalExamId, yearGroupId });
  const scores = students.map(({ studentId }, index) => ({ studentId, score: String(80 + index) }));
  await admin.done('EnterPriorScores', { subjectId, terminalExamId, yearCompleted: thisYear, scores });
  return { terminalExamId };
};
