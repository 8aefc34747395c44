import { expect, test } from 'vitest';
import type { Sheet, SheetCell, SheetStudent } from '../../../api/marks/sheet.contract.ts';
import type { Kind } from '../../../staff-ui/marks/sheet/model/cells.ts';
import { sheetView, storedSheet, typedSheet } from '../../../staff-ui/marks/sheet/model/sheet-view.ts';
import { attendanceWords } from '../../../staff-ui/marks/sheet/useAttendanceNotice.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';
import type { MarksInput, TextDraft } from '../../../ui/marks/mark-drafts.ts';
import { attendanceKey, markKey, sawOf, totalKey } from '../../../ui/marks/mark-drafts.ts';

const SHEET = { subjectId: 's', setId: 'x', testId: 't' };
const key = (student: string, question: 1 | 2) => markKey(SHEET, student, `q${question}`);
const at = (row: number, column: number) => ({ row, column });

const cell = (value: number | null, more: Partial<SheetCell> = {}): SheetCell => ({ value, source: 'staff', ...more });

const student = (name: string, cells: SheetStudent['cells'], more: Partial<SheetStudent> = {}): SheetStudent => ({
  studentId: name.toLowerCase(),
  name,
  admissionNo: null,
  setId: 'x',
  attendance: { value: 'sat' },
  total: null,
  staffTotal: null,
  marks: { sum: 0, count: 0 },
  effective: { sum: 0, count: 0 },
  cells,
  ...more,
});

/** Two questions, out of 4 and 6. */
const sheetOf = (...students: readonly SheetStudent[]): Sheet => ({
  version: '1',
  testId: 't',
  name: 'Mock 1',
  subjectId: 's',
  max: 10,
  mayWrite: true,
  sets: [{ setId: 'x', name: '11X1', mayWrite: true }],
  questions: [
    { questionId: 'q1', number: 1, topic: 'Ratio', max: 4 },
    { questionId: 'q2', number: 2, topic: 'Surds', max: 6 },
  ],
  students: [...students],
});

type When = { readonly typed?: Readonly<Record<string, TextDraft>>; readonly mistyped?: Readonly<Record<string, string>> };

const given = (sheet: Sheet, kind: Kind = 'marks') => ({
  async when({ typed = {}, mistyped = {} }: When = {}) {
    const drafts = new DraftStore(memoryStorage<string, string, MarksInput>()(), { sawOf });
    drafts.open();
    await expect.poll(() => drafts.seen().isOpen).toBe(true);
    drafts.type(typed);
    const seen = drafts.seen();
    return sheetView(typedSheet(storedSheet(sheet, SHEET, kind), seen.drafts, mistyped), seen);
  },
});

test('what is typed counts before it is stored: in the sum of its row, the mean of its column and who is complete', async () => {
  const sheet = sheetOf(
    student('Anna', [cell(2), null], { total: cell(9) }),
    student('Ben', [cell(4), cell(3)]),
    student('Cleo', [null, null], { attendance: { value: 'absent' } }),
  );
  const stored = await given(sheet).when();
  expect(stored.rows.map(({ tail }) => tail.map(({ text }) => text))).toEqual([
    ['2', '9', '−7'],
    ['7', '', ''],
    ['', '', ''],
  ]);
  expect(stored.means).toEqual(['3.0', '3.0']);
  expect([stored.progress, stored.firstEmpty, stored.blanks]).toEqual([{ done: 1, begun: 2, of: 2 }, at(0, 1), [key('anna', 2)]]);

  const typed = await given(sheet).when({ typed: { [key('anna', 2)]: { value: '6', saw: '' } } });
  expect(typed.rows[0]?.tail.map(({ text }) => text)).toEqual(['8', '9', '−1']);
  expect(typed.means).toEqual(['3.0', '4.5']);
  expect([typed.progress, typed.blanks, typed.waiting, typed.isValid]).toEqual([{ done: 2, begun: 2, of: 2 }, [], [key('anna', 2)], true]);
  expect(typed.cellAt(at(0, 1))).toMatchObject({ text: '6', status: 'changed' });
});

test('what somebody else enters meanwhile is a conflict, the same mark is none', async () => {
  const typed = { [key('anna', 1)]: { value: '3', saw: '' } };
  const other = await given(sheetOf(student('Anna', [cell(1), null]))).when({ typed });
  expect(other.cellAt(at(0, 0))).toMatchObject({ text: '3', status: 'conflict', note: 'changed to 1 meanwhile' });
  const same = await given(sheetOf(student('Anna', [cell(3), null]))).when({ typed });
  expect(same.cellAt(at(0, 0))).toMatchObject({ text: '3', status: 'changed', note: undefined });
});

