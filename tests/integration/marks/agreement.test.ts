import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RecentUploads, Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Turned } from '../../../api/marks/marks.contract.ts';
import type { Client } from '../../support/client.ts';
import { counts, empty, fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA, admin } = await schoolOfFile('leader', 'teacherA', 'admin');

const { newTest, history, reading, totalsFile, upload, enter } = marksIn(() => school);
const turn = (who: Client, to: 'Undo' | 'Redo', { entryId, commandId }: Uploaded) =>
  who.done<Turned>(`${to}Command`, { entryId, commandId });
const head = () => school.backend.store.head();

describe('two who upload the same', () => {
  test('both stand for it: undoing the first leaves what the second said too, and says whose it is', async () => {
    const testId = await newTest();
    const first = await upload(leader, testId, { A1: [10], A2: [11], A3: [12], A4: [13] });
    const preview = await teacherA.ask<UploadPreview>('preview-totals', totalsFile([testId], { A1: [10], A2: [11], A3: [15] }));
    expect(preview).toMatchObject({ counts: { equal: 2, new: 0, replaced: 1, contested: 0 }, repeats: false });
    const second = await upload(teacherA, testId, { A1: [10], A2: [11], A3: [15] });
    expect(second).toMatchObject({ stored: 1, confirmed: 2, unchanged: 0 });

    expect(await turn(leader, 'Undo', first)).toEqual({
      undone: true,
      cells: 4,
      own: 1,
      shared: 2,
      replaced: 1,
      alsoBy: [{ name: 'teacherA', you: false }],
    });
    expect(await Promise.all(['A1', 'A2', 'A3', 'A4'].map((name) => reading(testId, name)))).toEqual([
      counts(10),
      counts(11),
      counts(15),
      empty,
    ]);
    // What it would do is the same before and after, so that a repeated command gets the same answer.
    expect(await turn(leader, 'Undo', first)).toMatchObject({ undone: true, own: 1, shared: 2, replaced: 1 });
    expect(await turn(leader, 'Redo', first)).toMatchObject({ undone: false, own: 1, shared: 2, replaced: 1 });
    expect(await turn(teacherA, 'Undo', second)).toMatchObject({ own: 1, shared: 2, alsoBy: [{ name: 'leader', you: false }] });
    expect(await Promise.all(['A1', 'A2', 'A3', 'A4'].map((name) => reading(testId, name)))).toEqual([10, 11, 12, 13].map(counts));
  });

  test('the list of uploads says how many were confirmed, and the history who else entered a value', async () => {
    const testId = await newTest();
    await upload(leader, testId, { A1: [10], A2: [11] });
    const { commandId } = await upload(teacherA, testId, { A1: [10], A2: [12] });
    const { uploads } = await teacherA.ask<RecentUploads>('uploads', { subjectId: school.ids.maths });
    expect(uploads.find((one) => one.commandId === commandId)).toMatchObject({ cells: 2, confirmed: 1 });
    const shown = async (name: string) =>
      (await history(testId, name)).changes.map(({ by, agrees, confirmed, head: stands }) => ({ by, agrees, confirmed, head: stands }));
    expect(await shown('A1')).toEqual([
      { by: 'leader', agrees: false, confirmed: true, head: false },
      { by: 'teacherA', agrees: true, confirmed: false, head: true },
    ]);
    expect(await shown('A2')).toEqual([
      { by: 'leader', agrees: false, confirmed: false, head: false },
      { by: 'teacherA', agrees: false, confirmed: false, head: true },
    ]);
  });

  test('the answer to a repeated command is the first one', async () => {
    const testId = await newTest();
    await upload(leader, testId, { A1: [10] });
    const body = { ...totalsFile([testId], { A1: [10], A2: [11] }), fileName };
    const key = randomUUID();
    const first = await teacherA.command('UploadTotals', body, { key });
    expect(first.body.result).toMatchObject({ stored: 1, confirmed: 1, unchanged: 0 });
    expect((await teacherA.command('UploadTotals', body, { key })).body).toEqual(first.body);
  });
});

