import { expect, test } from 'vitest';
import type { StudentsToView } from '../../../api/students/students.contract.ts';
import type { RoleName } from '../../support/school.ts';
import { rest } from '../../support/rest.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school } = await schoolOfFile();
const neighbour = await school.neighbour();
const { maths: subjectId, setA, setB } = school.ids;

/** Who is found, with their classes. */
const found = async (role: RoleName, find: string, at: typeof school = school): Promise<string[]> => {
  const { students } = await (await at.as(role)).ask<StudentsToView>('students-to-view', { find });
  return students.map(({ name, places }) => `${name}: ${places.map(({ set }) => set ?? 'Off-Roll').join(' and ')}`);
};

test('a student is found by StudentID, then by how a name begins, then by any part, whatever the accents and capitals', async () => {
  const admin = await school.as('admin');
  const add = (admissionNo: string, name: string, setId = setA) =>
    admin.done('AddStudent', { subjectId, setId, admissionNo, name, dateOfBirth: null });
  await add('zoe', 'Ng, Ann');
  await add('Z-2', 'Łoś-O’Brien, Zoë', setB);
  await add('Z-3', 'Ambrozoe, Ben');
  await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
  expect(await found('admin', 'ZOE')).toEqual(['Ng, Ann: 11A', 'Łoś-O’Brien, Zoë: 11B', 'Ambrozoe, Ben: 11A']);
  expect(await found('admin', "zoë  los-o'b")).toEqual(['Łoś-O’Brien, Zoë: 11B']);
  expect(await found('admin', 'z-')).toEqual(['Ambrozoe, Ben: 11A', 'Łoś-O’Brien, Zoë: 11B']);
  // A list of the administration reads the same words.
  const filter = encodeURIComponent(JSON.stringify({ subjectId, q: "los-o'brien" }));
  expect((await rest(admin, 'GET', `students?filter=${filter}`)).body).toMatchObject([{ admissionNo: 'Z-2' }]);
});

test('nobody is found whom the user may not see, and who has left a class is found where they are now', async () => {
  const { students } = school.ids;
  const [a4, b4] = ['00A4', '00B4'];
  expect(await Promise.all((['teacherA', 'teacherB', 'leader', 'scienceLeader', 'admin'] as const).map((role) => found(role, b4)))).toEqual(
    [[], ['B4, Student: 11B'], ['B4, Student: 11B'], [], ['B4, Student: 11B']],
  );
  // Of somebody who is in two subjects each sees the place that is theirs.
  const ofA4 = async (role: RoleName) => (await found(role, a4)).map((line) => line.replace('A4, Student: ', ''));
  expect([await ofA4('teacherA'), await ofA4('scienceLeader'), await ofA4('admin')]).toEqual([['11A'], ['11S'], ['11A and 11S']]);
  await (await school.as('admin')).done('ChangeStudents', { subjectId, changes: [{ studentId: students['B4'], place: 'off-roll' }] });
  await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
  expect([await found('teacherB', b4), await found('leader', b4)]).toEqual([[], ['B4, Student: Off-Roll']]);
  expect((await (await school.as('auditor')).query('students-to-view', { find: b4 })).status).toBe(403);
  expect(await found('admin', 'Ng, Ann', neighbour)).toEqual([]);
});
