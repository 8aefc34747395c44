import { expect, test } from 'vitest';
import type { SatOn } from '../../../api/school/sets/sets.contract.ts';
import type { RecentUploads, Uploaded } from '../../../api/marks/upload/uploads.contract.ts';
import type { Client } from '../../support/client.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, teacherA } = await schoolOfFile('admin', 'leader', 'teacherA');

const { newTest, totalsFile, marksFile, upload, enter, history, refused } = marksIn(() => school);

const datesOf = (testId: string, set: 'setA' | 'setB' = 'setA', who = leader) =>
  who.ask<SatOn>('sat-on', { setId: school.ids[set], testId });
const turn = (who: Client, to: 'Undo' | 'Redo', { entryId, commandId }: Pick<Uploaded, 'entryId' | 'commandId'>) =>
  who.done(`${to}Command`, { entryId, commandId });
const on = (satOn: string, by: string) => ({ satOn, fileName, by });

test('a set sat it on the day that is said for the set, else on that of the upload whose totals count, else on the day of its first mark', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A1: [5] });
  expect(await datesOf(testId)).toMatchObject({ satOn: null, upload: null });

  // The same file once more, but now it says the day: that is stored.
  const dated = await upload(leader, testId, { A1: [5] }, { satOn: '2026-01-10' });
  expect(dated).toMatchObject({ stored: 0, confirmed: 1 });
  expect(await datesOf(testId, 'setA', teacherA)).toMatchObject({ satOn: null, upload: on('2026-01-10', 'leader') });
  expect((await datesOf(testId)).firstMark).not.toBeNull();
  expect(await datesOf(testId, 'setB')).toMatchObject({ upload: null, firstMark: null });

  const [subjectId, setId] = [school.ids.maths, school.ids.setA];
  // The list of uploads and the history of a total say it of the upload that said it.
  const { uploads } = await leader.ask<RecentUploads>('uploads', { subjectId });
  expect(uploads.slice(0, 2).map((one) => one.satOn)).toEqual(['2026-01-10', null]);
  expect((await history(testId, 'A1')).changes.map((one) => one.satOn)).toEqual([null, '2026-01-10']);
  await teacherA.done('DateAssessment', { subjectId, setId, testId, satOn: '2026-01-12', was: null });
  expect(await datesOf(testId)).toMatchObject({ satOn: '2026-01-12', upload: on('2026-01-10', 'leader') });

  await turn(leader, 'Undo', dated);
  expect(await datesOf(testId)).toMatchObject({ satOn: '2026-01-12', upload: null });
  await turn(leader, 'Redo', dated);
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
});

test('of several uploads the one whose totals count for most says the day, and of those the latest', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A1: [1], A2: [2] }, { satOn: '2026-01-10' });
  const second = await upload(teacherA, testId, { A3: [3], A4: [4] }, { satOn: '2026-01-12' });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-12', 'teacherA'));

  // Somebody third who corrects one of them takes that total from that upload, and says no day.
  const corrected = await upload(admin, testId, { A3: [7] });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
  await turn(admin, 'Undo', corrected);
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-12', 'teacherA'));
  await turn(teacherA, 'Undo', second);
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
});

test('whoever confirms a total without a day leaves the day alone; with another day the later one stands', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A1: [5], A2: [6] }, { satOn: '2026-01-10' });
  await upload(teacherA, testId, { A1: [5], A2: [6] });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
  const other = await upload(leader, testId, { A1: [5], A2: [6] }, { satOn: '2026-01-11' });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-11', 'leader'));
  const repeated = await upload(leader, testId, { A1: [5], A2: [6] }, { satOn: '2026-01-11' });
  expect(repeated).toMatchObject({ stored: 0, confirmed: 0, unchanged: 2 });
  await turn(leader, 'Undo', other);
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
});

test('an upload of marks says the day of those who have no other total', async () => {
  const testId = await newTest();
  await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, 4, 3], A2: [1, 2, 2] }), fileName, satOn: '2026-01-10' });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'teacherA'));
  await upload(leader, testId, { A1: [12] }, { satOn: '2026-01-09' });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-09', 'leader'));
  await enter(teacherA, [{ studentId: school.ids.students['A1'], testId, is: 13 }]);
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'teacherA'));
});

test('a student who moves takes the day of the total along', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A4: [5] }, { satOn: '2026-01-10' });
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
  const move = (set: 'setA' | 'setB') =>
    admin.done('ChangeStudents', {
      subjectId: school.ids.maths,
      changes: [{ studentId: school.ids.students['A4'], place: { setId: school.ids[set] } }],
    });
  await move('setB');
  expect((await datesOf(testId)).upload).toBeNull();
  expect((await datesOf(testId, 'setB')).upload).toEqual(on('2026-01-10', 'leader'));
  await move('setA');
  expect((await datesOf(testId)).upload).toEqual(on('2026-01-10', 'leader'));
});

test('a day that cannot be is refused with the whole file, in the preview too', async () => {
  const testId = await newTest();
  const future = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
  for (const [kind, file] of [
    ['totals', totalsFile([testId], { A1: [5] })],
    ['marks', marksFile(testId, { A1: [5] })],
  ] as const) {
    expect(await refused(leader, kind, { ...file, satOn: future })).toMatchObject({
      title: 'The date must not be in the future.',
      errors: [{ path: 'satOn' }],
    });
    expect(await refused(leader, kind, { ...file, satOn: '2026-02-30' })).toMatchObject({
      errors: [{ path: 'satOn', message: 'There is no such day. A date is written as 2026-01-31.' }],
    });
  }
});
