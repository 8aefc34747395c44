import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Actor } from '../../api/actor.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** The product's own jobs ask as a named actor, without HTTP: with that person's rights, and no others. */
const { school } = await schoolOfFile();

const { maths, science, year, scienceYear, mock, setA } = school.ids;
const { queries } = school.backend;
const person = (role: Actor['role'], accountId: string, more: Partial<Actor> = {}): Actor => ({
  accountId,
  schoolId: school.schoolId,
  role,
  name: '',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId: null,
  ...more,
});
const admin = person('admin', school.accounts.admin);
const teacher = person('teacher', school.accounts.teacherA, { subjectIds: [maths], setIds: [setA] });

test('a job is answered what its actor is answered over HTTP', async () => {
  const client = await school.as('teacherA');
  const { value, channels, position } = await queries.ask('markbook', teacher, { yearGroupId: year });
  expect(value()).toEqual(await (await client.send(`/api/queries/markbook?yearGroupId=${year}`)).json());
  expect(channels).toContain(`marks:${maths}/${year}`);
  expect(position).toBeGreaterThan(0n);
});

test('a job has the rights of its actor: no other subject, no question of another role, no other school', async () => {
  await expect(queries.ask('markbook', teacher, { yearGroupId: scienceYear })).rejects.toMatchObject({ problem: { code: 'not-found' } });
  await expect(queries.ask('structure', teacher, { subjectId: science })).rejects.toMatchObject({ problem: { code: 'forbidden' } });
  await expect(queries.ask('export-students', teacher, { yearGroupId: year })).rejects.toMatchObject({ problem: { code: 'forbidden' } });
  await expect(queries.ask('markbook', { ...admin, schoolId: randomUUID() }, { yearGroupId: year })).rejects.toMatchObject({
    problem: { code: 'not-found' },
  });
});

test('the answer includes the position asked for, and wrong input is refused as over HTTP', async () => {
  const { position } = await school.backend.bus.execute('RenameAssessment', { actor: admin, body: { testId: mock, name: 'Mock 1a' } });
  const { value } = await queries.ask('assessment', admin, { testId: mock }, { atLeast: BigInt(position ?? 0) });
  expect(value()).toMatchObject({ name: 'Mock 1a' });
  await expect(queries.ask('assessment', admin, { testId: 'none' })).rejects.toMatchObject({ problem: { code: 'invalid-input' } });
});

test('an earlier moment is for those who may ask about it, and says up to which event it reaches', async () => {
  const asOf = new Date().toISOString();
  const { upTo, position, channels } = await queries.ask('structure', admin, { subjectId: maths }, { asOf });
  expect(upTo?.at.localeCompare(asOf)).toBe(-1);
  expect({ position, channels }).toEqual({ position: undefined, channels: [] });
  await expect(queries.ask('students-to-view', admin, {}, { asOf })).rejects.toMatchObject({ problem: { code: 'forbidden' } });
  await expect(queries.ask('structure', admin, { subjectId: maths }, { asOf: 'yesterday' })).rejects.toMatchObject({
    problem: { code: 'invalid-moment' },
  });
});

test('who loses a right while an earlier moment is read is not answered with it', async () => {
  const leads = (subjectId: string) => person('leader', school.accounts.leader, { subjectIds: [subjectId] });
  const known = [leads(maths)];
  const know = () => Promise.resolve(known.shift() ?? leads(science));
  await expect(queries.ask('structure', { know }, { subjectId: maths }, { asOf: new Date().toISOString() })).rejects.toMatchObject({
    problem: { code: 'forbidden' },
  });
});

test('whoever views as a student sees that student’s page, and it is recorded', async () => {
  const [studentId = ''] = Object.values(school.ids.students);
  const viewing = { know: () => Promise.resolve(admin), viewAs: { role: 'student', id: studentId } as const };
  const { value } = await queries.ask('me', viewing, {});
  expect(value()).toMatchObject({ role: 'admin', viewAs: { role: 'student' } });
  let looks = 0;
  for await (const { type } of school.backend.eventsOf(school.schoolId)) if (type === 'StudentLookedAt') looks += 1;
  expect(looks).toBe(1);
});
