import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Backpressure } from '../../api/pipeline/backpressure.ts';
import { FairQueue, TooMuchAtOnce } from '../../events/async/fair-queue.ts';
import type { Client } from '../support/client.ts';
import { openSchool, type School } from '../support/school.ts';

/** More than can be handled at once. */

describe('a fair queue', () => {
  const gate = () => Promise.withResolvers<void>();

  test('who has waited too long, or finds too many waiting, is told so, and the others lose nothing', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 2, waitMs: 20 });
    const open = gate();
    const first = queue.run({ group: 'a' }, () => open.promise);
    let begun = 0;
    const late = [1, 2].map(() => queue.run({ group: 'a' }, async () => void begun++));
    await expect(queue.run({ group: 'a' }, async () => void begun++)).rejects.toThrow(TooMuchAtOnce);
    for (const one of late) await expect(one).rejects.toThrow(TooMuchAtOnce);
    expect({ begun, waiting: queue.waiting }).toEqual({ begun: 0, waiting: 0 });
    open.resolve();
    await first;
    expect(await queue.run({ group: 'a' }, async () => 'here')).toBe('here');
  });
});

describe('a writer that runs away from the read models', () => {
  /** Read models that have come as far as the test says. */
  const models = () => {
    let reached = 0n;
    const waits: { position: bigint; go: () => void }[] = [];
    const backpressure = new Backpressure({
      positions: () => new Map([['results', reached]]),
      waitFor: (_models, position) => new Promise((resolve) => waits.push({ position, go: resolve })),
    });
    const reach = (position: bigint) => {
      reached = position;
      for (const { go } of waits.splice(0, waits.length, ...waits.filter((one) => one.position > position))) go();
    };
    const save = (accountId: string, position: number) =>
      backpressure.run({ accountId }, async () => ({ position: String(position), revision: '0', result: null }));
    return { backpressure, reach, save };
  };

  test('is answered when they have come closer, and nobody else has to wait', async () => {
    const { backpressure, reach, save } = models();
    for (let position = 1; position <= 128; position++) await save('program', position);
    const held = save('program', 129);
    await save('teacher', 130);
    expect(backpressure.held).toBe(1);
    reach(1n);
    expect(await held).toMatchObject({ position: '129' });
    expect(backpressure.held).toBe(0);
  });

  test('is refused once it has gone on without its answers, until some have come', async () => {
    const { backpressure, reach, save } = models();
    for (let position = 1; position <= 128; position++) await save('program', position);
    const held = Array.from({ length: 16 }, (_, n) => save('program', 129 + n));
    await expect.poll(() => backpressure.held).toBe(16);
    await expect(save('program', 200)).rejects.toMatchObject({ problem: { status: 429, code: 'too-fast' }, retryAfter: 1 });
    reach(144n);
    await Promise.all(held);
    expect(await save('program', 200)).toMatchObject({ position: '200' });
  });
});

describe('queries that hang', () => {
  let school: School;
  let admin: Client;
  let sql: pg.Client;
  beforeAll(async () => {
    school = await openSchool();
    admin = await school.as('admin');
    sql = new pg.Client({ connectionString: school.databaseUrl });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await school.close();
  });

  const metric = async (line: string): Promise<number> => {
    const text = await (await admin.send('/api/metrics')).text();
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  };

  test('keep no save from being stored, and others are told to come back while they hang, which the metrics show', async () => {
    const { rows } = await sql.query<{
      name: string;
    }>(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'read' and c.relkind = 'r' and c.relname like 'record\\_v%'`);
    await sql.query(`begin; lock table read.${rows[0]!.name} in access exclusive mode`);
    const refusedBefore = await metric('marktrail_refused_by_limit_total{limit="requests at once"}');
    const asked = Array.from({ length: 12 }, () => admin.send('/api/queries/history'));
    await expect.poll(() => metric('marktrail_requests_waiting{for="queries"}')).toBe(4);

    const teacher = await school.as('teacherA');
    const { students, maths, mock, questions } = school.ids;
    const saved = await teacher.done<{ stored: number }>('EnterMarks', {
      subjectId: maths,
      entryId: randomUUID(),
      seq: 1,
      cells: [{ studentId: students['A1'], testId: mock, questionId: questions[0], is: 3 }],
    });
    expect(saved.stored).toBe(1);

    const first = await Promise.race(asked);
    expect({ status: first.status, retry: first.headers.get('Retry-After') }).toEqual({ status: 503, retry: '2' });
    expect(await first.json()).toMatchObject({ code: 'busy' });
    await sql.query('rollback');
    const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 503, 503, 503, 503]);
    expect(await metric('marktrail_refused_by_limit_total{limit="requests at once"}')).toBe(refusedBefore + 4);
  });
});
