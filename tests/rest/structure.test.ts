import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { rest } from '../support/rest.ts';
import type { School } from '../support/school.ts';
import { openSchool } from '../support/school.ts';

let school: School;
let admin: Client;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.as('admin');
});
afterAll(async () => school.close());

const only = (filter: object): string => `filter=${JSON.stringify(filter)}`;
const one = (answer: { readonly body: unknown }) =>
  answer.body as Readonly<Record<string, unknown>> & { readonly id: string; readonly version: string };

test('a scheme of work comes with its topics, which keep their ids under another name and in another place', async () => {
  const { maths: subjectId } = school.ids;
  const made = one(await rest(admin, 'POST', 'schemes', { subjectId, name: 'Higher', topics: [{ name: 'Algebra' }, { name: 'Ratio' }] }));
  const [algebra, ratio] = made['topics'] as readonly { topicId: string; name: string; mapped: boolean }[];
  expect([algebra, ratio]).toMatchObject([
    { name: 'Algebra', mapped: false },
    { name: 'Ratio', mapped: false },
  ]);
  const topics = [ratio, { ...algebra, name: 'Algebra I' }, { name: 'Shape' }];
  const saved = one(await rest(admin, 'PUT', `schemes/${made.id}`, { ...made, topics }, { 'If-Match': `"${made.version}"` }));
  expect(saved['topics']).toMatchObject([
    { topicId: ratio?.topicId, name: 'Ratio' },
    { topicId: algebra?.topicId, name: 'Algebra I' },
    { name: 'Shape' },
  ]);
  const late = await rest(admin, 'PUT', `schemes/${made.id}`, { ...made, name: 'Late' }, { 'If-Match': `"${made.version}"` });
  expect(late.status).toBe(412);
  const twice = await rest(admin, 'PUT', `schemes/${made.id}`, { ...saved, topics: [...topics, { name: 'ratio' }] });
  expect([twice.status, twice.problem.errors]).toEqual([422, { 'topics.3': 'This topic is there twice' }]);
});

test('a set is changed as a whole, and goes with its year group once nobody is in it', async () => {
  const { maths: subjectId, scheme, mock, year } = school.ids;
  const twelve = one(await rest(admin, 'POST', 'yearGroups', { subjectId, year: 12 }));
  const again = await rest(admin, 'POST', 'yearGroups', { subjectId, year: 12 });
  expect([again.status, again.problem.errors]).toEqual([422, { year: 'This year group exists already' }]);
  expect((await rest(admin, 'POST', 'yearGroups', { subjectId, year: 99 })).problem.errors).toEqual({
    year: 'Year 99 is kept for Off-Roll',
  });

  const set = one(await rest(admin, 'POST', 'sets', { subjectId, yearGroupId: twelve.id, name: '12A', schemeId: scheme }));
  const taken = await rest(admin, 'POST', 'sets', { subjectId, yearGroupId: twelve.id, name: '11a', schemeId: scheme });
  expect(taken.problem.errors).toEqual({ name: 'Set name needs to be unique' });
  const changed = { ...set, name: '12B', testIds: [mock], thresholds: { red: 5, amber: 45, green: 75 } };
  expect(one(await rest(admin, 'PUT', `sets/${set.id}`, changed))).toMatchObject({
    name: '12B',
    testIds: [mock],
    thresholds: { amber: 45 },
  });
  const listed = await rest(admin, 'GET', `sets?${only({ yearGroupId: twelve.id })}&sort=["name","ASC"]`);
  expect(listed.body).toMatchObject([{ id: set.id, students: 0 }]);

  const full = await rest(admin, 'DELETE', `yearGroups/${year}`);
  expect([full.status, full.problem.message]).toEqual([409, expect.stringMatching(/^This year group has 12 student\(s\)/)]);
  expect((await rest(admin, 'DELETE', `yearGroups/${twelve.id}`)).status).toBe(200);
  expect((await rest(admin, 'GET', `sets/${set.id}`)).status).toBe(404);
});

test('a teacher has a name of his own and classes that are there', async () => {
  const { maths: subjectId, setA, setB } = school.ids;
  const teacher = one(await rest(admin, 'POST', 'teachers', { subjectId, name: 'Hughes' }));
  const taken = await rest(admin, 'POST', 'teachers', { subjectId, name: 'hughes ' });
  expect([taken.status, taken.problem.errors]).toEqual([422, { name: 'Teacher name needs to be unique' }]);
  expect(one(await rest(admin, 'PUT', `teachers/${teacher.id}`, { ...teacher, setIds: [setA, setB] }))).toMatchObject({
    setIds: [setA, setB],
  });
  expect((await rest(admin, 'PUT', `teachers/${teacher.id}`, { ...teacher, setIds: [randomUUID()] })).status).toBe(422);
  expect((await rest(admin, 'DELETE', `teachers/${teacher.id}`)).status).toBe(200);
  expect((await rest(admin, 'GET', `teachers?${only({ subjectId, q: 'hughes' })}`)).body).toEqual([]);
});
