import type { Row } from './row.ts';

type Rule = Omit<Row, 'ask'>;

const seenByItsTeacher: Rule = { may: ['admin', 'auditor', 'leader', 'teacherA'] };
const seenByTheYear: Rule = { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'], readsYearGroup: true };

/** Who may ask for figures, for how they came about, and for the questions that they are about. */
export const analysisQueries = {
  'class-home': seenByItsTeacher,
  'progress-predictors': seenByItsTeacher,
  'predictor-questions': seenByItsTeacher,
  'question-analysis': seenByTheYear,
  'question-students': seenByItsTeacher,
  'leader-dashboard': { may: ['admin', 'auditor', 'leader'] },
  'historic-totals': { may: ['admin', 'auditor', 'leader'] },
  questions: { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'] },
  residuals: seenByTheYear,
  replay: seenByTheYear,
} satisfies Readonly<Record<string, Rule>>;
