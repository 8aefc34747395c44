import { isAttendance } from '#api/contract/attendance';
import type { Sheet, SheetCell, SheetStudent } from '#api/marks/sheet.contract';
import { messages } from '#api/contract/limits';
import type { Value } from '#api/marks/marks.contract';
import type { How } from '../../grid/table.ts';
import type { SheetKey, MarkDraftState, TextDraft } from '../../../../ui/marks/mark-drafts.ts';
import { attendanceKey, markKey, SAW_NOTHING, totalKey } from '../../../../ui/marks/mark-drafts.ts';

/** A sheet is typed into question by question, or (`total`) one total per student. */
export type Kind = 'marks' | 'total';

export type Question = { readonly id: string; readonly name: string; readonly topic?: string; readonly max: number };

/** The columns that are typed into. */
export const questionsOf = ({ questions, max }: Pick<Sheet, 'questions' | 'max'>, kind: Kind): readonly Question[] =>
  kind === 'total'
    ? [{ id: 'total', name: 'Total', max: max ?? 0 }]
    : questions.map((question) => ({ id: question.questionId, name: `Q${question.number}`, topic: question.topic, max: question.max }));

/** What the server has stored in a cell, in the form of the drafts: as text, and as what somebody who types over it sees. */
export type Stored = {
  readonly text: string;
  readonly saw: string;
  /** undefined: it is a cell of attendance. */
  readonly cell: SheetCell | null | undefined;
  readonly values: readonly Value[] | undefined;
};

export const storedIn = (student: SheetStudent, column: number, kind: Kind): Stored => {
  const cell = kind === 'total' ? student.total : student.cells[column];
  return {
    text: cell?.value === null || cell === null || cell === undefined ? '' : String(cell.value),
    saw: sawText(cell),
    cell,
    values: cell?.values,
  };
};

/** The values of a contested cell, or the one that stands there. A student's own mark is not a value of the staff. */
const sawText = (cell: SheetCell | null | undefined): string => {
  if (!cell) return '';
  if (cell.values) return cell.values.join(' ');
  return cell.value === null || cell.source === 'student' ? '' : String(cell.value);
};

export const attendanceSeen = ({ attendance: { value, values } }: SheetStudent): string => values?.join(' ') ?? value;

const keyIn = (sheetKey: SheetKey, kind: Kind, studentId: string, questionId: string): string =>
  kind === 'total' ? totalKey(sheetKey, studentId) : markKey(sheetKey, studentId, questionId);

/** The draft key of each cell of a sheet, row by row. Made once, because each is long and is asked for at every keystroke. */
export const keysOf = (sheet: Sheet, sheetKey: SheetKey, kind: Kind, questions: readonly Question[]): readonly (readonly string[])[] =>
  sheet.students.map(({ studentId }) => questions.map(({ id }) => keyIn(sheetKey, kind, studentId, id)));

/** All stored cells of a sheet by key of their drafts. */
export const storedByKey = (
  sheet: Sheet,
  sheetKey: SheetKey,
  kind: Kind,
  keys: readonly (readonly string[])[],
): ReadonlyMap<string, Stored> => {
  const all = new Map<string, Stored>();
  for (const [row, student] of sheet.students.entries()) {
    for (const [column, key] of (keys[row] ?? []).entries()) all.set(key, storedIn(student, column, kind));
    if (kind === 'marks')
      all.set(attendanceKey(sheetKey, student.studentId), {
        text: student.attendance.value,
        saw: attendanceSeen(student),
        cell: undefined,
        values: student.attendance.values,
      });
  }
  return all;
};

/** The message for a text that is no mark of a question; undefined: it is one, or empty. A space is not empty. */
export const wrongMark = (text: string, max: number): string | undefined => {
  const typed = text.trim();
  if (text === '') return undefined;
  if (!isWhole(typed)) return messages.manualNotInteger;
  return Number(typed) > max ? messages.manualAbove(max) : undefined;
};

export const isWhole = (text: string): boolean => /^\d+$/u.test(text);

/** Whether a text may wait on the device: marks may, even mistyped ones; names may not. */
export const mayBeKept = (text: string): boolean => text.length <= 12 && !/\p{L}/u.test(text);

export const valueWords = (value: Value): string => (value === 'cleared' ? 'empty' : String(value));

