import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { queryAccess } from '../../../api/access.ts';
import type { QueryName } from '../../../api/queries.ts';
import type { RecordedEvent } from '../../../events/store/port.ts';
import { answers, atWork } from '../../support/as-of-work.ts';
import { moment } from '../../support/as-of.ts';
import { Client } from '../../support/client.ts';
import { openProduct } from '../../support/product.ts';
import { random } from '../../support/random.ts';
import { querySamples } from '../../support/samples.ts';
import { openSchool } from '../../support/school.ts';

const school = await openSchool({ asOfTerms: { keepMs: 0, turnMs: 0 } });
afterAll(async () => {
  await school.close();
});

test.each([1, 2])('every question as of a moment is answered as it was then (sequence %i)', async (seed) => {
  const chances = random(seed);
  const work = await atWork(school, chances);
  const then: { at: string; answered: Map<string, string> }[] = [];
  for (let round = 0; round < 4; round++) {
    for (let step = 0; step < 4; step++) await work();
    then.push({ answered: await answers(school), at: await moment() });
  }
  for (const { at, answered } of [...then.filter(() => chances.chance(0.5)), ...then.slice(0, 1)]) {
    expect(await answers(school, at)).toEqual(answered);
  }
});

const lastEvent = async (): Promise<RecordedEvent> => {
  let last: RecordedEvent | undefined;
  for await (const event of school.backend.store.readAll('start')) if (event.stream.includes(school.schoolId)) last = event;
  return last!;
};

test('an answer says which event it knows last, and of when that is', async () => {
  const admin = await school.as('admin');
  await admin.done('RenameSchool', { name: 'Renamed' });
  const { id, metadata } = await lastEvent();
  const { headers } = await admin.query('me', {}, { asOf: await moment(), method: 'GET' });
  expect([headers.get('X-As-Of-Event'), headers.get('X-As-Of-Time')]).toEqual([id, (JSON.parse(metadata) as { at: string }).at]);
  expect((await admin.query('me')).headers.get('X-As-Of-Event')).toBeNull();
});

test('before the school began it was empty, which is no error', async () => {
  const admin = await school.as('admin');
  const asOf = '2001-01-01T00:00:00Z';
  const me = await admin.query('me', {}, { asOf });
  expect([me.status, me.body['subjects'], me.headers.get('X-As-Of-Event')]).toEqual([200, [], 'none']);
  expect((await admin.query('history', {}, { asOf })).body).toEqual({ events: [], next: null });
  expect((await admin.query('structure', { subjectId: school.ids.maths }, { asOf })).status).toBe(404);
});

test.each([
  ['yesterday', 'This is not a moment: write date, time and zone, such as 2026-11-21T09:30:00Z.'],
  ['2026-11-20', 'This is not a moment: write date, time and zone, such as 2026-11-21T09:30:00Z.'],
  ['2026-02-30T10:00:00Z', 'This is not a moment: write date, time and zone, such as 2026-11-21T09:30:00Z.'],
  ['', 'This is not a moment: write date, time and zone, such as 2026-11-21T09:30:00Z.'],
  ['2999-01-01T00:00:00Z', 'This moment is in the future: choose one that has passed.'],
])('asOf=%s is refused in clear words', async (asOf, title) => {
  const { status, body } = await (await school.as('admin')).query('me', {}, { asOf });
  expect([status, body.code, body.title, body.errors?.[0]?.path]).toEqual([400, 'invalid-moment', title, 'asOf']);
});

test('a moment may be written in any zone', async () => {
  const admin = await school.as('admin');
  const now = Date.parse(await moment());
  const inParis = new Date(now + 3_600_000).toISOString().replace('Z', '+01:00');
  expect((await admin.query('me', {}, { asOf: inParis, method: 'GET' })).status).toBe(200);
});

test('who may not see it today does not see it as of any moment', async () => {
  const asOf = await moment();
  const samples = querySamples(school);
  for (const role of ['teacherB', 'scienceLeader', 'auditor'] as const) {
    const client = await school.as(role);
    for (const [name, body] of Object.entries(samples)) {
      const [now, then] = [await client.query(name as QueryName, body), await client.query(name as QueryName, body, { asOf })];
      const isOfNow = queryAccess[name as QueryName].asOf.length === 0;
      expect([role, name, then.status]).toEqual([role, name, isOfNow ? 403 : now.status]);
    }
  }
  const { store } = school.backend;
  const before = await store.head();
  await new Client(school).query('me', {}, { asOf }).then(({ status }) => expect(status).toBe(401));
  expect(await store.head()).toBe(before);
});

