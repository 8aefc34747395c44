/** Plans an upload of marks before anything is stored. The preview and the command use the same function, so that they cannot disagree. */
import type { Away } from '../../contract/attendance.ts';
import type { Cell } from '../../../events/marks/cell.ts';
import { COVERS_NOTHING, seen, wasToWrite } from '../../../events/marks/cell.ts';
import type { MarkCell, MarkChange } from '../../../events/codec/columnar.ts';
import { toColumns } from '../../../events/codec/columnar.ts';
import { digestOf } from '../../../events/marks/mark-digest.ts';
import type { CellChange, SeenCell, Unmatched } from './uploads.contract.ts';
import type { Value } from '../marks.contract.ts';
import { messages } from '../../contract/limits.ts';
import type { InputError } from '../../contract/problem.ts';
import type { MarkFacts, StudentFact } from '../marks.facts.ts';
import { admissionKey } from '../../students/students.facts.ts';
import type { Actor } from '../../actor.ts';
import { mayWriteSet } from '../../actor.ts';
import type { Refused } from '../../common/command.ts';
import { refuse } from '../../common/command.ts';

/** A row of the file: the school's StudentID, and for each column a mark, whether they were away, or null. */
export type FileRow = { readonly admissionNo: string; readonly name: string; readonly values: readonly (number | Away | null)[] };

/** The cell that a column of the file belongs to, for a student of a set; undefined: the column is ignored. */
export type ColumnOf = (setId: string, column: number) => Column | undefined;
export type Column = {
  readonly cell: MarkCell;
  /** undefined: of attendance */ readonly max?: number;
  /** 'Test 1', 'Q3' */ readonly label: string;
};

export type AboveMaximum = (columns: readonly string[]) => string;

export type PlannedCell = {
  readonly column: number;
  readonly target: Column;
  readonly is: number | Away;
  readonly before: Cell;
  readonly now: readonly Value[];
  readonly change: CellChange;
};
export type PlannedStudent = {
  readonly student: StudentFact;
  /** of the file, from 0 */ readonly row: number;
  /** the name in the file */ readonly named: string;
  readonly cells: readonly PlannedCell[];
};
export type Plan = { readonly students: readonly PlannedStudent[]; readonly unmatched: readonly Unmatched[] };

export const unmatchedOf = ({ offRoll }: Pick<MarkFacts, 'offRoll'>, { admissionNo, name }: Unmatched): Unmatched => ({
  admissionNo,
  name,
  ...(offRoll.has(admissionKey(admissionNo)) ? { offRoll: true } : {}),
});

/** Matches the file's rows to students, and its cells to the stored ones. Refuses either the complete file or nothing. */
export const planUpload = (
  rows: readonly FileRow[],
  columnOf: ColumnOf,
  facts: MarkFacts,
  setIds: ReadonlySet<string> | undefined,
  aboveMaximum: AboveMaximum,
): Plan | Refused => {
  const repeated = repeatedRows(rows);
  if (repeated.length > 0) return refuse('invalid-input', 'A student is listed more than once. Each student may have one row.', repeated);

  const students: PlannedStudent[] = [];
  const unmatched: Unmatched[] = [];
  const above = new AboveMaxima();
  for (const [index, { admissionNo, name, values }] of rows.entries()) {
    const student = facts.byAdmissionKey.get(admissionKey(admissionNo));
    if (!student || (setIds && !setIds.has(student.setId))) {
      unmatched.push(unmatchedOf(facts, { admissionNo, name }));
      continue;
    }
    const cells: PlannedCell[] = [];
    for (const [column, is] of values.entries()) {
      const found = is === null ? undefined : columnOf(student.setId, column);
      if (is === null || !found) continue;
      const target = typeof is === 'number' ? found : attendanceOf(found);
      const { max, label } = target;
      if (max !== undefined && typeof is === 'number' && is > max) {
        above.add(label, `rows.${index}.${column}`, () => messages.markAbove(name || admissionNo, is, label, max));
      }
      const before = facts.cell(target.cell, student.studentId);
      cells.push({ column, target, is, before, now: seen(before), change: kindOfChange(before, is) });
    }
    students.push({ student, row: index, named: name || admissionNo, cells });
  }
  return above.count > 0 ? refuse('above-maximum', aboveMaximum(above.columns), above.listed) : { students, unmatched };
};

const attendanceOf = ({ cell: { testId }, label }: Column): Column => ({ cell: { kind: 'attendance', testId }, label });

/** Marks above their maximum: listed one by one up to a bound that no file of a year group reaches, then counted. */
class AboveMaxima {
  readonly #columns = new Set<string>();
  readonly #listed: InputError[] = [];
  count = 0;

  add(column: string, path: string, message: () => string): void {
    this.#columns.add(column);
    this.count += 1;
    if (this.count <= MOST_LISTED) this.#listed.push({ path, message: message() });
  }

