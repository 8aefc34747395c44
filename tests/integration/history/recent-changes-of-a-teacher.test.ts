import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChangesAsked, RecentAct, RecentChanges } from '../../../api/history/history.contract.ts';
import type { Client } from '../../support/client.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, teacherA, teacherB } = await schoolOfFile('admin', 'leader', 'teacherA', 'teacherB');
const { ids } = school;
const subjectId = ids.maths;
const recent = async (filters: Partial<ChangesAsked>): Promise<readonly RecentAct[]> =>
  (await teacherA.ask<RecentChanges>('recent-changes', { subjectId, ...filters })).acts;
const said = ({ sentence }: RecentAct): string => sentence.map(({ text }) => text).join('');

test('a teacher has their own, and what others entered for students of their classes, of which only that is counted', async () => {
  const save = (by: Client, shorts: readonly string[], is: number) =>
    by.done('EnterMarks', {
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      typedAt: '2026-01-01T08:00:00Z',
      cells: shorts.map((short) => ({ studentId: ids.students[short], testId: ids.other, is })),
    });
  await save(teacherB, ['B1'], 1);
  await save(teacherA, ['A3', 'A4'], 2);
  const rows = ['A1', 'A2', 'B1', 'C1'].map((short) => ({ admissionNo: `00${short}`, name: `${short}, Student`, totals: [7] }));
  const classes = [ids.setA, ids.setB, ids.setC].map((setId) => ({ setId, testIds: [ids.other] }));
  await leader.done('UploadTotals', { subjectId, classes, rows, fileName: 'totals.csv' });
  const seen = (await recent({ kind: 'marks' })).map((act) => [said(act), act.others, act.undo?.by]);
  expect(seen).toEqual([
    ['uploaded 2 totals of Other from totals.csv', 0, undefined],
    ['entered 2 totals of Other', 0, 'UndoCommand'],
  ]);
  expect((await recent({ kind: 'structure' })).map(said)).toEqual([]);
  // Whoever has left the teacher's classes is not theirs to take marks from.
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: ids.students['A3'], place: { setId: ids.setB } }] });
  expect((await recent({ kind: 'marks' }))[1]?.undo).toBeNull();
});
