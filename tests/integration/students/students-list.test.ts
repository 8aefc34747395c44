import { expect, test } from 'vitest';
import { rest } from '../../support/rest.ts';
import { roles } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { plain } from '../../support/strict-answers.ts';

const { school } = await schoolOfFile();

const filter = (conditions: object): string => `filter=${encodeURIComponent(JSON.stringify(conditions))}`;

test('students are listed by subject, set and Off-Roll, a page at a time', async () => {
  const { maths, setA, students } = school.ids;
  const admin = await school.as('admin');
  const page = await rest(admin, 'GET', `students?${filter({ subjectId: maths, setId: setA })}&range=[0,1]&sort=["name","ASC"]`);
  expect(page.headers.get('Content-Range')).toBe('students 0-1/4');
  expect(page.body).toMatchObject([
    { studentId: students['A1'], admissionNo: '00A1', name: 'A1, Student', dateOfBirth: '2009-05-01', setId: setA, set: '11A' },
    { studentId: students['A2'] },
  ]);
  const all = (await rest(admin, 'GET', `students?${filter({ subjectId: maths })}`)).body as unknown as readonly { readonly id: string }[];
  expect((await rest(admin, 'GET', `students?${filter({ id: all.map(({ id }) => id) })}`)).body).toHaveLength(all.length);
  expect((await rest(admin, 'GET', `students/${all[0]?.id}`)).body).toMatchObject({ id: all[0]?.id });
  await admin.done('ChangeStudents', { subjectId: maths, changes: [{ studentId: students['A2'], place: 'off-roll' }] });
  await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
  const offRoll = await rest(admin, 'GET', `students?${filter({ subjectId: maths, setId: null })}`);
  expect(offRoll.body).toMatchObject([{ studentId: students['A2'], set: 'Off-Roll' }]);
});

test('who was removed is listed with who did that and when, until they are back in their set', async () => {
  const { maths: subjectId, students } = school.ids;
  const admin = await school.as('admin');
  const studentId = students['B1'];
  const listed = async () => (await rest(admin, 'GET', `removedStudents?${filter({ subjectId })}`)).body;
  const put = (place: string) => admin.done('ChangeStudents', { subjectId, changes: [{ studentId, place }] });
  const before = new Date().toISOString();
  await put('removed');
  const [removed, ...others] = await listed();
  expect(removed).toMatchObject({ studentId, admissionNo: '00B1', name: 'B1, Student', set: '11B', removedBy: 'admin' });
  expect(String(removed?.['removedAt']) >= before).toBe(true);
  expect(others).toEqual([]);
  await put('back');
  expect(await listed()).toEqual([]);
  expect((await rest(admin, 'GET', `students?${filter({ subjectId, studentId })}`)).body).toMatchObject([{ set: '11B' }]);
});

test('a list is compressed as the client can read it, and is the same', async () => {
  const admin = await school.as('admin');
  const listed = async (accepted: string) => {
    const answer = await admin.send(`/api/rest/students?${filter({ subjectId: school.ids.maths })}`, {
      headers: { 'Accept-Encoding': accepted },
    });
    return [answer.headers.get('Content-Encoding'), answer.headers.get('Content-Range'), JSON.parse(await plain(answer))];
  };
  const [, range, students] = await listed('identity');
  expect(students).not.toEqual([]);
  for (const encoding of ['br', 'gzip']) expect(await listed(encoding)).toEqual([encoding, range, students]);
});

test('a date that no calendar has finds nothing, and breaks nothing', async () => {
  const { status, problem } = await rest(await school.as('admin'), 'GET', `students?${filter({ dateOfBirth: '0000-01-01' })}`);
  expect([status, Object.keys(problem.errors)]).toEqual([422, ['filter.dateOfBirth']]);
});

test('a name is on one line, and found by its letters whichever way a device composes them', async () => {
  const { maths: subjectId, setA: setId } = school.ids;
  const admin = await school.as('admin');
  const [composed, apart] = ['Müller, Zoë', 'Müller,\n Zoë'.normalize('NFD')];
  await admin.done('AddStudent', { subjectId, setId, admissionNo: 'mac 1', name: apart, dateOfBirth: null });
  await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
  for (const q of ['müller', 'müller'.normalize('NFD')])
    expect((await rest(admin, 'GET', `students?${filter({ subjectId, q })}`)).body).toMatchObject([{ name: composed }]);
});

test('a deleted assessment is listed no more, until it is restored', async () => {
  const { maths, unready } = school.ids;
  const admin = await school.as('admin');
  const names = async (): Promise<unknown[]> =>
    (await rest(admin, 'GET', `assessments?${filter({ subjectId: maths })}`)).body.map(({ name }) => name);
  expect(await names()).toEqual(['Mock', 'Other', 'Unready']);
  await rest(admin, 'DELETE', `assessments/${unready}`);
  expect(await names()).toEqual(['Mock', 'Other']);
  await admin.done('RestoreAssessment', { testId: unready });
  await school.backend.progress.waitFor(['assessments'], await school.backend.store.head(), 30_000);
  expect(await names()).toEqual(['Mock', 'Other', 'Unready']);
});

test.each(['students', 'assessments'])('%s are for admins, and for auditors to read', async (resource) => {
  for (const role of roles) {
    const { status } = await rest(await school.as(role), 'GET', resource);
    expect([role, status]).toEqual([role, role === 'admin' || role === 'auditor' ? 200 : 403]);
  }
});
