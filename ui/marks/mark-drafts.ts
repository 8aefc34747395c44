import { isAttendance } from '#api/contract/attendance';
import type { EnterMarks, Value } from '#api/marks/marks.contract';
import { indexedDbStorage, inTurn } from '../drafts/indexeddb-storage.ts';
import type { Batch, Draft, DraftState } from '../drafts/drafts.ts';
import { DraftStore } from '../drafts/store.ts';

/** A class and a test of a subject: what a sheet is about. */
export type SheetKey = { readonly subjectId: string; readonly setId: string; readonly testId: string };

/**
 * What is sent for a sheet, besides its idempotency key: the same each time, even after a reload. `as`: as whom its author viewed the sheet
 * (X-View-As; '': as themselves). Permanent, and so are the fields of a draft and a batch: they are kept by the browser.
 */
export type MarksInput = Pick<EnterMarks, 'entryId' | 'subjectId' | 'seq' | 'cells'> & { readonly typedAt: string; readonly as?: string };

/**
 * A cell as text, as it is typed: a mark, nothing, or the word of an attendance. What was seen in it: each value, with spaces between;
 * nothing: it was empty.
 */
export type TextDraft = Draft<string, string>;
/** What was seen by whoever pasted a block over a contested cell: what they say stands beside its values, and decides nothing. */
export const SAW_NOTHING = 'sat';
export type MarkDrafts = DraftStore<string, string, MarksInput>;
export type MarksBatch = Batch<string, MarksInput>;
export type MarkDraftState = DraftState<string, string, MarksInput>;

/** Marks that one user has typed and the server has not stored yet, as text by cell: ids and marks, no names. */
export const openMarkDrafts = (accountId: string): MarkDrafts =>
  new DraftStore(indexedDbStorage<string, string, MarksInput>(accountId), { sawOf, inTurn });

/** 018 is shown as 18 once it is stored. */
export const sawOf = (text: string): string => {
  const typed = text.trim();
  return isWhole(typed) ? String(Number(typed)) : typed;
};

const isWhole = (text: string): boolean => /^\d{1,9}$/u.test(text);

/** `total`: typed and submitted. `mark`, `attendance`: in a sheet, which saves automatically. Permanent: drafts outlast an upgrade. */
type Kind = 'total' | 'mark' | 'attendance';

/** The key of a total among the drafts. */
export const totalKey = (sheetKey: SheetKey, studentId: string): string => keyOf('total', sheetKey, studentId);
export const markKey = (sheetKey: SheetKey, studentId: string, questionId: string): string =>
  `${keyOf('mark', sheetKey, studentId)} ${questionId}`;
export const attendanceKey = (sheetKey: SheetKey, studentId: string): string => keyOf('attendance', sheetKey, studentId);

const keyOf = (kind: Kind, { subjectId, setId, testId }: SheetKey, studentId: string): string =>
  `${kind} ${subjectId} ${setId} ${testId} ${studentId}`;

export type TypedCell = { readonly kind: Kind; readonly sheetKey: SheetKey; readonly studentId: string; readonly questionId?: string };

/** The cell that a key belongs to; undefined: it is of another kind. Remembered, because each key of a pasted class is asked for many times. */
export const cellIn = (key: string): TypedCell | undefined => {
  if (parsedCells.has(key)) return parsedCells.get(key);
  const cell = parsed(key);
  if (parsedCells.size >= MOST_PARSED) parsedCells.clear();
  parsedCells.set(key, cell);
  return cell;
};

const parsedCells = new Map<string, TypedCell | undefined>();
const MOST_PARSED = 20_000;

const parsed = (key: string): TypedCell | undefined => {
  const [kind, subjectId, setId, testId, studentId, questionId] = key.split(' ');
  if (!subjectId || !setId || !testId || !studentId) return undefined;
  const sheetKey = { subjectId, setId, testId };
  if (kind === 'mark') return questionId ? { kind, sheetKey, studentId, questionId } : undefined;
  return kind === 'total' || kind === 'attendance' ? { kind, sheetKey, studentId } : undefined;
};

/** A draft as it is sent, with the values that its author saw; undefined: what is typed is no mark. */
export const sentCell = (key: string, { value, saw }: TextDraft): EnterMarks['cells'][number] | undefined => {
  const cell = cellIn(key);
  const is = value !== '' && value.trim() === '' ? undefined : valueOf(value.trim());
  const isMark = typeof is === 'number' || is === 'cleared';
  if (!cell || is === undefined || isMark === (cell.kind === 'attendance')) return undefined;
  return {
    studentId: cell.studentId,
    testId: cell.sheetKey.testId,
    ...(cell.questionId === undefined ? {} : { questionId: cell.questionId }),
    ...(cell.kind === 'attendance' ? { attendance: true } : {}),
    is,
    was: saw.split(' ').flatMap((text) => (text === '' ? [] : (valueOf(text) ?? []))),
  };
};

const valueOf = (text: string): Value | undefined => {
  if (text === '' || text === 'cleared') return 'cleared';
  if (isAttendance(text)) return text;
  return isWhole(text) ? Number(text) : undefined;
};

export const isSameSheet = (one: SheetKey, other: SheetKey): boolean =>
  one.subjectId === other.subjectId && one.setId === other.setId && one.testId === other.testId;

/** Whether a batch of the sheet is on its way. */
const isSaving = ({ batches }: MarkDraftState, sheetKey: SheetKey): boolean =>
  Object.values(batches).some(
    ({ uncertain, values }) =>
      !uncertain &&
      Object.keys(values).some((key) => {
        const cell = cellIn(key);
        return cell !== undefined && isSameSheet(cell.sheetKey, sheetKey);
      }),
  );

/** What is typed into a sheet and not stored. */
export type WaitingSheet = { readonly sheetKey: SheetKey; readonly kind: 'total' | 'mark'; readonly keys: readonly string[] };

/** The sheets with totals that nobody has submitted, or marks that are not stored yet. Totals on their way are left out. */
export const waitingSheets = (kept: MarkDraftState): readonly WaitingSheet[] => {
  const sheets = new Map<string, { readonly sheetKey: SheetKey; readonly kind: WaitingSheet['kind']; readonly keys: string[] }>();
  for (const key of Object.keys(kept.drafts)) {
    const cell = cellIn(key);
    if (!cell) continue;
    const kind = cell.kind === 'total' ? 'total' : 'mark';
    const place = keyOf(kind, cell.sheetKey, '');
    const sheet = sheets.get(place);
    if (sheet) sheet.keys.push(key);
    else sheets.set(place, { sheetKey: cell.sheetKey, kind, keys: [key] });
  }
  return [...sheets.values()].filter(({ sheetKey, kind }) => kind === 'mark' || !isSaving(kept, sheetKey));
};
