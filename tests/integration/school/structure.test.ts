import { expect, test } from 'vitest';
import type { Structure } from '../../../api/school/school.contract.ts';
import { rest } from '../../support/rest.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');

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
  expect([twice.status, twice.problem.errors]).toEqual([422, { 'topics.3': 'This topic is listed twice' }]);
});

test('a set is changed as a whole, and goes with its year group once nobody is in it', async () => {
  const { maths: subjectId, scheme, mock, year } = school.ids;
  const twelve = one(await rest(admin, 'POST', 'yearGroups', { subjectId, year: 12 }));
  const set = one(await rest(admin, 'POST', 'sets', { subjectId, yearGroupId: twelve.id, name: '12A', schemeId: scheme }));
  const nameless = await rest(admin, 'POST', 'sets', { subjectId, yearGroupId: twelve.id, name: ' ', schemeId: scheme });
  expect([nameless.status, nameless.problem.errors]).toEqual([422, { name: 'Required.' }]);
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

test('sets and teachers are found, sorted by the numbers in their names, and turned page by page, on the server', async () => {
  const { maths: subjectId, scheme } = school.ids;
  const { id: yearGroupId } = one(await rest(admin, 'POST', 'yearGroups', { subjectId, year: 9 }));
  for (const name of ['9X10', '9X2', '9x1', '9Y', '9É'])
    await rest(admin, 'POST', 'sets', { subjectId, yearGroupId, name, schemeId: scheme });
  const page = async (range: string, order: string, filter = {}) => {
    const found = await rest(admin, 'GET', `sets?${only({ yearGroupId, ...filter })}&sort=["name","${order}"]&range=${range}`);
    return [found.headers.get('Content-Range'), ...found.body.map(({ name }) => name)];
  };
  expect(await page('[0,2]', 'ASC')).toEqual(['sets 0-2/5', '9É', '9x1', '9X2']);
  expect(await page('[3,5]', 'ASC')).toEqual(['sets 3-4/5', '9X10', '9Y']);
  expect(await page('[0,2]', 'DESC', { q: '9x' })).toEqual(['sets 0-2/3', '9X10', '9X2', '9x1']);
  // In the same order where they are not sorted by anybody, such as assessments in the columns of a markbook.
  for (const name of ['Paper 10', 'paper 2', 'Épreuve']) await admin.done('CreateAssessment', { subjectId, name });
  const { tests, yearGroups } = await admin.ask<Structure>('structure', { subjectId });
  const ours = tests.map(({ name }) => name).filter((name) => /^(paper|Épreuve)/i.test(name));
  expect(ours).toEqual(['Épreuve', 'paper 2', 'Paper 10']);
  const sets = yearGroups.find((group) => group.yearGroupId === yearGroupId)?.sets.map(({ name }) => name);
  expect(sets).toEqual(['9É', '9x1', '9X2', '9X10', '9Y']);
  for (const sort of ['students', 'scheme']) expect((await rest(admin, 'GET', `sets?sort=["${sort}","DESC"]`)).status).toBe(200);
  expect((await rest(admin, 'GET', 'teachers?sort=["classes","ASC"]')).status).toBe(200);
});

test('what was deleted comes back as it was: a set, a year group, a teacher, a scheme of work', async () => {
  const { maths: subjectId, mock } = school.ids;
  const scheme = one(await rest(admin, 'POST', 'schemes', { subjectId, name: 'Extension', topics: [{ name: 'Proof' }] }));
  const year = one(await rest(admin, 'POST', 'yearGroups', { subjectId, year: 13 }));
  const made = one(await rest(admin, 'POST', 'sets', { subjectId, yearGroupId: year.id, name: '13A', schemeId: scheme.id }));
  const edited = { ...made, testIds: [mock], thresholds: { red: 5, amber: 45, green: 75 } };
  const set = one(await rest(admin, 'PUT', `sets/${made.id}`, edited));
  const hired = one(await rest(admin, 'POST', 'teachers', { subjectId, name: 'Ada Okafor' }));
  const teacher = one(await rest(admin, 'PUT', `teachers/${hired.id}`, { ...hired, name: 'Ada Lovelace', setIds: [set.id] }));
  expect(teacher).toMatchObject({ name: 'Ada Lovelace', setIds: [set.id], classes: '13A' });
  const shown = async (path: string) => (await rest(admin, 'GET', path)).body as unknown;

  const follows = await rest(admin, 'DELETE', `schemes/${scheme.id}`);
  expect([follows.status, follows.problem.message]).toEqual([409, expect.stringMatching(/^Extension is followed by 13A/)]);
  await rest(admin, 'DELETE', `yearGroups/${year.id}`);
  expect(await shown(`teachers/${teacher.id}`)).toMatchObject({ setIds: [], classes: null });
  await rest(admin, 'DELETE', `schemes/${scheme.id}`);
  expect((await rest(admin, 'GET', `schemes/${scheme.id}`)).status).toBe(404);
  const tooEarly = await admin.command('RestoreYearGroup', { subjectId, yearGroupId: year.id });
  expect(tooEarly.body.title).toMatch('The scheme of work that 13A followed was deleted too');
  await admin.done('RestoreScheme', { schemeId: scheme.id });
  await rest(admin, 'DELETE', `teachers/${teacher.id}`);
  await admin.done('RestoreTeacher', { subjectId, teacherId: teacher.id });
  await admin.done('RestoreYearGroup', { subjectId, yearGroupId: year.id });

  expect(await shown(`schemes/${scheme.id}`)).toMatchObject({ name: 'Extension', topics: scheme['topics'], sets: 1 });
  expect(await shown(`yearGroups/${year.id}`)).toMatchObject({ year: 13, sets: 1 });
  expect(await shown(`sets/${set.id}`)).toEqual(set);
  expect(await shown(`teachers/${teacher.id}`)).toEqual(teacher);
});

test('a set is saved beside an assessment that was deleted, and has it again when it is back', async () => {
  const { maths: subjectId, other, setC } = school.ids;
  const before = one(await rest(admin, 'GET', `sets/${setC}`));
  await rest(admin, 'PUT', `sets/${setC}`, { ...before, testIds: [other] });
  await rest(admin, 'DELETE', `assessments/${other}`);
  const without = one(await rest(admin, 'GET', `sets/${setC}`));
  expect(without['testIds']).toEqual([]);
  expect((await rest(admin, 'PUT', `sets/${setC}`, { ...without, name: '11C*' })).status).toBe(200);
  await admin.done('RestoreAssessment', { testId: other });
  expect(one(await rest(admin, 'GET', `sets/${setC}`))).toMatchObject({ subjectId, name: '11C*', testIds: [other] });
});

test('a set that was deleted with its students moved to Off-Roll comes back with them', async () => {
  const { science: subjectId, setS } = school.ids;
  const filter = only({ subjectId, setId: setS });
  const before = (await rest(admin, 'GET', `students?${filter}`)).body;
  expect(before.length).toBeGreaterThan(0);
  const changes = before.map(({ studentId }) => ({ studentId, place: 'off-roll' }));
  const { commandId } = await admin.done('ChangeStudents', { subjectId, changes });
  expect((await rest(admin, 'DELETE', `sets/${setS}`)).status).toBe(200);
  await admin.done('RestoreSet', { subjectId, setId: setS });
  expect(await admin.done('UndoRosterChange', { subjectId, commandId })).toMatchObject({ students: before.length });
  expect((await rest(admin, 'GET', `students?${filter}`)).body).toEqual(before);
});
