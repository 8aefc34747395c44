import { allStudents } from '../../analysis/all-students.facts.ts';
import { papersOf } from '../../analysis/papers.facts.ts';
import type { Answer } from '../../contract/answer.ts';
import type { Caller } from '../caller.ts';
import type { averageRow } from './rows.ts';
import { averageOf } from './rows.ts';

/** The questions of an assessment that somebody has a mark for, with the mean of everybody of the subject who sat it. */
export const averagesOfAll = (caller: Caller, testId: string): Promise<Answer<typeof averageRow>[]> =>
  caller.sql(async (query) => {
    const [all, papers] = [await allStudents(query, [testId]), await papersOf(query, [testId])];
    const ofTest = all.get(testId);
    return (papers.get(testId)?.questions ?? []).flatMap((asked) => {
      const sums = ofTest?.questions.get(asked.questionId);
      return ofTest && sums ? [averageOf(asked, sums.sum, ofTest.totals.n)] : [];
    });
  });