describe('the same file again', () => {
  test('by the same person writes nothing while the first one stands; after its undo, or where a value has changed, it is stored', async () => {
    const testId = await newTest();
    const file = { A1: [10], A2: [11] };
    const first = await upload(teacherA, testId, file);
    const before = await head();
    expect(await teacherA.ask<UploadPreview>('preview-totals', totalsFile([testId], file))).toMatchObject({ repeats: true });
    expect(await upload(teacherA, testId, file)).toMatchObject({ stored: 0, confirmed: 0, unchanged: 2 });
    expect(await head()).toBe(before);

    await turn(teacherA, 'Undo', first);
    expect(await upload(teacherA, testId, file)).toMatchObject({ stored: 2, confirmed: 0, unchanged: 0 });
    await turn(teacherA, 'Redo', first);
    await upload(leader, testId, { A1: [9] });
    expect(await teacherA.ask<UploadPreview>('preview-totals', totalsFile([testId], file))).toMatchObject({
      repeats: false,
      counts: { equal: 1, replaced: 1 },
    });
    expect(await upload(teacherA, testId, file)).toMatchObject({ stored: 1, confirmed: 1, unchanged: 0 });
    expect(await upload(leader, testId, file)).toMatchObject({ stored: 0, confirmed: 2, unchanged: 0 });
  });
});

describe('in a contested cell', () => {
  test('repeating one of the values, not ticked, decides nothing: the same value counts, and undoing the first leaves the second', async () => {
    const testId = await newTest();
    const first = await upload(leader, testId, { A1: [18] }, { saw: [] });
    await upload(teacherA, testId, { A1: [20] }, { saw: [] });
    const contested = { state: 'contested', value: 18, values: [18, 20] };
    expect(await reading(testId, 'A1')).toEqual(contested);
    await upload(admin, testId, { A1: [18] }, { saw: [{ admissionNo: '00A1', column: 0, values: [18, 20] }] });
    expect(await reading(testId, 'A1')).toEqual(contested);
    expect(await turn(leader, 'Undo', first)).toMatchObject({ own: 0, shared: 1, alsoBy: [{ name: 'admin', you: false }] });
    expect(await reading(testId, 'A1')).toEqual({ state: 'contested', value: 20, values: [20, 18] });
    expect((await history(testId, 'A1')).changes.map(({ was, agrees }) => ({ was, agrees }))).toEqual([
      { was: [], agrees: false },
      { was: [], agrees: false },
      { was: [], agrees: false },
    ]);
  });

  test('so does typing it again without having seen the other', async () => {
    const testId = await newTest();
    await upload(leader, testId, { A1: [18] }, { saw: [] });
    await upload(teacherA, testId, { A1: [20] }, { saw: [] });
    expect(await enter(admin, [{ studentId: school.ids.students['A1'], testId, is: 18, was: [18] }])).toMatchObject({ stored: 1 });
    expect(await reading(testId, 'A1')).toEqual({ state: 'contested', value: 18, values: [18, 20] });
  });
});

test('a second teacher who types the value that stands there has said it too; clearing an empty cell says nothing', async () => {
  const testId = await newTest();
  const studentId = school.ids.students['A1'];
  const save = (who: Client, is: number | 'cleared', was: number[]) => enter(who, [{ studentId, testId, is, was }]);
  expect(await save(leader, 'cleared', [])).toMatchObject({ commandId: null, stored: 0 });
  const { entryId, commandId } = await save(teacherA, 18, []);
  expect(await save(leader, 18, [18])).toMatchObject({ stored: 1 });
  await teacherA.done('UndoCommand', { entryId, commandId });
  expect(await reading(testId, 'A1')).toEqual(counts(18));
  expect(await save(leader, 'cleared', [18])).toMatchObject({ stored: 1 });
  expect(await save(teacherA, 'cleared', [])).toMatchObject({ stored: 1 });
  expect((await history(testId, 'A1')).changes.map(({ is, agrees }) => `${is} ${agrees}`)).toEqual([
    '18 false',
    // The first one is undone, but it was there when the leader entered the same.
    '18 true',
    'cleared false',
    'cleared true',
  ]);
});
