import type { ClassHome, Predictors } from '#api/analysis/analysis.contract';
import type { Evidence } from '#api/analysis/items.formula';
import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import { openFlags } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import type { Sheet } from '#api/marks/sheet.contract';
import type { Cell, Sheet as ExcelSheet } from '../../../ui/file/excel-file.ts';
import { markOf } from '../../../ui/file/excel-file.ts';
import { dateTime } from '../../format.ts';

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

/** Of which class and moment, what the colours and columns say, and the numbers that the figures rest on. */
export const aboutSheet = ({ home, markbook, tests, moment }: ClassSources): ExcelSheet => ({
  name: 'About',
  widths: [26, 60, 12, 12, 12, 12, 12, 12],
  rows: [
    heads('Class report'),
    ['Class', home.name],
    ['Subject', markbook.subject.name],
    ['Students', home.students],
    ['As of', dateTime(moment)],
    ['Scheme of work', home.scheme?.name ?? 'None'],
    [],
    heads('Colours'),
    [
      'Marks and topics',
      `by the thresholds of the class: green above ${home.thresholds.green}, amber above ${home.thresholds.amber}, else red`,
    ],
    ['Totals', 'green above the mean plus one SD of the year group, amber above the mean minus one SD, red above 0'],
    [
      { value: 'Blue frame', mark: 'contested' },
      'several values were entered, and nobody has decided which counts; or it rests on such a value',
    ],
    [{ value: 'Red frame', mark: 'wrong' }, 'above the maximum, or it rests on such a value'],
    [],
    heads('Formulas'),
    ['Marks', 'those that count: of staff, else those that the student has confirmed. A, E: absent, exempt'],
    ['Total', 'entered by staff, else the sum of their marks if every question has one'],
    ['Facility', 'mean mark / marks available; a question that was left out counts 0, and who was absent is left out'],
    ['Discrimination', 'correlation of the question with the rest of the test; from 10 students, grey below 20: it says little'],
    ['No marks, full marks', 'share of the students'],
    ['Alpha without it', 'Cronbach’s alpha of the test without this question'],
    ['Reliability', 'of a claim about this question alone, by the alpha of all students; below 0.5 it is not enough evidence'],
    ['Topics', '100 * marks / marks available, truncated, over the questions that bear on the topic'],
    ['Beside the class', 'per cent minus the class mean: above 15 higher, below -15 lower, else broadly in line'],
    ['Strengths, targets', '(mark - mean of all students) / marks available, in points of 100; at most five of each'],
    ['Weak evidence', 'the reliability of all questions of the topic is below 0.5, or unknown'],
    ['Class, all students', 'who is in the class now, wherever they sat it; everybody of the subject who sat it'],
    [],
    heads('Assessments', 'Name', 'Maximum', 'Students', 'Mean %', 'SD %', 'Alpha', 'All, mean %'),
    ...tests.map(({ sheet, analysis }): readonly Cell[] => {
      const about = home.completed.find(({ testId }) => testId === sheet.testId);
      const ofSet = analysis.sets.find(({ setId }) => setId === home.setId);
      return [
        about?.day ?? 'day unknown',
        sheet.name,
        sheet.max,
        about?.average.n ?? null,
        { value: about?.average.mean ?? null, look: 'hundredths', ...markOf(openFlags(about?.average.open)) },
        hundredths(about?.average.sd),
        hundredths(ofSet?.alpha, ofSet?.evidence),
        { value: about?.all.mean ?? null, look: 'hundredths', ...markOf(openFlags(about?.all.open)) },
      ];
    }),
  ],
});

export const heads = (...values: readonly string[]): readonly Cell[] => values.map((value) => ({ value, look: 'head' }));

/** Grey: of so few students that it says little. */
export const hundredths = (value: number | null | undefined, evidence?: Evidence): Cell => ({
  value: value ?? null,
  look: evidence === 'weak' ? 'weak' : 'hundredths',
});
