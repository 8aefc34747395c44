import type { Row } from './row.ts';

type Rule = Omit<Row, 'ask'>;

const seenByItsTeacher: Rule = { may: ['admin', 'auditor', 'leader', 'teacherA'] };
const seenByTheYear: Rule = { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'], readsYearGroup: true };

/** Who may ask for figures, and for how they came about. */
export const analysisQueries = {
  'class-home': seenByItsTeacher,
  'progress-predictors': seenByItsTeacher,
  'predictor-questions': seenByItsTeacher,
  'question-analysis': seenByTheYear,
  'question-students': seenByItsTeacher,
  'leader-dashboard': { may: ['admin', 'auditor', 'leader'] },
  'historic-totals': { may: ['admin', 'auditor', 'leader'] },
  residuals: seenByTheYear,
  replay: seenByTheYear,
} satisfies Readonly<Record<string, Rule>>;
