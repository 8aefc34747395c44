import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Waiting } from '../../../api/school/waiting.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, teacherA } = await schoolOfFile('admin', 'teacherA');
const { maths: subjectId, setA, setC, mock: testId, students, unready } = school.ids;
const waiting = () => admin.ask<Waiting>('waiting', { subjectId });
const NONE = { count: 0, first: [] };

test('what waits in a subject is told until it is put right', async () => {
  expect(await waiting()).toEqual({
    classes: { count: 1, first: [{ setId: setC, name: '11C' }] },
    datesOfBirth: NONE,
    assessments: { count: 1, first: [{ testId: unready, name: 'Unready' }] },
    people: NONE,
    twice: NONE,
    contested: NONE,
  });
  const { teacherId } = await admin.done<{ teacherId: string }>('AddTeacher', { subjectId, name: 'Cyril' });
  await admin.done('ChangeTeacher', { subjectId, teacherId, setIds: [setC] });
  await admin.done('DeleteAssessment', { testId: unready });
  expect(await waiting()).toMatchObject({ classes: NONE, assessments: NONE });

  const { accountId } = await admin.done<{ accountId: string }>('InviteStaff', {
    name: 'Cyril',
    email: 'cyril@example.com',
    role: 'teacher',
    teachers: [{ subjectId, teacherId }],
  });
  expect((await waiting()).people).toMatchObject({ count: 1, first: [{ accountId, name: 'Cyril' }] });
  await admin.done('CloseStaffAccount', { accountId });

  // A1 once more, whose zeros a spreadsheet has eaten; a namesake of A2 born on another day is somebody else.
  const added = { subjectId, setId: setA };
  await admin.done('AddStudent', { ...added, admissionNo: 'A1', name: 'A1, Student', dateOfBirth: '2009-01-31' });
  await admin.done('AddStudent', { ...added, admissionNo: 'N2', name: 'A2, Student', dateOfBirth: '2009-01-31' });
  const details = { admissionNo: '00A3', name: 'A3, Student', dateOfBirth: null };
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A3'], details }] });
  for (const [who, is] of [
    [teacherA, 5],
    [admin, 4],
  ] as const)
    await who.done('EnterMarks', {
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      typedAt: '2026-01-01T08:00:00Z',
      cells: [{ studentId: students['A1'], testId, is, was: [] }],
    });
  expect(await waiting()).toEqual({
    classes: NONE,
    datesOfBirth: { count: 1, first: [{ setId: setA, name: '11A', students: 1 }] },
    assessments: NONE,
    people: NONE,
    twice: { count: 1, first: [{ name: 'A1, Student', admissionNos: ['00A1', 'A1'] }] },
    contested: { count: 1, first: [{ testId, name: 'Mock', year: 11, totals: 1 }] },
  });
});