/** What was sent from here is one's own, also before the answer. */
export const isOwn = ({ batches }: Pick<MarkDraftState, 'batches'>, key: string, text: string): boolean =>
  Object.values(batches).some(({ values }) => values[key] === text);

type SheetCells = { readonly stored: ReadonlyMap<string, Stored>; readonly kept: MarkDraftState };

/** Several values stand there, and none is chosen here. */
export const isContested = ({ stored, kept: { drafts } }: SheetCells, key: string): boolean =>
  stored.get(key)?.values !== undefined && !isDecided(drafts[key]);

/** Whether a draft decides between the values that stand there. */
export const isDecided = (draft: TextDraft | undefined): boolean => draft !== undefined && draft.saw !== SAW_NOTHING;

/** Somebody else has entered something since this was typed, which is not stored yet. */
export const isBeside = ({ stored, kept }: SheetCells, key: string): boolean => {
  const [now, draft] = [stored.get(key), kept.drafts[key]];
  return now !== undefined && draft !== undefined && draft.saw !== now.saw && !isOwn(kept, key, now.text);
};

/**
 * The empty cells among `keys` in which nobody has entered anything: a value beside one's own clearing still has to be decided about.
 * `contested`: the cells with several stored values. Few cells are looked at, because this is asked at every keystroke.
 */
export const blanksIn = (sheet: SheetCells, contested: readonly string[], keys: readonly string[]): readonly string[] => {
  const isAsked = (key: string): boolean => isContested(sheet, key) || isBeside(sheet, key);
  const undecided = new Set([...contested, ...Object.keys(sheet.kept.drafts)].filter(isAsked));
  return undecided.size === 0 ? keys : keys.filter((key) => !undecided.has(key));
};

type Sheeted = SheetCells & {
  /** Texts that are shown here alone. */
  readonly mistyped: Readonly<Record<string, string>>;
  /** Whether a text is no mark of a cell. */
  readonly isNoMark: (key: string, text: string) => boolean;
  readonly as: string;
  readonly block?: string;
};
/** What becomes of texts that are typed: kept on the device and saved, shown here alone, or given up. */
export type Taken = {
  readonly kept: Readonly<Record<string, TextDraft>>;
  readonly here: Readonly<Record<string, string>>;
  readonly gone: readonly string[];
};

/**
 * Sorts what is typed into cells. What equals what is shown is said too, whoever said it before. A text that is no mark and might be a name stays on the page: what is stored stays stored. Nor does taking
 * out a mistyped text, to type a digit next, clear the stored mark: only leaving the cell empty does.
 */
export const takenOf = (texts: Readonly<Record<string, string>>, how: How, sheet: Sheeted): Taken => {
  const { stored, kept: before, mistyped, isNoMark, as, block } = sheet;
  const kept: Record<string, TextDraft> = {};
  const here: Record<string, string> = {};
  const gone: string[] = [];
  const going = new Set(Object.values(before.batches).flatMap(({ values }) => Object.keys(values)));
  for (const [key, value] of Object.entries(texts)) {
    const now = stored.get(key);
    // Nothing in an empty cell: there is nothing to store. While somebody types over a student's mark, an empty cell stays empty, for the
    // digit that comes.
    const isTyped = (how === 'begun' || how === 'typed') && now?.text !== '';
    const isNothing = !going.has(key) && value.trim() === '' && now?.saw === '' && !isTyped;
    const isCorrecting = how === 'typed' && value === '' && isNoMark(key, mistyped[key] ?? before.drafts[key]?.value ?? '');
    if (isCorrecting || (!mayBeKept(value) && !isAttendance(value))) here[key] = value;
    if (here[key] !== undefined || isNothing) gone.push(key);
    else if (how === 'block') kept[key] = { value, saw: seenInBlock(sheet, key), as, ...(block === undefined ? {} : { block }) };
    else kept[key] = { value, saw: now?.saw ?? '', as };
  }
  return { kept, here, gone };
};

/** What the author of a block has seen in a cell of it. Nobody looks at each: what other people said beside it is asked about. */
const seenInBlock = (sheet: SheetCells, key: string): string => {
  const [now, draft] = [sheet.stored.get(key), sheet.kept.drafts[key]];
  if (isBeside(sheet, key)) return draft?.saw ?? '';
  return now?.values && draft === undefined ? SAW_NOTHING : (now?.saw ?? '');
};