test('a cell with several values asks, until one of them is typed; what the student says stands beside it', async () => {
  const sheet = sheetOf(student('Anna', [cell(1, { values: [1, 3], student: 4 }), cell(5, { source: 'student' })]));
  const asked = await given(sheet).when();
  expect(asked.contested).toEqual([key('anna', 1)]);
  expect(asked.cellAt(at(0, 0), 'just entered by Ms Hill')).toMatchObject({
    isContested: true,
    isNew: true,
    note: 'entered: 1 and 3; just entered by Ms Hill; the student says 4',
  });
  expect(asked.cellAt(at(0, 1))).toMatchObject({ text: '5', isStudents: true, isNew: false });
  const decided = await given(sheet).when({ typed: { [key('anna', 1)]: { value: '3', saw: '1 3' } } });
  expect([decided.contested, decided.cellAt(at(0, 0)).isContested]).toEqual([[], false]);
});

test('a mark above the maximum waits and says whose it is; a text that may be a name is shown and is no mark either', async () => {
  const sheet = sheetOf(student('Anna', [cell(2), null]));
  const above = await given(sheet).when({ typed: { [key('anna', 2)]: { value: '7', saw: '' } } });
  expect([above.isValid, above.wrong]).toEqual([false, [key('anna', 2)]]);
  expect(above.reasonOf(key('anna', 2))).toBe(above.cellAt(at(0, 1)).wrong);
  expect(above.reasonOf(key('anna', 2))).toMatch(/^Anna.*7.*Q2.*6/u);
  const name = await given(sheet).when({ mistyped: { [key('anna', 1)]: 'Lee' } });
  expect(name.cellAt(at(0, 0))).toMatchObject({ text: 'Lee', status: 'changed' });
  expect(name.reasonOf(key('anna', 1))).toMatch(/^Anna, Q1: Lee\. /u);
  expect(name.rows[0]?.tail[0]?.text).toBe('');
});

test('who is absent is known by what is typed, and so is whether people disagree about it', async () => {
  const attendance = { value: 'sat' as const, values: ['sat' as const, 'absent' as const] };
  const sheet = sheetOf(student('Anna', [cell(2), null], { total: cell(9) }), student('Ben', [cell(1), null], { attendance }));
  const view = await given(sheet).when({ typed: { [attendanceKey(SHEET, 'anna')]: { value: 'exempt', saw: 'sat' } } });
  expect(view.rows.map(({ sign }) => sign?.words)).toEqual(['exempt', 'attendance: sat or absent']);
  expect(view.awayIn([key('anna', 1), key('anna', 2), key('ben', 1)])).toEqual([attendanceKey(SHEET, 'anna')]);
  // Their total is struck, as it does not count.
  expect(view.rows.map(({ tail }) => tail.map(({ tone }) => tone))).toEqual([
    ['struck', 'struck', undefined],
    ['quiet', 'quiet', undefined],
  ]);
  expect([view.isAttendanceContested(0), view.isAttendanceContested(1)]).toEqual([false, true]);
});

test('a mark whose student has left the class stays, beside the sheet', async () => {
  const typed = {
    [key('anna', 1)]: { value: '2', saw: '' },
    [key('dora', 1)]: { value: '3', saw: '' },
    [totalKey(SHEET, 'dora')]: { value: '8', saw: '' },
  };
  const view = await given(sheetOf(student('Anna', [null, null]))).when({ typed });
  expect([view.waiting, view.homeless]).toEqual([
    [key('anna', 1)],
    [{ key: key('dora', 1), name: undefined, value: '3', reason: undefined }],
  ]);
});

test('totals have one column, with the sum of the question marks beside it', async () => {
  const sheet = sheetOf(student('Lee, Kay', [cell(2), cell(3)], { total: cell(6), marks: { sum: 5, count: 2 } }));
  const view = await given(sheet, 'total').when();
  expect(view.columns.map(({ name, max }) => [name, max])).toEqual([['Total', 10]]);
  expect([view.cellAt(at(0, 0)).text, view.rows[0]?.tail.map(({ text }) => text)]).toEqual(['6', ['5']]);
});

test('of several students it is said at once what their attendance changes for how many totals', async () => {
  const complete = student('Anna', [cell(2), cell(3)]);
  const sheet = sheetOf(complete, student('Ben', [cell(1), null], { total: cell(9) }), student('Cleo', [cell(1), null]));
  const { totalAt } = await given(sheet).when();
  const words = (from: string, to: string, rows: readonly number[]) =>
    attendanceWords(rows.map((row) => ({ name: sheet.students[row]?.name ?? '', from, to, total: totalAt(row) })));
  expect(words('sat', 'absent', [0, 1, 2])).toBe('3 students are absent: 2 totals no longer count.');
  expect(words('absent', 'exempt', [0])).toBe('Anna is exempt: the total of 5 still does not count.');
  expect(words('exempt', 'sat', [0, 1])).toBe('2 students sat it: 2 totals count again.');
  expect(words('sat', 'absent', [2])).toBe('Cleo is absent.');
  expect(words('sat', 'absent', [])).toBeUndefined();
});
