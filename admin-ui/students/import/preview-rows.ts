import { dateText } from '#api/contract/dates';
import type { ImportPreview } from '#api/students/students.contract';

/** What may happen to a student, in the order in which it is shown. */
const kinds = {
  missing: 'in sets not known',
  added: 'new',
  moved: 'moved',
  renamed: 'renamed',
  corrected: 'with another StudentID or date of birth',
  'off-roll': 'to Off-Roll',
  removed: 'removed',
  'left-out': 'left out',
  same: 'unchanged',
  kept: 'not in the file, kept',
} as const;
type Kind = keyof typeof kinds;
export type Filter = Kind | 'changes';
const CHANGES: ReadonlySet<Kind> = new Set(['added', 'moved', 'renamed', 'corrected', 'off-roll', 'removed']);

export type Row = {
  readonly key: string;
  /** Who is moved may be renamed as well. */
  readonly kinds: readonly Kind[];
  readonly admissionNo: string;
  readonly name: string;
  readonly dateOfBirth: string | null;
  readonly set: string;
  readonly what: string;
};

/** How many students an import changes, each counted once. */
export const changedIn = (rows: readonly Row[]): number => rows.filter(isChange).length;

/** The rows that a filter leaves: 'changes' also those that nothing is known about yet. */
export const filtered = (rows: readonly Row[], filter: Filter): readonly Row[] =>
  rows.filter((row) => (filter === 'changes' ? isChange(row) || row.kinds.includes('missing') : row.kinds.includes(filter)));

/** '112 changes', '40 new', '60 moved': those of which there are any; the first one always. */
export const filters = (rows: readonly Row[]): readonly { readonly id: Filter; readonly name: string }[] => {
  const changes = changedIn(rows);
  const some = (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const count = filtered(rows, kind).length;
    return count === 0 ? [] : [{ id: kind, name: `${count.toLocaleString('en-GB')} ${kinds[kind]}` }];
  });
  return [{ id: 'changes', name: changes === 1 ? '1 change' : `${changes.toLocaleString('en-GB')} changes` }, ...some];
};

const isChange = (row: Row): boolean => row.kinds.some((kind) => CHANGES.has(kind));

/** One row per student: those of the file in its order, then the others of the subject. */
export const rowsOf = ({ rows, others }: ImportPreview): readonly Row[] => [
  ...rows.map((row): Row => {
    const { admissionNo: inFile, stored, identity } = row;
    const kept = stored?.counts === 'stored' ? stored : row;
    const admissionNo = identity?.number === 'stored' ? (sameStudent(row)?.admissionNo ?? inFile) : inFile;
    return {
      key: `in ${inFile}`,
      kinds: kindsOf(row),
      admissionNo,
      name: kept.name,
      dateOfBirth: kept.dateOfBirth,
      set: row.set,
      what: whatOf(row),
    };
  }),
  ...others.map(({ studentId, becomes, ...student }): Row => {
    const what = { kept: 'Not in the file: stays', 'off-roll': 'Not in the file: to Off-Roll', removed: 'Not in the file: removed' };
    return {
      key: studentId,
      kinds: [becomes],
      admissionNo: student.admissionNo,
      name: student.name,
      dateOfBirth: student.dateOfBirth,
      set: student.set,
      what: what[becomes],
    };
  }),
];

const kindsOf = ({ name, change, stored, identity }: ImportPreview['rows'][number]): readonly Kind[] => {
  const isRenumbered = identity?.number === 'file' && identity.studentId !== null;
  const details =
    stored === null || stored.counts === 'stored' ? [] : [stored.name === name ? ('corrected' as const) : ('renamed' as const)];
  const corrected = details.length === 0 && isRenumbered ? ['corrected' as const] : details;
  const place = change === 'enrolled' ? ('added' as const) : change;
  return place === 'same' && corrected.length > 0 ? corrected : [place, ...corrected];
};

/** Who has the row's StudentID, which is nobody's. */
const sameStudent = ({ identity }: ImportPreview['rows'][number]) =>
  identity?.candidates.find(({ studentId }) => studentId === identity.studentId);

const whatOf = (row: ImportPreview['rows'][number]): string => {
  const { admissionNo, change, from, identity } = row;
  const same = sameStudent(row);
  const place = {
    added: 'New',
    enrolled: 'New in this subject',
    moved: `From ${from ?? ''}`,
    'off-roll': `From ${from ?? ''} to Off-Roll`,
    'left-out': 'Not in this subject: left out',
    same: '',
    missing: 'This set is not known',
  }[change];
  const number = same ? (identity?.number === 'file' ? `StudentID was ${same.admissionNo}` : `${admissionNo} in the file`) : '';
  return [place, number, ...detailsOf(row)].filter((part) => part !== '').join('; ') || 'No change';
};

/** 'Name was Davies, Sam', 'Date of birth was 22/04/2010' */
const detailsOf = ({ name, dateOfBirth, stored }: ImportPreview['rows'][number]): readonly string[] => {
  if (stored === null || stored.counts === 'stored') return [];
  const born = stored.dateOfBirth === null ? 'Date of birth is new' : `Date of birth was ${dateText(stored.dateOfBirth)}`;
  return [...(stored.name === name ? [] : [`Name was ${stored.name}`]), ...(stored.dateOfBirth === dateOfBirth ? [] : [born])];
};
