import type { EnterMarks, Markbook } from '#api/marks/marks.contract';
import { messages } from '#api/contract/limits';
import { count, counted } from '../format.ts';

type Cells = EnterMarks['cells'];

/** One student's field: the stored total. */
export type EntryRow = {
  readonly studentId: string;
  readonly name: string;
  /** The teacher's total; empty: none. */
  readonly stored: string;
  /** A remark on the stored value, such as several values or absence. */
  readonly note: string | undefined;
};

/** The students of a class by name, with their totals of a test. */
export const rowsOf = (
  { students, tests }: Markbook,
  setId: string,
  testId: string,
  inOrder: (a: string, b: string) => number,
): readonly EntryRow[] => {
  const column = tests.findIndex((test) => test.testId === testId);
  return students
    .filter((student) => student.setId === setId)
    .map(({ studentId, name, totals }) => {
      const total = totals[column];
      return { studentId, name: name ?? 'Forgotten student', stored: storedText(total), note: noteOf(total) };
    })
    .toSorted((a, b) => inOrder(a.name, b.name));
};

type Total = Markbook['students'][number]['totals'][number] | undefined;

/** A sum of question marks is shown beside the field, not in it: nobody entered it as a total. */
const storedText = (total: Total): string => (total?.source === 'total' && total.total !== null ? String(total.total) : '');

const noteOf = (total: Total): string | undefined => {
  if (total?.contested) return 'several values: the earliest is shown';
  if (total?.attendance === 'absent' || total?.attendance === 'exempt') return total.attendance;
  return total?.source === 'marks' ? `question marks: ${total.total}` : undefined;
};

/** The specification's message for invalid text; undefined: valid. */
export const errorOf = (text: string, max: number): string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (!/^\d{1,9}$/u.test(typed)) return messages.manualNotInteger;
  return Number(typed) > max ? messages.manualAbove(max) : undefined;
};

/** The typed text by student, and what was stored when typing began. */
export type TypedOver = { readonly typed: Readonly<Record<string, string>>; readonly saw: Readonly<Record<string, string>> };

export const overOf = (drafts: Readonly<Record<string, { readonly value: string; readonly saw: string }>>): TypedOver => ({
  typed: Object.fromEntries(Object.entries(drafts).map(([studentId, { value }]) => [studentId, value])),
  saw: Object.fromEntries(Object.entries(drafts).map(([studentId, { saw }]) => [studentId, saw])),
});

/**
 * The cells that were typed into, each with the value that its author saw, not what somebody else stored while he typed. The value that is
 * there counts as typed too: it then stands for this author as well.
 */
export const cellsOf = (rows: readonly EntryRow[], { typed, saw }: TypedOver, testId: string): Cells =>
  rows.flatMap(({ studentId, stored }) => {
    const text = typed[studentId]?.trim();
    if (text === undefined) return [];
    const seen = saw[studentId] ?? stored;
    return [{ studentId, testId, is: text === '' ? ('cleared' as const) : Number(text), was: seen === '' ? [] : [Number(seen)] }];
  });

/** '2 totals changed, 1 entered again': what a submission would do. */
export const changesInWords = (rows: readonly EntryRow[], cells: Cells): string => {
  const stored = new Map(rows.map((row) => [row.studentId, row.stored]));
  const again = cells.filter(({ studentId, is }) => stored.get(studentId) === (is === 'cleared' ? '' : String(is))).length;
  const changed = cells.length - again;
  if (again === 0) return `${counted(changed, 'total')} changed`;
  return changed === 0 ? `${counted(again, 'total')} entered again` : `${counted(changed, 'total')} changed, ${count(again)} entered again`;
};

/** What happened to the stored value of a field since typing began; undefined: nothing. */
export const meanwhile = ({ studentId, stored }: Pick<EntryRow, 'studentId' | 'stored'>, { typed, saw }: TypedOver): string | undefined => {
  const seen = saw[studentId];
  if (seen === undefined || seen === stored || typed[studentId]?.trim() === stored) return undefined;
  return stored === '' ? 'emptied meanwhile' : `changed to ${stored} meanwhile`;
};
