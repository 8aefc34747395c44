import { isOffRoll } from '#api/students/off-roll.contract';
import type { StudentRow } from '#api/students/students-file.contract';
import type { ImportPreview, importStudents } from '#api/students/students.contract';
import { isAmong } from '#api/contract/names';
import type { Removal } from '../../dialog/RemovalDialog.tsx';
import { counted } from '../../format.ts';
import type { z } from 'zod';

export type ImportInput = z.input<typeof importStudents>;
export type Others = 'keep' | 'off-roll' | 'remove';
export type Details = 'file' | 'stored';
/** Who a row is whose StudentID is nobody's; `number`: which StudentID that student has from now on. */
export type Identity = 'new' | { readonly studentId: string; readonly number: Details };
export type Identities = Readonly<Record<string, Identity>>;

/** The user's decisions about a file. */
export type Decisions = {
  /** The file's name of a set -> the id of the school's set, or 'off-roll', where its author has chosen one. */
  readonly matched: Readonly<Record<string, string>>;
  readonly others: Others;
  /** Whom that is about: year groups, and 'off-roll'. Undefined: the year groups of the file. */
  readonly othersIn: readonly string[] | undefined;
  /** By StudentID: which name and date of birth to use, where they differ. */
  readonly details: Readonly<Record<string, Details>>;
  /** By StudentID: who has one that is nobody's. */
  readonly people: Identities;
  /** Sets of the file that are made with the import. */
  readonly make: readonly Make[];
};
export type Make = NonNullable<ImportInput['make']>[number];

export const undecided: Decisions = { matched: {}, others: 'keep', othersIn: undefined, details: {}, people: {}, make: [] };

/** Whether another file would lose a choice. */
export const isDecided = ({ matched, others, othersIn, details, people, make }: Decisions): boolean =>
  others !== 'keep' ||
  othersIn !== undefined ||
  make.length > 0 ||
  [matched, details, people].some((decided) => Object.keys(decided).length > 0);

/** How many students are on roll, and how many in Off-Roll. */
const onAndOff = (students: readonly { readonly set: string }[]): Removal => {
  const offRoll = students.filter(({ set }) => isOffRoll(set)).length;
  return { students: students.length - offRoll, offRoll };
};

/** How many the import removes. */
export const removedBy = ({ others }: Pick<ImportPreview, 'others'>): Removal =>
  onAndOff(others.filter(({ becomes }) => becomes === 'removed'));

/** '20 students of this subject, and one in Off-Roll already' */
export const notInFile = ({ others }: Pick<ImportPreview, 'others'>): string => {
  const { students, offRoll } = onAndOff(others);
  return `${counted(students, 'student')} of this subject${offRoll === 0 ? '' : `, and ${offRoll.toLocaleString('en-GB')} in Off-Roll already`}.`;
};

/** How many on roll the import moves off roll because they are not in the file. */
export const movedOffBy = ({ others }: Pick<ImportPreview, 'others'>): number =>
  others.filter(({ becomes, set }) => becomes === 'off-roll' && !isOffRoll(set)).length;

/** What was decided about a name of the file. A set may have the name of something that every object has, such as `constructor`. */
export const decidedFor = <Of>(decided: Readonly<Record<string, Of>>, name: string): Of | undefined =>
  Object.hasOwn(decided, name) ? decided[name] : undefined;

/** With who this row is. Nobody is two rows: another one that was said to be the same student is not any more. */
export const identifiedAs = (people: Identities, admissionNo: string, who: Identity): Identities => {
  const isSame = (other: Identity) => other !== 'new' && who !== 'new' && other.studentId === who.studentId;
  return { ...Object.fromEntries(Object.entries(people).filter(([, other]) => !isSame(other))), [admissionNo]: who };
};

/** Rows whose StudentID is nobody's, and whom of the subject they may be. */
export const maybeHere = ({ rows }: Pick<ImportPreview, 'rows'>) =>
  rows.flatMap(({ identity, ...row }) => (identity ? [{ ...row, ...identity }] : []));
export type MaybeHere = ReturnType<typeof maybeHere>[number];

