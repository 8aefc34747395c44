import type { ClassHome, Predictors } from '#api/analysis/analysis.contract';
import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import type { Markbook } from '#api/marks/marks.contract';
import type { Sheet } from '#api/marks/sheet.contract';

/** An assessment of the class: the marks of its students, and how its questions worked. */
export type ReportedTest = { readonly sheet: Sheet; readonly analysis: QuestionAnalysis };
/** What the report is made of: the answers that the screens of the class show. */
export type ClassSources = {
  readonly home: ClassHome;
  readonly predictors: Predictors;
  readonly markbook: Markbook;
  /** The newest first. */
  readonly tests: readonly ReportedTest[];
  /** An ISO instant. */
  readonly moment: string;
};
