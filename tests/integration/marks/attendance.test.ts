import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CellHistory, Markbook } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { Client } from '../../support/client.ts';
import { counts, empty, marksIn } from '../../support/marks.ts';
import { admissionNo } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');

const { newTest, marksFile, totalInMarkbook, enter } = marksIn(() => school);

type Attendance = 'sat' | 'absent' | 'exempt' | 'cleared';
/** Says it of several students at once, in a sitting of its own. `was`: what the author saw. */
const say = (who: Client, testId: string, is: Attendance | number, shorts: readonly string[], was?: readonly Attendance[]) =>
  enter(
    who,
    shorts.map((short) => ({ studentId: school.ids.students[short], testId, attendance: true, is, ...(was ? { was } : {}) })),
  );
const ofSheet = async (testId: string, short: string, who = teacherA) => {
  const { students } = await who.ask<Sheet>('sheet', { testId, setId: school.ids.setA });
  return students.find((one) => one.admissionNo === admissionNo(short))!;
};
const historyOf = (testId: string, short: string) =>
  leader.ask<CellHistory>('cell', { testId, studentId: school.ids.students[short], attendance: 'true' });
const countOf = async (testId: string) => {
  const { tests } = await leader.ask<Markbook>('markbook', { yearGroupId: school.ids.year });
  return tests.find((one) => one.testId === testId);
};

describe('attendance', () => {
  test('of a selection is one save: the marks are kept and do not count, and one undo brings all of them back', async () => {
    const testId = await newTest();
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, 10, 5], A2: [1, 1, 1], A3: [2, 2, 2] }), fileName: 'marks.csv' });
    expect(await countOf(testId)).toMatchObject({ count: 3, mean: 29 / 3 });

    const { entryId, commandId } = await say(teacherA, testId, 'absent', ['A1', 'A2']);
    expect(await ofSheet(testId, 'A1')).toMatchObject({
      attendance: { value: 'absent' },
      staffTotal: null,
      marks: { sum: 20, count: 3 },
      cells: [{ value: 5 }, { value: 10 }, { value: 5 }],
    });
    expect(await totalInMarkbook(testId, 'A2')).toMatchObject({ total: null, attendance: 'absent' });
    expect(await countOf(testId)).toMatchObject({ count: 1, mean: 6 });

    await teacherA.done('UndoCommand', { entryId, commandId });
    expect(await ofSheet(testId, 'A1')).toMatchObject({ attendance: { value: 'sat' }, staffTotal: 20 });
    expect(await countOf(testId)).toMatchObject({ count: 3, mean: 29 / 3 });
    await teacherA.done('RedoCommand', { entryId, commandId });
    expect(await totalInMarkbook(testId, 'A2')).toMatchObject({ total: null, attendance: 'absent' });
  });

  test('marks that are typed for an absent student are kept until they have sat', async () => {
    const testId = await newTest();
    await say(teacherA, testId, 'exempt', ['A1']);
    await enter(teacherA, [{ studentId: school.ids.students['A1'], testId, is: 12 }]);
    expect(await ofSheet(testId, 'A1')).toMatchObject({ attendance: { value: 'exempt' }, total: { value: 12 }, staffTotal: null });
    await say(teacherA, testId, 'sat', ['A1']);
    expect(await ofSheet(testId, 'A1')).toMatchObject({ attendance: { value: 'sat' }, staffTotal: 12 });
  });

  test('two who said the same: the undo of one leaves what the other said', async () => {
    const testId = await newTest();
    const first = await say(teacherA, testId, 'absent', ['A1'], []);
    const second = await say(leader, testId, 'absent', ['A1'], []);
    await teacherA.done('UndoCommand', { entryId: first.entryId, commandId: first.commandId });
    expect((await historyOf(testId, 'A1')).reading).toEqual(counts('absent'));
    await leader.done('UndoCommand', { entryId: second.entryId, commandId: second.commandId });
    expect((await historyOf(testId, 'A1')).reading).toEqual(empty);
    expect((await ofSheet(testId, 'A1')).attendance).toEqual({ value: 'sat' });
  });

  test('two who did not see each other: both values are shown, and who saw them decides', async () => {
    const testId = await newTest();
    await say(teacherA, testId, 'absent', ['A1'], []);
    await say(leader, testId, 'exempt', ['A1'], []);
    expect((await ofSheet(testId, 'A1')).attendance).toEqual({ value: 'absent', values: ['absent', 'exempt'] });
    const { reading, changes, max } = await historyOf(testId, 'A1');
    expect(reading).toEqual({ state: 'contested', value: 'absent', values: ['absent', 'exempt'] });
    expect([max, changes.map(({ is, by }) => [is, by])]).toEqual([
      null,
      [
        ['absent', 'teacherA'],
        ['exempt', 'leader'],
      ],
    ]);
    const decision = { subjectId: school.ids.maths, testId, studentId: school.ids.students['A1'], attendance: true };
    await teacherA.done('DecideMark', { ...decision, entryId: randomUUID(), is: 'sat', was: ['absent', 'exempt'] });
    expect((await ofSheet(testId, 'A1')).attendance).toEqual({ value: 'sat' });
  });

  test('what is refused names the cell of attendance, in words for it', async () => {
    const testId = await newTest();
    const { students } = school.ids;
    const word = await say(teacherA, testId, 3, ['A1']);
    expect(word.refused).toEqual([
      { studentId: students['A1'], testId, attendance: true, is: 3, reason: 'not-a-mark', message: 'Choose sat, absent or exempt.' },
    ]);
    const other = await say(teacherA, testId, 'absent', ['A1', 'B1']);
    expect(other).toMatchObject({
      stored: 1,
      refused: [
        {
          studentId: students['B1'],
          testId,
          attendance: true,
          is: 'absent',
          reason: 'not-your-set',
          message: 'You may not enter marks for this class.',
        },
      ],
    });
  });

  test('is not a mark of the file: the export of the results leaves out who did not sit', async () => {
    const testId = await newTest();
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, 10, 5], A2: [1, 1, 1] }), fileName: 'marks.csv' });
    await say(teacherA, testId, 'absent', ['A1']);
    const admin = await school.as('admin');
    expect((await admin.ask<{ rows: unknown[] }>('export-results', { testId })).rows.map((row) => (row as unknown[])[0])).toEqual(['00A2']);
  });
});
