import type { Away } from '#api/contract/attendance';
import { People } from '#api/students/identity.formula';
import type { Layout, Role, Rows, Target } from '../../../../ui/file/layout/target.ts';
import { isNaming, withRole } from '../../../../ui/file/layout/layout.ts';
import type { Column, Pupil } from '../view.ts';

/** The table that something is pasted into: whose rows and what columns it has. */
export type PasteTarget = {
  readonly students: readonly Pupil[];
  readonly columns: readonly Column[];
  readonly people: People<Pupil>;
  /** Whether it says who was there. */
  readonly hasAttendance: boolean;
  readonly layout: Target;
};

/** What a word means that stands in place of a mark. */
export type Meaning = Away | 'blank' | '0';

/** A copied block as it is understood: by itself, and by what its author has said of it since. */
export type Copied = {
  readonly rows: Rows;
  readonly layout: Layout;
  /** The students of rows, by row of the block: as its author says, or by position where nothing names anybody. */
  readonly whose: ReadonlyMap<number, string>;
  readonly leftOut: ReadonlySet<number>;
  readonly words: ReadonlyMap<string, Meaning>;
  /** What had to be assumed, in sentences. */
  readonly assumed: readonly string[];
  /** One column, or one cell: marks, whatever stands in it. */
  readonly isColumn: boolean;
};

type Table = Pick<PasteTarget, 'students' | 'columns'> & { readonly attendanceKeyAt: (row: number) => string | undefined };

export const pasteTargetOf = ({ students, columns, attendanceKeyAt }: Table): PasteTarget => {
  const people = new People(students);
  const values = columns.map(({ name, topic, max }) => ({ name, max, also: topic === undefined ? TOTALS : [topic] }));
  const layout: Target = { roles: ['id', 'name', 'surname', 'first'], values, knows: (text) => people.knows(text) };
  return { students, columns, people, hasAttendance: attendanceKeyAt(0) !== undefined, layout };
};

/** How a column of totals may be headed besides. */
const TOTALS = ['Mark', 'Marks', 'Score', 'Result', 'Points', 'Total mark', 'Total marks', 'Total score', 'Course total'];

/** Before its author has said anything. */
export const unsaid = { whose: new Map<number, string>(), leftOut: new Set<number>(), words: new Map<string, Meaning>() };

/* What the author of a block says of it */

export const withColumn = (copied: Copied, at: number, role: Role, { layout: target }: PasteTarget): Copied => {
  const layout = withRole(copied.rows, copied.layout, at, role, target);
  const isOtherwise = isNaming(layout) !== isNaming(copied.layout);
  return { ...copied, layout, assumed: [], isColumn: false, whose: isOtherwise ? unsaid.whose : copied.whose };
};

/** '': nobody. */
export const withStudent = (copied: Copied, row: number, studentId: string): Copied => {
  const whose = new Map(copied.whose).set(row, studentId);
  return { ...copied, whose, leftOut: new Set([...copied.leftOut].filter((one) => one !== row)) };
};

export const withLeftOut = (copied: Copied, rows: readonly number[], isOut: boolean): Copied => {
  const others = [...copied.leftOut].filter((one) => !rows.includes(one));
  return { ...copied, leftOut: new Set(isOut ? [...others, ...rows] : others) };
};

export const withWords = (copied: Copied, words: readonly string[], meaning: Meaning): Copied => ({
  ...copied,
  words: new Map([...copied.words, ...words.map((word) => [word, meaning] as const)]),
});