  get columns(): readonly string[] {
    return [...this.#columns].sort(byNumber);
  }

  get listed(): readonly InputError[] {
    const more = this.count - MOST_LISTED;
    return more > 0 ? [...this.#listed, { path: 'rows', message: messages.moreAbove(more) }] : this.#listed;
  }
}

/** 400 students with 50 marks each. A file may hold 250,000, and messages about all of them would be 30 MB. */
const MOST_LISTED = 20_000;

/** Refuses the complete file, naming the students, if it has students of sets in which the actor may not write. */
export const refuseForeignStudents = ({ students }: Plan, facts: MarkFacts, actor: Actor): Refused | undefined => {
  const foreign = students.filter(({ student }) => !mayWriteSet(actor, { setId: student.setId, subjectId: facts.subjectId }));
  if (foreign.length === 0) return undefined;
  return refuse(
    'not-your-set',
    `The file holds ${foreign.length} student(s) of classes that you may not enter marks for. Nothing was uploaded.`,
    // The names are those of the file, so that guessing StudentIDs reveals no name.
    foreign.map(({ student, named }) => ({
      path: `students.${student.admissionNo}`,
      message: `${named} (${facts.sets.get(student.setId)?.name ?? ''})`,
    })),
  );
};

/** The day that the file says, and what the user saw and ticked in the preview; if absent, the current values of the cells. */
export type Seen = {
  readonly saw?: readonly SeenCell[] | undefined;
  readonly decides?: readonly { readonly admissionNo: string; readonly column: number }[] | undefined;
  readonly satOn?: string | undefined;
};

/** The changes of the upload: every cell of the file, or none if it only repeats an upload of its author that still stands. */
export const changesOf = (plan: Plan, { saw, decides, satOn }: Seen, facts: MarkFacts, entry: string): MarkChange[] => {
  if (repeats(plan, facts, { decides, satOn })) return [];
  const at = (admissionNo: string, column: number): string => `${column} ${admissionKey(admissionNo)}`;
  const shown = saw && new Map(saw.map((cell) => [at(cell.admissionNo, cell.column), cell.values]));
  const ticked = new Set(decides?.map((cell) => at(cell.admissionNo, cell.column)));
  return plan.students.flatMap(({ student, cells }) =>
    cells.flatMap(({ column, target, is, before, now }) => {
      const key = at(student.admissionNo, column);
      const sawThere = shown ? (shown.get(key) ?? []) : now;
      // A cell that was contested in the preview is decided only if the user ticked it; otherwise the value joins the others.
      const saw = sawThere.length > 1 && !ticked.has(key) ? COVERS_NOTHING[target.cell.kind] : sawThere;
      const was = wasToWrite(before, { entry, is, was: saw }, target.cell.kind);
      const { cell, max } = target;
      return was ? [{ studentId: student.studentId, cell, is, was, ...(max === undefined ? {} : { max }) }] : [];
    }),
  );
};

/**
 * Whether the file repeats, cell by cell, an upload of the same author that still stands: it is not undone, and each of its values is in its
 * cell. One that decides a contested cell does more, and so does one that says another day than its author said last for these values; one
 * that says no day takes none back. By another author it is agreement.
 */
export const repeats = (
  { students }: Plan,
  { uploads }: Pick<MarkFacts, 'uploads'>,
  { decides = [], satOn }: Pick<Seen, 'decides' | 'satOn'> = {},
): boolean => {
  const standing = uploads.filter(({ undone }) => !undone);
  if (standing.length === 0 || decides.length > 0) return false;
  if (!students.every(({ cells }) => cells.every(({ now, is }) => now.includes(is)))) return false;
  const changes = students.flatMap(({ student, cells }) =>
    cells.map(({ target, is }) => ({ studentId: student.studentId, cell: target.cell, is, was: [] })),
  );
  const digest = digestOf(toColumns(changes));
  const same = standing.filter((upload) => upload.digest === digest);
  return same.length > 0 && (satOn === undefined || same.findLast((upload) => upload.satOn !== null)?.satOn === satOn);
};

const kindOfChange = (before: Cell, is: number | Away): CellChange => {
  const values = seen(before);
  if (values.length > 1) return 'contested';
  const [value] = values;
  if (value === undefined || value === 'cleared') return 'new';
  return value === is ? 'equal' : 'replaced';
};

const repeatedRows = (rows: readonly FileRow[]): InputError[] => {
  const first = new Map<string, number>();
  return rows.flatMap(({ admissionNo, name }, index) => {
    const key = admissionKey(admissionNo);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    return [{ path: `rows.${index}.admissionNo`, message: `${name} (${admissionNo}) is there already in row ${before + 1}` }];
  });
};

const byNumber = (a: string, b: string): number => Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, ''));
