import type { CellChange, PreviewCell, SeenCell, UploadPreview } from '#api/marks/upload/uploads.contract';
import { count, counted, some } from '../../format.ts';

export type PreviewStudent = UploadPreview['students'][number];
export type Kept = 'all' | 'changes' | CellChange;

export const cellKey = (admissionNo: string, column: number): string => `${admissionNo} ${column}`;

/** Every value shown in the preview: a cell that changes afterwards becomes contested, never overwritten. */
export const sawOf = ({ students }: UploadPreview): SeenCell[] =>
  students.flatMap(({ admissionNo, cells }) =>
    cells.flatMap(({ column, now }) => (now.length > 0 ? [{ admissionNo, column, values: [...now] }] : [])),
  );

/** The contested cells that the user ticked. */
export const decidesOf = ({ students }: UploadPreview, ticked: ReadonlySet<string>) =>
  students.flatMap(({ admissionNo, cells }) =>
    cells.flatMap(({ column, change }) =>
      change === 'contested' && ticked.has(cellKey(admissionNo, column)) ? [{ admissionNo, column }] : [],
    ),
  );

/** How many cells of a marks file are left without a mark, in rows that hold marks. */
export const blanksIn = ({ students }: UploadPreview): number =>
  students.reduce((sum, { blanks }) => sum + (blanks?.columns.length ?? 0), 0);

/**
 * A preview with those of its blanks that a later one, of the file with 0 in them, still finds without a mark: where somebody has entered one
 * meanwhile, no 0 was asked for.
 */
export const stillBlank = (before: UploadPreview, now: UploadPreview): UploadPreview => {
  const cells = new Map(now.students.map((student) => [student.studentId, student.cells]));
  const isBlank = (studentId: string, column: number): boolean =>
    cells.get(studentId)?.find((cell) => cell.column === column)?.change === 'new';
  return {
    ...before,
    students: before.students.map(({ blanks, ...student }) => {
      const columns = blanks?.columns.filter((column) => isBlank(student.studentId, column)) ?? [];
      return blanks && columns.length > 0 ? { ...student, blanks: { ...blanks, columns } } : student;
    }),
  };
};

/** The rows of a marks file with 0 in the blanks of its preview. */
export const withZeros = <Row extends { readonly marks: readonly (number | null)[] }>(
  rows: readonly Row[],
  { students }: UploadPreview,
): readonly Row[] => {
  const blanks = new Map(students.flatMap((student) => (student.blanks ? [[student.blanks.row, student.blanks.columns] as const] : [])));
  return rows.map((row, at) => {
    const blankColumns = blanks.get(at);
    if (!blankColumns) return row;
    const columns = Math.max(row.marks.length, ...blankColumns.map((column) => column + 1));
    return {
      ...row,
      marks: Array.from({ length: columns }, (_, column) => (blankColumns.includes(column) ? 0 : (row.marks[column] ?? null))),
    };
  });
};

const fits =
  (kept: Kept) =>
  ({ change }: PreviewCell): boolean =>
    kept === 'changes' ? change !== 'equal' : change === kept;

/** The students with a cell of that kind. */
export const studentsWith = ({ students }: UploadPreview, kept: Kept): readonly PreviewStudent[] =>
  kept === 'all' ? students : students.filter(({ cells }) => cells.some(fits(kept)));

/** First those of whom somebody else's value would change, then those with something new; otherwise as in the file. */
export const changesFirst = (students: readonly PreviewStudent[]): readonly PreviewStudent[] => {
  const place = ({ cells }: PreviewStudent) => Math.min(...cells.map(({ change }) => PLACES[change]), PLACES.equal);
  return students.toSorted((a, b) => place(a) - place(b));
};
const PLACES: Readonly<Record<CellChange, number>> = { contested: 0, replaced: 1, new: 2, equal: 3 };

/** The filters that would show some but not all students, with their counts. */
export const filtersOf = (preview: UploadPreview): readonly { readonly kept: Kept; readonly name: string; readonly students: number }[] => {
  const filters: readonly { readonly kept: Kept; readonly name: string }[] = [
    { kept: 'changes', name: 'Only changes' },
    { kept: 'replaced', name: 'Replaced' },
    { kept: 'new', name: 'New' },
    { kept: 'contested', name: 'Several values' },
  ];
  const all = preview.students.length;
  const found = filters.map((filter) => ({ ...filter, students: studentsWith(preview, filter.kept).length }));
  const changes = found.find(({ kept }) => kept === 'changes')?.students;
  return [
    { kept: 'all', name: 'All students', students: all },
    ...found.filter(({ kept, students }) => kept === 'changes' || (students > 0 && students < all && students !== changes)),
  ];
};

/** How many cells the upload would write. */
export const writtenBy = ({ counts: { replaced, new: added, equal, contested }, repeats }: UploadPreview): number =>
  repeats ? 0 : replaced + added + equal + contested;

/** 'This will change 30 marks in 11X1, add 699 and confirm 2 that are there already.' */
export const inWords = (preview: UploadPreview, noun: 'total' | 'mark'): string => {
  const { replaced, new: added, equal, contested } = preview.counts;
  if (preview.repeats) return 'Nothing would change: you have uploaded the same before, and all of it still counts.';
  if (writtenBy(preview) === 0) return `The file has no ${noun}s for these tests.`;
  const parts = [
    replaced > 0 ? `change ${counted(replaced, noun)}${whereText(preview)}` : undefined,
    added > 0 ? `add ${replaced > 0 ? count(added) : counted(added, noun)}` : undefined,
    equal > 0
      ? `confirm ${replaced + added > 0 ? count(equal) : counted(equal, noun)} that ${equal === 1 ? 'is' : 'are'} there already`
      : undefined,
  ].filter((act) => act !== undefined);
  return [
    parts.length > 0 ? `This will ${some(parts)}.` : undefined,
    contested > 0
      ? `${counted(contested, 'cell')} ${contested === 1 ? 'holds' : 'hold'} several values: tick where the file decides.`
      : undefined,
  ]
    .filter(Boolean)
    .join(' ');
};

const whereText = (preview: UploadPreview): string => {
  const sets = [...new Set(studentsWith(preview, 'replaced').map(({ setName }) => setName))];
  return sets.length === 1 ? ` in ${sets[0]}` : ` in ${sets.length} classes`;
};
