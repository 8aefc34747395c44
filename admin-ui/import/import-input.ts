import type { StudentRow } from '#contract/csv/students';
import type { ImportPreview, importStudents } from '#contract/roster';
import type { z } from 'zod';

export type ImportInput = z.input<typeof importStudents>;
export type Others = 'keep' | 'off-roll' | 'remove';
export type Details = 'file' | 'stored';

/** What somebody has decided about a file. */
export type Decisions = {
  /** The file's name of a set -> the set of the school that it means, where that is called otherwise. */
  readonly matched: Readonly<Record<string, string>>;
  readonly others: Others;
  /** By StudentID: which name and date of birth count, where they differ. */
  readonly details: Readonly<Record<string, Details>>;
};

export const undecided: Decisions = { matched: {}, others: 'keep', details: {} };

/** The command's input, which the preview takes too. */
export const importInput = (
  subjectId: string,
  fileName: string,
  rows: readonly StudentRow[],
  { matched, others, details }: Decisions,
): ImportInput => ({
  subjectId,
  fileName,
  others,
  rows: rows.map(({ admissionNo, name, set, dateOfBirth }) => ({
    admissionNo,
    name,
    set: matched[set] ?? set,
    dateOfBirth,
    ...(details[admissionNo] === undefined ? {} : { details: details[admissionNo] }),
  })),
});

/** What the specification says when a file is in, with what became of everybody. */
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
