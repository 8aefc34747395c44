import { expect, test } from 'vitest';
import type { CellHistory } from '../../../api/marks/marks.contract.ts';
import type { Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { MatchedStudents } from '../../../api/students/students.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');
const { newTest, totalsFile, marksFile } = marksIn(() => school);

test('whom rows mean: only students for whom the reader enters marks are named, and a StudentID is its owner’s whatever the name', async () => {
  const rows = [
    { admissionNo: '00A1', name: 'A1, Student' },
    { admissionNo: 'A1', name: 'Student A1' },
    { admissionNo: '', name: 'Student B1' },
    { admissionNo: '00B1', name: 'A1, Student' },
    { admissionNo: 'Z9', name: 'Nobody, Nina' },
  ];
  const a1 = { admissionNo: '00A1', name: 'A1, Student', setName: '11A' };
  const b1 = { admissionNo: '00B1', name: 'B1, Student', setName: '11B' };
  const asked = { subjectId: school.ids.maths, rows };
  const own = [
    { row: 0, kind: 'exact', students: [a1] },
    { row: 1, kind: 'certain', students: [a1], damage: 'zeros' },
  ];
  expect((await teacherA.ask<MatchedStudents>('match-students', asked)).rows).toEqual(own);
  expect((await leader.ask<MatchedStudents>('match-students', asked)).rows).toEqual([
    ...own,
    { row: 2, kind: 'certain', students: [b1] },
    { row: 3, kind: 'several', students: [b1, a1] },
  ]);
});

test('who was absent or exempt is stored by a file as such, confirmed by the next and taken back with it', async () => {
  const testId = await newTest();
  const totals = {
    ...totalsFile([testId], { A1: [4], A2: [5] }),
    rows: [
      { admissionNo: '00A1', name: '', totals: [4] },
      { admissionNo: '00A2', name: '', totals: ['absent'] },
    ],
  };
  const preview = await leader.ask<UploadPreview>('preview-totals', totals);
  expect(preview.students.flatMap(({ cells }) => cells)).toMatchObject([
    { is: 4, change: 'new' },
    { is: 'absent', change: 'new' },
  ]);
  const { entryId, commandId, stored } = await leader.done<Uploaded>('UploadTotals', { ...totals, fileName });
  expect(stored).toBe(2);
  const attendance = async () =>
    (await leader.ask<CellHistory>('cell', { testId, studentId: school.ids.students['A2'], attendance: 'true' })).reading;
  expect(await attendance()).toMatchObject({ value: 'absent' });
  const marks = { ...marksFile(testId, {}), rows: [{ admissionNo: '00A2', name: '', marks: [], away: 'absent' }] };
  expect(await teacherA.done<Uploaded>('UploadMarks', { ...marks, fileName })).toMatchObject({ stored: 0, confirmed: 1 });
  await leader.done('UndoCommand', { entryId, commandId });
  expect(await attendance()).toMatchObject({ value: 'absent' });
});