/** Each row as the student who it is taken for, or the only one who fits and is no other row. */
export const allTheSame = (rows: readonly MaybeHere[], number: Details): Identities => {
  const taken = new Set(rows.map(({ studentId }) => studentId));
  return Object.fromEntries(
    rows.flatMap(({ admissionNo, studentId, candidates: [one, another] }) => {
      const is = studentId ?? (one && !another && !taken.has(one.studentId) ? one.studentId : undefined);
      taken.add(is ?? null);
      return is === undefined ? [] : [[admissionNo, { studentId: is, number }]];
    }),
  );
};

/** The input of the command, and of its preview. */
export const importInput = (
  subjectId: string,
  fileName: string,
  rows: readonly StudentRow[],
  { matched, others, othersIn, details, people, make }: Decisions,
): ImportInput => {
  const wanted = rows.flatMap(({ set }) => (decidedFor(matched, set) === undefined ? [set] : []));
  const needed = make.map((sets) => ({ ...sets, names: sets.names.filter((name) => isAmong(wanted, name)) }));
  return {
    subjectId,
    fileName,
    others,
    ...(othersIn && { othersIn: [...othersIn] }),
    sets: Object.entries(matched).map(([name, setId]) => ({ name, setId })),
    make: needed.filter(({ names }) => names.length > 0),
    rows: rows.map(({ admissionNo, name, set, dateOfBirth }) => {
      const which = decidedFor(details, admissionNo);
      const who = decidedFor(people, admissionNo);
      return {
        admissionNo,
        name,
        set,
        dateOfBirth,
        ...(which && { details: which }),
        ...(who && (who === 'new' ? { is: who } : { is: { studentId: who.studentId }, number: who.number })),
      };
    }),
  };
};

/** With the sets that a preview has shown: they are meant whatever they are called when it is sent. What its author has chosen goes first. */
export const meaning = (input: ImportInput, shown: ImportPreview['sets']): ImportInput => {
  const chosen = new Map((input.sets ?? []).map((set) => [set.name, set]));
  for (const { name, setId, called } of shown)
    if (setId !== null && (chosen.get(name)?.setId ?? setId) === setId) chosen.set(name, { name, setId, called });
  return { ...input, sets: [...chosen.values()] };
};

/** The message after an import, with its counts; `changedBy` stands beneath it. */
export const summaryOf = ({ rows, counts, others }: ImportPreview): string => {
  const now = (what: ImportPreview['others'][number]['becomes']): number => others.filter(({ becomes }) => becomes === what).length;
  const of = (what: ImportPreview['rows'][number]['change']): number => rows.filter(({ change }) => change === what).length;
  const [leftOut, offRoll] = [of('left-out'), of('off-roll')];
  return (
    `${rows.length - leftOut} student(s) on import file successfully uploaded: ${counts.added + counts.enrolled} new, ${counts.moved} moved, ` +
    `${offRoll > 0 ? `${offRoll} taken off roll, ` : ''}${counts.corrected} with another name or date of birth. ` +
    `${leftOut > 0 ? `${leftOut} left out: off roll, and not in this subject. ` : ''}Existing students who are not in the file: ${now('kept')} kept in their ` +
    `current groups, ${now('off-roll')} moved off-roll, ${now('removed')} permanently removed.`
  );
};

/** '1 new, 12 changed, 48 as they were': each student on the file once, however much of them has changed. */
export const changedBy = ({ rows }: ImportPreview): string => {
  const what = ({ change, stored, identity }: ImportPreview['rows'][number]): string => {
    if (change === 'left-out') return change;
    if (change === 'added' || change === 'enrolled') return 'new';
    const hasNumber = identity?.number === 'file' && identity.studentId !== null;
    return change === 'same' && stored?.counts !== 'file' && !hasNumber ? 'as they were' : 'changed';
  };
  const counts = Map.groupBy(rows, what);
  return ['new', 'changed', 'as they were'].flatMap((one) => (counts.has(one) ? `${counts.get(one)?.length} ${one}` : [])).join(', ');
};
