/** The markbook as JSON text, from what the database says of each assessment. */
import { ATTENDANCES } from '../contract/attendance.ts';
import type { Markbook, MarkbookTotal } from './marks.contract.ts';
import { JsonText } from '../common/query.ts';
import { figuresOf } from './spread.formula.ts';
import { ATTENDANCE_PLACE, EVERY_QUESTION_MARKED, ifFlagged } from './staff-total.facts.ts';

type Student = Markbook['students'][number];
type Named = 'studentId' | 'admissionNo' | 'name' | 'setId';

/** The year group without its assessments. */
export type YearRow = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly year: number;
  readonly subject: string;
  readonly students: readonly StudentRow[];
  readonly exam: Markbook['priorExam'] | null;
  readonly ranked: Markbook['ranked'] | null;
  readonly rankings: Markbook['rankings'] | null;
};
/** `columns`: those of student-columns.contract.ts that have a value. */
type StudentRow = Pick<Student, Named> & {
  readonly columns: Omit<Student, Named | 'overridden' | 'totals'>;
  readonly overridden: Student['overridden'] | null;
};
/** The last three are parallel: a student, the total, and what else the cell shows (`CELL_STATE`). null: there are none. */
export type TestRow = Omit<Markbook['tests'][number], 'open'> & {
  readonly contested: number;
  readonly aboveMaximum: number;
  readonly questions: number;
  readonly students: readonly string[] | null;
  readonly totals: readonly (number | null)[] | null;
  readonly states: readonly number[] | null;
};

/**
 * The texts of which the markbook is made, so that after a change only what differs is written again: of each student what comes before
 * the totals, of each assessment the cells, in the order of the students; and both together.
 */
export type MarkbookParts = {
  readonly year: YearRow;
  readonly students: readonly string[];
  readonly tests: readonly TestColumn[];
  readonly rows: readonly string[];
};
type TestColumn = {
  readonly head: Markbook['tests'][number];
  readonly cells: readonly string[];
  /** The same, of which `cells` are the texts. */
  readonly values: readonly MarkbookTotal[];
};

/**
 * Put together here and not in SQL, which would look up each student with each test, and write every field of each cell again: that took
 * three times as long, after every save.
 */
export const partsOf = (year: YearRow, found: readonly TestRow[]): MarkbookParts => {
  const tests = found.map((test) => columnOf(year, test));
  const students = year.students.map(({ columns, overridden, ...student }) =>
    JSON.stringify({ ...student, ...columns, ...(overridden && { overridden }) }).slice(0, -1),
  );
  return { year, students, tests, rows: students.map((student, place) => rowOf(student, tests, place)) };
};

/** The same with these assessments as they are `now`, of those that may have changed. Undefined: the markbook has other assessments now. */
export const withTests = (before: MarkbookParts, now: readonly TestRow[], mayHaveChanged: readonly string[]): MarkbookParts | undefined => {
  const anew = new Map(now.map((test) => [test.testId, columnOf(before.year, test)]));
  const changed = before.tests.filter(({ head }) => mayHaveChanged.includes(head.testId));
  if (changed.length !== anew.size || !changed.every(({ head }) => anew.has(head.testId))) return undefined;
  const tests = before.tests.map((test) => anew.get(test.head.testId) ?? test);
  const rows = before.students.map((student, place) =>
    changed.every(({ head, cells }) => cells[place] === anew.get(head.testId)?.cells[place])
      ? (before.rows[place] ?? '')
      : rowOf(student, tests, place),
  );
  return { ...before, tests, rows };
};

const rowOf = (student: string, tests: readonly TestColumn[], place: number): string =>
  `${student},"totals":[${tests.map(({ cells }) => cells[place]).join()}]}`;

const columnOf = (year: YearRow, { contested, aboveMaximum, questions, students, totals, states, ...test }: TestRow): TestColumn => {
  /** By state and total: most cells of a column are the same as another one. */
  const cells = new Map<string, Cell>();
  const ofStudents = new Map<string, Cell>();
  for (const [at, studentId] of (students ?? []).entries()) {
    const [total = null, state = 0] = [totals?.[at], states?.[at]];
    const key = `${state} ${total}`;
    const cell = cells.get(key) ?? withText(cellOf(total, state, questions));
    cells.set(key, cell);
    ofStudents.set(studentId, cell);
  }
  const inOrder = year.students.map(({ studentId }) => ofStudents.get(studentId) ?? NO_TOTAL);
  return {
    head: { ...test, ...(contested + aboveMaximum > 0 && { open: { contested, aboveMaximum } }) },
    cells: inOrder.map(({ text }) => text),
    values: inOrder.map(({ value }) => value),
  };
};

/** The students as the answer says them, to find and sort them by. */
export const studentsIn = ({ year, tests }: MarkbookParts): Markbook['students'] =>
  year.students.map(({ columns, overridden: _overridden, ...student }, place) => ({
    ...student,
    ...columns,
    totals: tests.flatMap(({ values }) => values[place] ?? []),
  }));

/** The contract's fields without `sets`. */
export const markbookText = ({
  year: { yearGroupId, year, subject, subjectId, exam, ranked, rankings, students },
  ...parts
}: MarkbookParts) =>
  new JsonText<Omit<Markbook, 'sets'>>({
    head: JSON.stringify({
      yearGroupId,
      year,
      subject: { subjectId, name: subject },
      ...(exam && { priorExam: exam }),
      ...(ranked && { ranked, scores: figuresOf(students.flatMap(({ columns }) => columns.score ?? [])) }),
      ...(rankings && { rankings }),
      tests: parts.tests.map(({ head }) => head),
    }),
    name: 'students',
    elements: parts.rows,
  });

type Part = 'source' | 'attendance' | 'flags' | 'marked';
/**
 * What a cell shows besides its total is one number, because there are thousands of cells: from which bit each part begins, how many bits it
 * has, and what it is in SQL, of a row `m` with its `paper` and its flags `f`.
 */
const PARTS: Readonly<Record<Part, { readonly from: number; readonly bits: number; readonly sql: string }>> = {
  source: { from: 0, bits: 2, sql: `case when m.total is not null then 1 when ${EVERY_QUESTION_MARKED} then 2 else 0 end` },
  attendance: { from: 2, bits: 2, sql: ATTENDANCE_PLACE },
  flags: { from: 4, bits: 3, sql: 'f.flags' },
  /** How many questions have a mark, where others have none. */
  marked: { from: 7, bits: 8, sql: 'case when m.marks_count > 0 and m.marks_count < paper.questions then m.marks_count else 0 end' },
};
/** SQL, int4. */
export const CELL_STATE = Object.values(PARTS)
  .map(({ from, sql }) => `((${sql}) << ${from})`)
  .join(' | ');

const cellOf = (total: number | null, state: number, of: number): MarkbookTotal => {
  const part = (name: Part): number => (state >> PARTS[name].from) & ((1 << PARTS[name].bits) - 1);
  const questions = part('marked');
  return {
    total,
    source: SOURCES[part('source')] ?? null,
    attendance: ATTENDANCES[part('attendance')] ?? 'sat',
    ...ifFlagged(part('flags')),
    ...(questions > 0 && { marked: { questions, of } }),
  };
};
const SOURCES = [null, 'total', 'marks'] as const;

type Cell = { readonly value: MarkbookTotal; readonly text: string };
const withText = (value: MarkbookTotal): Cell => ({ value, text: JSON.stringify(value) });
const NO_TOTAL = withText(cellOf(null, 0, 0));
