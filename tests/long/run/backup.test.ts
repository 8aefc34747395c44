import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { commandId } from '../../../events/codec/ids.ts';
import { signingKey } from '../../../events/proof/head.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { steadyPool } from '../../../events/store/postgres/pool.ts';
import { headSigner } from '../../../projections/ledger/signer.ts';
import { openArchive } from '../../../run/backup/archive.ts';
import { storedTables } from '../../../run/backup/tables.ts';
import { openLog } from '../../../run/log/log.ts';
import { readSettings } from '../../../run/settings.ts';
import { told } from '../../run/told.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { temporaryDataDir } from '../../support/marktrail.ts';
import { testDatabase } from '../../support/postgres.ts';
import { MASTER_KEY, openProduct, SIGNING_KEY } from '../../support/product.ts';
import { openSchool, type RoleName, type School } from '../../support/school.ts';
import { until } from '../../support/until.ts';

/**
 * People type, and heads of what they type are signed all the time: a backup that read the heads after the log would have some that it does not reach.
 * A table that the backup comes to last is locked while it reads: by then it has the log, and has not ended, and people go on typing.
 */
test.each(['PostgreSQL', 'EventStoreDB'])(
  'with the log in %s, four people type while it is backed up, and all of it comes back',
  async (place) => {
    const dataDir = temporaryDataDir();
    onTestFinished(() => dataDir.remove());
    const logs = place === 'PostgreSQL' ? [undefined, undefined] : [await emptyEventStore(), await emptyEventStore()];
    const [log, newLog] = logs.map((url) => (url === undefined ? {} : { EVENTSTORE_URL: url }));
    const at = logs[0] === undefined ? {} : { eventStoreUrl: logs[0] };
    const school = await openSchool(at);
    onTestFinished(() => school.close());
    const target = await testDatabase();
    onTestFinished(() => target.drop());
    const command = (name: string, url: string, given: Readonly<Record<string, string>> | undefined, ...args: readonly string[]) =>
      told({ settings: readSettings({ DATABASE_URL: url, DATA_DIR: dataDir.path, MASTER_KEY, SIGNING_KEY, ...given }), url }, name, args);
    const file = join(dataDir.path, 'school.backup');
    const pool = steadyPool({ connectionString: school.databaseUrl, max: 1 });
    const key = signingKey(Buffer.from(SIGNING_KEY, 'hex'));
    // Closing signs heads of all that has come.
    const sign = () => headSigner({ pool, key, file: join(dataDir.path, 'kept.ndjson'), tell: () => undefined }).close();
    await sign();

    const typing = new AbortController();
    const acknowledged: string[] = [];
    const signing = async () => {
      while (!typing.signal.aborted) await sign();
    };
    const people = [...typists(school).map((type) => type(acknowledged, typing.signal)), signing()];
    await until(() => acknowledged.length > 20);
    const before = [...acknowledged];
    const holding = new pg.Client({ connectionString: school.databaseUrl });
    await holding.connect();
    await holding.query('begin');
    await holding.query('lock table support.errors in access exclusive mode');
    const backup = command('backup', school.databaseUrl, log, file);
    await until(async () => (await holding.query('select from pg_locks where not granted')).rows.length > 0);
    const atLock = acknowledged.length;
    await until(() => acknowledged.length > atLock + 20);
    await holding.query('commit');
    await holding.end();
    expect((await backup).refused).toBeUndefined();
    typing.abort();
    await Promise.all(people);
    await pool.end();

    const order = (await openArchive(file)).manifest.parts.map(({ name }) => name).filter((name) => /heads$|^log|person_keys$/.test(name));
    if (place === 'EventStoreDB') expect(order).toEqual(['proof.heads', 'log.ndjson', 'keys.person_keys']);
    const { said, refused } = await command('restore', target.url, newLog, file);
    expect([refused, said]).toEqual([undefined, expect.stringMatching(/signed heads? match(.|\n)* [1-9]\d* rows, 0 differences\./)]);
    const [was, is] = [await eventsIn(school.databaseUrl, logs[0]), await eventsIn(target.url, logs[1])];
    expect(is).toEqual(was.slice(0, is.length));
    const restored = new Set(is.map((one) => one.commandId));
    expect(before.filter((id) => !restored.has(id))).toEqual([]);
    expect(is.length).toBeLessThan(was.length);
    const [tables, back] = [await tablesOf(school.databaseUrl), await tablesOf(target.url)];
    // Heads were signed since, on both sides, and what is noted about security is stored some time later.
    const [heads, headsBack] = [tables.get('proof.heads') ?? [], back.get('proof.heads') ?? []];
    expect(headsBack.filter((head) => heads.includes(head)).length).toBeGreaterThan(0);
    expect(tables.get('support.security_log')).toEqual(expect.arrayContaining(back.get('support.security_log') ?? []));
    const growing = ['proof.heads', 'support.security_log', 'log.events', 'operations.log_origin'];
    for (const name of growing) for (const some of [tables, back]) some.delete(name);
    expect(back).toEqual(tables);

    const verified = await command('log verify', target.url, newLog);
    expect(verified.refused).toBeUndefined();
    const product = await openProduct(target.url, logs[1] === undefined ? {} : { eventStoreUrl: logs[1] });
    expect((await product.backend.health()).problems).toEqual([]);
    await product.close();
  },
);

/** Each enters totals of a student of their own, one after the other, and keeps what was acknowledged. */
const typists = ({ ids, as, accounts }: School) => {
  const { maths, science, mock, forces, students } = ids;
  const of = (role: RoleName, subjectId: string, testId: string, short: string) => async (acknowledged: string[], ended: AbortSignal) => {
    const client = await as(role);
    for (let n = 0; !ended.aborted; n++) {
      const key = randomUUID();
      const cells = [{ studentId: students[short], testId, is: n % 10 }];
      await client.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, typedAt: new Date().toISOString(), cells }, key);
      acknowledged.push(commandId(accounts[role], key));
    }
  };
  return [
    of('teacherA', maths, mock, 'A1'),
    of('teacherB', maths, mock, 'B1'),
    of('leader', maths, mock, 'C1'),
    of('scienceLeader', science, forces, 'A2'),
  ];
};

const emptyEventStore = async (): Promise<string> => {
  const server = await startEventStore();
  onTestFinished(() => server.stop());
  return server.url;
};

const eventsIn = async (databaseUrl: string, eventStoreUrl: string | undefined) => {
  const store: EventStore = await openLog({ databaseUrl, eventStoreUrl });
  const events: { event: string; commandId: unknown }[] = [];
  for await (const { id, stream, revision, data, metadata } of store.readAll('start'))
    events.push({
      event: [id, stream, revision, data, metadata].join(' '),
      commandId: (JSON.parse(metadata) as { commandId?: unknown }).commandId,
    });
  await store.close();
  return events;
};

const tablesOf = async (url: string): Promise<Map<string, string[]>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all = new Map<string, string[]>();
  for (const { name, columns } of await storedTables(client)) {
    const { rows } = await client.query<{ row: string }>(`select row(${columns.join(', ')})::text as row from ${name} order by 1`);
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  await client.end();
  return all;
};
