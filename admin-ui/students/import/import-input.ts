import { isOffRoll } from '#api/students/off-roll.contract';
import type { StudentRow } from '#api/students/students-file.contract';
import type { ImportPreview, importStudents } from '#api/students/students.contract';
import type { z } from 'zod';

export type ImportInput = z.input<typeof importStudents>;
export type Others = 'keep' | 'off-roll' | 'remove';
export type Details = 'file' | 'stored';

/** The user's decisions about a file. */
export type Decisions = {
  /** The file's name of a set -> the school's set, where the names differ. */
  readonly matched: Readonly<Record<string, string>>;
  readonly others: Others;
  /** By StudentID: which name and date of birth to use, where they differ. */
  readonly details: Readonly<Record<string, Details>>;
};

export const undecided: Decisions = { matched: {}, others: 'keep', details: {} };

/** Whether leaving the page would lose a choice. */
export const isDecided = ({ matched, others, details }: Decisions): boolean =>
  others !== 'keep' || Object.keys(matched).length + Object.keys(details).length > 0;

/** Of so many students on, their removal is confirmed by typing how many they are. */
export const TYPED_FROM = 20;

/** How many the import removes: on roll, and in Off-Roll. */
export const removedBy = ({ others }: Pick<ImportPreview, 'others'>): { readonly students: number; readonly offRoll: number } => {
  const removed = others.filter(({ becomes }) => becomes === 'removed');
  const offRoll = removed.filter(({ set }) => isOffRoll(set)).length;
  return { students: removed.length - offRoll, offRoll };
};

/** How many on roll the import moves off roll because they are not in the file. */
export const movedOffBy = ({ others }: Pick<ImportPreview, 'others'>): number =>
  others.filter(({ becomes, set }) => becomes === 'off-roll' && !isOffRoll(set)).length;

/** What was decided about a name of the file. A set may have the name of something that every object has, such as `constructor`. */
export const decidedFor = <Of>(decided: Readonly<Record<string, Of>>, name: string): Of | undefined =>
  Object.hasOwn(decided, name) ? decided[name] : undefined;

/** The input of the command, and of its preview. */
export const importInput = (
  subjectId: string,
  fileName: string,
  rows: readonly StudentRow[],
  { matched, others, details }: Decisions,
): ImportInput => ({
  subjectId,
  fileName,
  others,
  rows: rows.map(({ admissionNo, name, set, dateOfBirth }) => {
    const which = decidedFor(details, admissionNo);
    return { admissionNo, name, set: decidedFor(matched, set) ?? set, dateOfBirth, ...(which && { details: which }) };
  }),
});

/** The message after an import, with its counts. */
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