test('students see things as of now only, and take no schema from others', async () => {
  const [student, admin] = [await school.as('student'), await school.as('admin')];
  const asOf = await moment();
  for (const method of ['GET', 'POST'] as const) {
    const { status, body } = await student.query('me', {}, { asOf, method });
    expect([status, body.code, body.title]).toEqual([403, 'forbidden', 'Your account may see this only as of now.']);
  }
  expect((await student.query('me')).status).toBe(200);
  const preview = await admin.query('preview-students', querySamples(school)['preview-students'], { asOf });
  expect([preview.status, preview.body.title]).toEqual([403, 'This cannot be shown as of an earlier moment.']);
  const { paths } = (await (await admin.send('/api/openapi.json')).json()) as { paths: Record<string, { post: { description: string } }> };
  expect(paths['/api/queries/me']?.post.description).toMatch(/As of an earlier moment for admin and leader and teacher and auditor\.$/);
  expect(paths['/api/queries/preview-students']?.post.description).toMatch(/Only as of now\.$/);
});

test('one clock that runs ahead hides nothing that came after, and shows nothing of the future', async () => {
  const admin = await school.as('admin');
  const name = async (asOf: string) => ((await admin.query('me', {}, { asOf })).body['school'] as { name: string }).name;
  /** As a process whose clock is ahead would write it. */
  const renamedAhead = async (to: string, byMs: number): Promise<number> => {
    const { store, progress } = school.backend;
    const stream = `school-${school.schoolId}`;
    let last: RecordedEvent | undefined;
    for await (const event of store.read(stream)) last = event;
    const ahead = Date.now() + byMs;
    const at = new Date(ahead).toISOString();
    const metadata = JSON.stringify({ ...(JSON.parse(last!.metadata) as object), commandId: randomUUID(), at });
    const { position } = await store.append(
      stream,
      [{ id: randomUUID(), type: 'SchoolRenamed', data: JSON.stringify({ name: to }), metadata }],
      last!.revision,
    );
    await progress.waitFor(['structure'], position, 30_000);
    return ahead;
  };
  await admin.done('RenameSchool', { name: 'In time' });
  await renamedAhead('Ahead', 3_600_000);
  // Before anything is written after it: that a moment is looked at is an event as well.
  const beforeNext = await moment();
  expect(await name(beforeNext)).toBe('In time');
  await admin.done('AddSubject', { name: 'History' });
  // What was written after it stands on it: the state is one that the log went through.
  const after = await moment();
  expect(await name(after)).toBe('Ahead');
  await admin.done('RenameSchool', { name: 'In time again' });
  expect(await name(await moment())).toBe('In time again');
  expect([await name(after), await name(beforeNext)]).toEqual(['Ahead', 'In time']);

  // What follows a little ahead in the same stream is dated as late, and in no case behind it.
  const ahead = await renamedAhead('A little ahead', 1_500);
  await admin.done('RenameSchool', { name: 'After it' });
  while (Date.now() <= ahead) await new Promise(setImmediate);
  expect(await name(await moment())).toBe('After it');
});

test('who prefers to is told how far a moment is that takes long, rather than that it is not there', async () => {
  const admin = await school.as('admin');
  await admin.done('RenameSchool', { name: 'Never looked at yet' });
  const path = `/api/queries/me?asOf=${await moment()}`;
  const look = async () => {
    const answer = await admin.send(path, { headers: { Prefer: 'respond-async' } });
    return [answer.status, await answer.json()];
  };
  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  try {
    // The filling waits for it.
    await database.query('begin; lock table operations.skipped_event in access exclusive mode');
    expect(await look()).toEqual([202, { done: 0, total: expect.toSatisfy((events) => events > 30) }]);
    await database.query('rollback');
    const { status } = await admin.send(path);
    expect([status, await look()]).toEqual([200, [200, expect.objectContaining({ role: 'admin' })]]);
  } finally {
    await database.end();
  }
});

test('when all schemas are taken, the next is told so, and when to come again', async () => {
  const product = await openProduct(school.databaseUrl, { asOfTerms: { schemas: 1, keepMs: 60_000, turnMs: 60_000 } });
  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  try {
    await database.query(`update read_as_of.lease set used_at = now() - interval '1 hour'`);
    const [auditor, leader] = [await school.signIn('auditor', product), await school.signIn('leader', product)];
    const [one, two] = [await moment(), '2001-01-01T00:00:00Z'];
    expect((await auditor.query('me', {}, { asOf: one })).status).toBe(200);
    const { status, body, headers } = await leader.query('me', {}, { asOf: two });
    expect([status, body.code, body.title]).toEqual([
      503,
      'as-of-busy',
      'Others are looking at other moments just now. Try again in a moment.',
    ]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await leader.query('me', {}, { asOf: one })).status).toBe(200);
  } finally {
    await database.end();
    await product.close();
  }
});
