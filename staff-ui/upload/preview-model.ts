import type { CellChange, PreviewCell, SeenCell, UploadPreview } from '#contract/marks';
import { count, counted } from '../format.ts';

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

const fits =
  (kept: Kept) =>
  ({ change }: PreviewCell): boolean =>
    kept === 'changes' ? change !== 'equal' : change === kept;

/** The students with a cell of that kind. */
export const studentsWith = ({ students }: UploadPreview, kept: Kept): readonly PreviewStudent[] =>
  kept === 'all' ? students : students.filter(({ cells }) => cells.some(fits(kept)));

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

/** 'This will change 30 marks in 11X1 and add 699.' */
export const inWords = (preview: UploadPreview, noun: 'total' | 'mark'): string => {
  const { replaced, new: added, equal, contested } = preview.counts;
  if (replaced + added + contested === 0) {
    return equal === 0 ? `The file has no ${noun}s for these tests.` : `Nothing would change: ${sameText(equal, noun)}.`;
  }
  const acts = [
    replaced > 0 ? `change ${counted(replaced, noun)}${whereText(preview)}` : undefined,
    added > 0 ? `add ${replaced > 0 ? count(added) : counted(added, noun)}` : undefined,
  ].filter(Boolean);
  return [
    acts.length > 0 ? `This will ${acts.join(' and ')}.` : undefined,
    equal > 0 ? `${firstUpper(sameText(equal, noun))}.` : undefined,
    contested > 0
      ? `${counted(contested, 'cell')} ${contested === 1 ? 'holds' : 'hold'} several values: tick where the file decides.`
      : undefined,
  ]
    .filter(Boolean)
    .join(' ');
};

const sameText = (equal: number, noun: string): string => `${counted(equal, noun)} ${equal === 1 ? 'is' : 'are'} there already`;

const whereText = (preview: UploadPreview): string => {
  const sets = [...new Set(studentsWith(preview, 'replaced').map(({ setName }) => setName))];
  return sets.length === 1 ? ` in ${sets[0]}` : ` in ${sets.length} classes`;
};

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
