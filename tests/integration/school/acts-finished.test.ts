import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { postgresStore } from '../../../events/store/postgres.ts';
import { rest } from '../../support/rest.ts';
import { NO_CHANGES } from '../../support/samples.ts';
import { openSchool } from '../../support/school.ts';

let isFailing = false;
const school = await openSchool({
  store: async (connectionString) => {
    const store = postgresStore({ connectionString });
    const append: typeof store.append = (stream, ...others) =>
      isFailing && stream.startsWith('subject-') ? Promise.reject(new Error('the machine is gone')) : store.append(stream, ...others);
    return Object.assign(Object.create(store) as typeof store, { append });
  },
});
afterAll(() => school.close());
const { ids } = school;

test('an act that stopped halfway is finished by the next start, and is done once', async () => {
  const admin = await school.as('admin');
  const inSets = async () => {
    const { body } = await rest(admin, 'GET', `students?range=[0,99]&filter=${JSON.stringify({ subjectId: ids.maths })}`);
    return body.filter(({ set }) => set === '11B').length;
  };
  isFailing = true;
  const key = randomUUID();
  const answer = await admin.command('DeleteSet', { subjectId: ids.maths, setId: ids.setB, offRoll: true }, { key });
  expect(answer.status).toBe(500);
  expect(await inSets()).toBe(0);
  const { body } = await rest(admin, 'GET', `sets?filter=${JSON.stringify({ subjectId: ids.maths })}`);
  expect(body.map(({ name }) => name)).toContain('11B');

  isFailing = false;
  await school.another();
  const after = await rest(admin, 'GET', `sets?filter=${JSON.stringify({ subjectId: ids.maths })}`);
  expect(after.body.map(({ name }) => name)).not.toContain('11B');
  // Sent again by a page that never had its answer: nothing happens twice.
  const again = await admin.command('DeleteSet', { subjectId: ids.maths, setId: ids.setB, offRoll: true }, { key });
  expect(again.status).toBe(200);
});

test('a school year that stopped halfway is finished by the next start, and the plan that was kept is gone with it', async () => {
  const admin = await school.as('admin');
  const plan = {
    ...NO_CHANGES,
    day: '2099-09-01',
    yearGroups: [{ yearGroupId: ids.year, year: 12 }],
    sets: [
      { setId: ids.setA, becomes: { name: '12A', year: 12 } },
      { setId: ids.setC, becomes: { into: '12A' } },
    ],
  };
  await admin.post('/api/school-years/keep', JSON.stringify({ subjectId: ids.maths, plan, version: null }));
  isFailing = true;
  const begun = randomUUID();
  const begin = () => admin.command('BeginSchoolYear', { subjectId: ids.maths, plan, version: 1 }, { key: begun });
  expect((await begin()).status).toBe(500);
  isFailing = false;
  await school.another();
  const { body } = await rest(admin, 'GET', `sets?filter=${JSON.stringify({ subjectId: ids.maths })}`);
  expect(body.map(({ name, students }) => [name, students])).toEqual([['12A', 8]]);
  expect((await begin()).status).toBe(200);
  const kept = await admin.send(`/api/school-years?subjectId=${ids.maths}`);
  expect(await kept.json()).toEqual({ kept: null });
});
