import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadModels } from '../../../api/contract/read-models.ts';
import { projections } from '../../../projections/all.ts';
import type { Client } from '../../support/client.ts';
import { openProduct } from '../../support/product.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, auditor, leader, teacherA } = await schoolOfFile('admin', 'auditor', 'leader', 'teacherA');
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(() => database.connect());
afterAll(() => database.end());

const shown = async (client: Client): Promise<ReadModels> => {
  const answer = await client.send('/api/read-models');
  expect(answer.status).toBe(200);
  return (await answer.json()) as ReadModels;
};
/** Once nothing is under way any more. */
const afterwards = async (client: Client): Promise<ReadModels> => {
  await client.product.backend.readModels.settled();
  return shown(client);
};
const compare = async (client: Client): Promise<ReadModels> => {
  const answer = await client.post('/api/read-models/compare', '{}');
  expect([answer.status, ((await answer.json()) as ReadModels).comparing]).toEqual([200, { done: 0, total: 0 }]);
  return afterwards(client);
};
const rebuild = (client: Client, name: string) => client.post('/api/read-models/rebuild', JSON.stringify({ name }));
const differing = ({ compared }: ReadModels) => compared?.models.flatMap(({ name, differing: rows }) => (rows > 0 ? [[name, rows]] : []));

test('each read model says what it is for, when it was built and how far it is', async () => {
  const { models, compared } = await shown(auditor);
  expect(models.map(({ name }) => name).toSorted()).toEqual(projections.map(({ name }) => name).toSorted());
  for (const { name, purpose, state, builtAt, behind } of models)
    expect([name, purpose, state, Date.parse(builtAt) > 0, behind.orMore]).toEqual([
      name,
      expect.stringMatching(/^[A-Z]/),
      'running',
      true,
      false,
    ]);
  expect(compared).toBeNull();
});

test('a comparison counts the rows that the events do not say, in the school of who asks, and no value leaves', async () => {
  const neighbour = await school.neighbour();
  const first = await compare(auditor);
  expect([differing(first), first.trouble, first.compared?.by]).toEqual([[], null, 'auditor']);
  expect(first.compared?.models.find(({ name }) => name === 'results')?.rows).toBeGreaterThan(10);

  const served = await database.query<{ at: string }>(
    `select format('read.students_v%s', version) as at from read.version where projection = 'roster' and serving`,
  );
  const students = served.rows[0]?.at;
  await database.query(
    `update ${students} set name = 'Somebody else' where (school_id, student_id) in (
    (select school_id, student_id from ${students} where school_id = $1 limit 1))`,
    [school.schoolId],
  );
  const then = await compare(admin);
  expect([differing(then), JSON.stringify(then)]).toEqual([[['roster', 1]], expect.not.stringContaining('Somebody else')]);
  // The log goes on meanwhile, and what is shown there is another school's.
  await admin.done('RenameSchool', { name: 'Renamed' });
  expect(differing(await compare(await neighbour.as('admin')))).toEqual([]);
  expect(differing(await shown(auditor))).toEqual([['roster', 1]]);
});

test('who may compare may not rebuild; where there are several schools only whom the operator names', async () => {
  for (const client of [leader, teacherA])
    expect([(await client.send('/api/read-models')).status, (await client.post('/api/read-models/compare', '{}')).status]).toEqual([
      403, 403,
    ]);
  expect((await rebuild(auditor, 'roster')).status).toBe(403);
  expect([(await shown(admin)).mayRebuild, (await rebuild(admin, 'roster')).status]).toEqual([false, 403]);

  const named = await openProduct(school.databaseUrl, { readModelAdmins: [school.email('admin').toLowerCase()] });
  try {
    const operator = await school.signIn('admin', named);
    expect((await shown(operator)).mayRebuild).toBe(true);
    expect((await rebuild(operator, 'no-such')).status).toBe(404);
    expect((await rebuild(operator, 'roster')).status).toBe(200);
    expect([(await afterwards(operator)).trouble, differing(await compare(operator))]).toEqual([null, []]);
  } finally {
    await named.close();
  }
});
