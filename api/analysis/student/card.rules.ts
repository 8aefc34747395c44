import { MISMATCH, WAITING } from '../../marks/submissions/submission-words.contract.ts';
import { ifFlagged } from '../../marks/staff-total.facts.ts';
import { mismatched } from '../../marks/submissions/submission.rules.ts';
import { againstClass, percentOf } from '../averages.formula.ts';
import type { StudentHome } from './student.contract.ts';
import type { OwnTest } from './student.facts.ts';

type Card = Omit<StudentHome['tests'][number], 'questions'>;

/** An assessment by its totals. */
export const cardOf = (test: OwnTest): Card => {
  const { testId, name, max, day, attendance, total, flags, confirmedTotal, staffMarksTotal } = test;
  const ownTotal = confirmedTotal ?? staffMarksTotal;
  const percent = total === null ? null : percentOf(total, max);
  const classMean = meanOfClass(test);
  const mismatch = mismatched({ confirmedTotal, staffTotal: total });
  return {
    testId,
    name,
    max,
    day,
    attendance,
    total,
    ...ifFlagged(flags),
    ownTotal,
    entered: total === null ? 0 : ownTotal === null ? 1 : 2,
    percent,
    classPercent: classMean === null ? null : Math.round(classMean),
    against: percent === null || classMean === null ? null : againstClass(percent, classMean),
    mismatch,
    message: mismatch ? MISMATCH : total === null && confirmedTotal !== null && attendance === 'sat' ? WAITING : null,
  };
};

/** The mean of a class in per cent; null: not shown, or no questions. Students are judged by it, and shown it rounded. */
const meanOfClass = ({ classTotals, max }: OwnTest): number | null =>
  meanInPercent(classTotals?.reduce((all, total) => all + total, 0) ?? 0, classTotals?.length ?? 0, max);

/** A mean in whole per cent of the maximum: two of them differ too little to tell what a single student has got. */
export const wholeMean = (sum: number, n: number, max: number | null): number | null => {
  const mean = meanInPercent(sum, n, max);
  return mean === null ? null : Math.round(mean);
};

const meanInPercent = (sum: number, n: number, max: number | null): number | null => (n === 0 || !max ? null : (100 * sum) / (n * max));
