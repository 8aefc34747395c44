/** The markbook as JSON text, from what the database says of each assessment. */
import type { Markbook, MarkbookTotal } from './marks.contract.ts';
import { JsonText } from '../common/query.ts';
import { figuresOf } from './spread.formula.ts';
import { ifFlagged } from './staff-total.facts.ts';

/** The year group without its assessments. */
export type RowOfYear = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly year: number;
  readonly subject: string;
  readonly students: readonly StudentOfYear[];
  readonly exam: Markbook['priorExam'] | null;
  readonly ranked: Markbook['ranked'] | null;
  readonly rankings: Markbook['rankings'] | null;
};
/** The last six: of the terminal exam and the ranking that are shown. */
type StudentOfYear = readonly [
  ...who: readonly [studentId: string, admissionNo: string | null, name: string | null, setId: string],
  prior: string | null,
  ranking: number | null,
  score: number | null,
  residual: number | null,
  grade: string | null,
  overridden: Markbook['students'][number]['overridden'] | null,
];
/** The last three are columns of its rows: of which student, the total, and what else the cell shows (`cellOf`). null: there are none. */
export type TestOfYear = readonly [
  ...head: readonly [
    testId: string,
    name: string,
    max: number | null,
    mean: number | null,
    sd: number | null,
    count: number,
    contested: number,
    aboveMaximum: number,
    questions: number,
  ],
  students: readonly string[] | null,
  totals: readonly (number | null)[] | null,
  states: readonly number[] | null,
];

/**
 * The texts of which the markbook is made, so that after a change only what differs is written again: of each student what comes before
 * the totals, of each assessment the cells, in the order of the students; and both together.
 */
export type Drawn = {
  readonly year: RowOfYear;
  readonly students: readonly string[];
  readonly tests: readonly DrawnTest[];
  readonly rows: readonly string[];
};
type DrawnTest = { readonly testId: string; readonly head: object; readonly cells: readonly string[] };

/**
 * Put together here and not in SQL, which would look up each student with each test, and write every field of each cell again: that took
 * three times as long, after every save.
 */
export const drawn = (year: RowOfYear, found: readonly TestOfYear[]): Drawn => {
  const tests = found.map((test) => drawnTest(year, test));
  const students = year.students.map(([studentId, admissionNo, name, setId, prior, ranking, score, residual, grade, overridden]) =>
    JSON.stringify({
      studentId,
      admissionNo,
      name,
      setId,
      ...(prior !== null && { prior }),
      ...(ranking !== null && { ranking }),
      ...(score !== null && { score }),
      ...(residual !== null && { residual }),
      ...(grade !== null && { grade }),
      ...(overridden !== null && { overridden }),
    }).slice(0, -1),
  );
  return { year, students, tests, rows: students.map((student, place) => rowOf(student, tests, place)) };
};

/**
 * The same with some assessments as they are now, of those that may have changed (`parts`). Undefined: it has other assessments now.
 */
export const redrawn = (before: Drawn, found: readonly TestOfYear[], parts: readonly string[]): Drawn | undefined => {
  const anew = new Map(found.map((test) => [test[0], drawnTest(before.year, test)]));
  const changed = before.tests.filter(({ testId }) => parts.includes(testId));
  if (changed.length !== anew.size || !changed.every(({ testId }) => anew.has(testId))) return undefined;
  const tests = before.tests.map((test) => anew.get(test.testId) ?? test);
  const rows = before.students.map((student, place) =>
    changed.every(({ testId, cells }) => cells[place] === anew.get(testId)?.cells[place])
      ? (before.rows[place] ?? '')
      : rowOf(student, tests, place),
  );
  return { ...before, tests, rows };
};

const rowOf = (student: string, tests: readonly DrawnTest[], place: number): string =>
  `${student},"totals":[${tests.map(({ cells }) => cells[place]).join()}]}`;

const drawnTest = (
  { students: ofYear }: RowOfYear,
  [testId, name, max, mean, sd, count, contested, aboveMaximum, questions, students, totals, states]: TestOfYear,
): DrawnTest => {
  const texts = new Map<number, Map<number | null, string>>();
  const ofStudents = new Map<string, string>();
  for (const [at, studentId] of (students ?? []).entries()) {
    const [total = null, state = 0] = [totals?.[at], states?.[at]];
    const ofState = texts.get(state) ?? new Map<number | null, string>();
    texts.set(state, ofState);
    let text = ofState.get(total);
    if (text === undefined) ofState.set(total, (text = JSON.stringify(cellOf(total, state, questions))));
    ofStudents.set(studentId, text);
  }
  return {
    testId,
    head: { testId, name, max, mean, sd, count, ...(contested + aboveMaximum > 0 && { open: { contested, aboveMaximum } }) },
    cells: ofYear.map(([studentId]) => ofStudents.get(studentId) ?? NOTHING),
  };
};

/** The contract's fields without `sets`. */
export const markbookText = ({ year: { yearGroupId, year, subject, subjectId, exam, ranked, rankings, students }, tests, rows }: Drawn) =>
  new JsonText<Omit<Markbook, 'sets'>>({
    head: JSON.stringify({
      yearGroupId,
      year,
      subject: { subjectId, name: subject },
      ...(exam && { priorExam: exam }),
      ...(ranked && { ranked, scores: figuresOf(students.flatMap(([, , , , , , score]) => score ?? [])) }),
      ...(rankings && { rankings }),
      tests: tests.map(({ head }) => head),
    }),
    name: 'students',
    elements: rows,
  });

/** `state`: as the query adds it up. */
const cellOf = (total: number | null, state: number, questions: number): MarkbookTotal => ({
  total,
  source: state & 1 ? 'total' : state & 2 ? 'marks' : null,
  attendance: state & 4 ? 'absent' : state & 8 ? 'exempt' : 'sat',
  ...ifFlagged((state >> 4) & 7),
  ...(state >= 128 && { marked: { questions: state >> 7, of: questions } }),
});

const NOTHING = JSON.stringify(cellOf(null, 0, 0));
