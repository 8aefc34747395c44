import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../events/store/port.ts';
import type { NewEvent } from '../../events/store/port.ts';
import { migrateLog, postgresStore } from '../../events/store/postgres.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { event, events, noise } from './given.ts';
import { postgresLog } from './logs/postgres.ts';
import type { PostgresLog } from './logs/postgres.ts';
import { all, failure, follow, ids, insist } from './seen.ts';

let log: PostgresLog;
let others: pg.Client[];

beforeEach(async () => {
  log = await postgresLog();
  others = [];
});

afterEach(async () => {
  await Promise.all(others.map((client) => client.end()));
  await log.close();
});

describe('positions are drawn in commit order', () => {
  // A position is handed out before its transaction commits. Were it handed out without a lock, B could draw a higher one than A, commit
  // first, and be read; a reader that has noted B's position would then never look for A's, and the event would be lost to it for ever.
  // Here A stands exactly in that gap: it has drawn its position and has not committed.
  test('while A holds a position and has not committed, B waits, and a reader sees neither; then A comes before B', async () => {
    const a = await session();
    const [eventA, eventB] = [event(), event()];
    const seen = follow(log.store, 'start');
    await seen.until(({ live }) => live);

    await a.query('begin');
    await append(a, 'entry-s.A', [eventA]);
    const b = log.store.append('entry-s.B', [eventB], 'none');
    await oneWaitsForTheLock();

    expect(await all(log.store.readAll('start'))).toEqual([]);
    expect(await log.store.head()).toBe(0n);
    expect(seen.events).toEqual([]);

    await a.query('commit');
    const { position } = await b;

    expect(ids(await all(log.store.readAll('start')))).toEqual(ids([eventA, eventB]));
    await seen.until((batch) => batch.position >= position);
    expect(ids(seen.events)).toEqual(ids([eventA, eventB]));
    await seen.end();
  });

  // The position that A has drawn dies with its transaction. B draws its own only after A is through, so nobody can have seen
  // a position above one that fills later: there is none.
  test('when A rolls back, B takes its turn and nothing is missing', async () => {
    const a = await session();
    const eventB = event();

    await a.query('begin');
    await append(a, 'entry-s.A', [event()]);
    const b = log.store.append('entry-s.B', [eventB], 'none');
    await oneWaitsForTheLock();
    await a.query('rollback');

    expect(await b).toEqual({ revision: 0n, position: 1n });
    expect(ids(await all(log.store.readAll('start')))).toEqual(ids([eventB]));
  });

  // Under REPEATABLE READ the snapshot is older than the lock: the function would not see what was committed while it waited,
  // would draw a position that is taken, and would check a revision that is no longer true.
  test('the function refuses a transaction whose snapshot is older than its lock', async () => {
    const a = await session();
    await a.query('begin isolation level repeatable read');

    expect(await failure(append(a, 'entry-s.A', events(1)))).toMatchObject({ message: expect.stringContaining('read committed') });
  });

  // An administrator may have set another default; the store sets its own for its sessions.
  test('the store does not depend on the isolation level that sessions begin with', async () => {
    const serializable = `${log.url}?options=${encodeURIComponent('-c default_transaction_isolation=serializable')}`;
    const store = postgresStore({ connectionString: serializable });

    expect(await store.append('entry-s.1', events(1), 'none')).toMatchObject({ revision: 0n });
    await store.close();
  });
});

describe('group commit', () => {
  // While somebody else holds the lock, one append is under way and ten pile up behind it. They go out in one call, hence one transaction
  // (one xmin), and each has a result of its own in it.
  test('appends that wait are committed together, and a wrong revision among them fails alone', async () => {
    await log.store.append('entry-s.3', events(1), 'none');
    const release = await log.silence();
    const first = log.store.append('entry-s.0', events(1), 'none');
    await oneWaitsForTheLock();
    const piledUp = Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => log.store.append(`entry-s.${n}`, events(n), 'none')));
    await release();
    await first;

    const outcomes = await piledUp;

    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map((_, n) => (n === 2 ? 'rejected' : 'fulfilled')));
    expect(outcomes[2]).toMatchObject({ reason: { name: 'WrongExpectedRevision', stream: 'entry-s.3', expected: 'none', actual: 0n } });
    expect(await transactions([1, 2, 4, 5, 6, 7, 8, 9, 10])).toBe(1);
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') expect((await all(log.store.read(`entry-s.${n + 1}`))).at(-1)).toMatchObject(outcome.value);
    }
  });

  // A group is one statement, so what PostgreSQL itself cannot take (here: no JSON, and a letter that no text can hold) fails all of it.
  // The store sends each again by itself; had the group been written after all, their ids would answer.
  test('a group that fails as a whole is sent again one by one, and only the crooked ones fail', async () => {
    const release = await log.silence();
    const first = log.store.append('entry-s.0', events(1), 'none');
    await oneWaitsForTheLock();
    const piledUp = Promise.allSettled([
      log.store.append('entry-s.1', events(2), 'none'),
      log.store.append('entry-s.2', [event({ data: '{"mark":' })], 'none'),
      log.store.append('entry-s.3', events(2), 'none'),
      log.store.append('entry-s.4\0', events(1), 'none'),
      log.store.append('entry-s.5', events(2), 'none'),
    ]);
    await release();
    await first;

    const outcomes = await piledUp;

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { message: expect.stringContaining('json') } });
    expect(await all(log.store.readAll('start'))).toHaveLength(7);
    expect(await transactions([1, 3, 5])).toBe(3);
  });

  // A repeat makes the plain way through the function impossible for its whole group; the others in it must not notice.
  test('repeats, ids that are taken and new events in one group each get their own answer', async () => {
    const known = events(2);
    const firstResult = await log.store.append('entry-s.1', known, 'none');
    await log.store.append('entry-s.1', events(1), 1n);
    const release = await log.silence();
    const first = log.store.append('entry-s.0', events(1), 'none');
    await oneWaitsForTheLock();
    const piledUp = Promise.allSettled([
      log.store.append('entry-s.2', events(2), 'none'),
      log.store.append('entry-s.1', known, 'none'),
      log.store.append('entry-s.3', known, 'none'),
      log.store.append('entry-s.4', events(1), 7n),
      log.store.append('entry-s.5', events(3), 'any'),
    ]);
    await release();
    await first;

    const outcomes = await piledUp;

    expect(outcomes).toMatchObject([
      { value: { revision: 1n } },
      { value: firstResult },
      { reason: { name: 'EventIdTaken' } },
      { reason: { name: 'WrongExpectedRevision', actual: 'none' } },
      { value: { revision: 2n } },
    ]);
    expect(await transactions([2, 5])).toBe(1);
  });

  // Two appends to one stream cannot be checked against one state of it, so the second waits for the next group: it keeps its place.
  test('several appends to one stream keep the order in which they were asked for', async () => {
    const inOrder = events(5);
    const results = await Promise.all(inOrder.map((one, n) => log.store.append('entry-s.1', [one], n === 0 ? 'none' : BigInt(n - 1))));

    expect(results.map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids(inOrder));
  });

  // One call with many large appends would hold the lock, and the server's memory, for as long as all of them take.
  test('what waits is cut into groups of at most 1 MiB', async () => {
    const release = await log.silence();
    const first = log.store.append('entry-s.0', events(1), 'none');
    await oneWaitsForTheLock();
    const piledUp = [1, 2, 3, 4].map((n) => log.store.append(`entry-s.${n}`, [event({ data: noise(n === 4 ? 36 : 600_000) })], 'none'));
    await release();
    await Promise.all([first, ...piledUp]);

    expect(await transactions([1, 2, 3])).toBe(3);
    expect(await transactions([3, 4])).toBe(1);
  });
});

describe('a lost connection', () => {
  // The call was sent and waits for the lock when its connection dies: it may yet be written, for all that this process can know.
  test('under an append leaves its outcome unknown, and the next append finds a connection by itself', async () => {
    const release = await log.silence();
    const same = events(2);
    const append = failure(log.store.append('entry-s.1', same, 'none'));
    await oneWaitsForTheLock();
    await log.cut();

    expect(await append).toBeInstanceOf(OutcomeUnknown);
    await release();
    expect(await insist(() => log.store.append('entry-s.1', same, 'none'))).toMatchObject({ revision: 1n });
    expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids(same));
  });

  // When a call gets no answer, those behind it were not sent: they need not wait for their own time-out, and nothing of theirs was written.
  test('while an append gets no answer, those that wait behind it are told that nothing was written', async () => {
    const impatient = log.join({ timeoutMs: 3000 });
    await impatient.append('entry-s.0', events(1), 'none');
    const release = await log.silence();
    const sent = failure(impatient.append('entry-s.1', events(1), 'none'));
    await oneWaitsForTheLock();
    const behind = failure(impatient.append('entry-s.2', events(1), 'none'));

    expect(await sent).toBeInstanceOf(OutcomeUnknown);
    expect(await behind).toBeInstanceOf(StoreUnavailable);
    await release();
    expect(await all(log.store.read('entry-s.2'))).toEqual([]);
  });

  test('before anything was sent, an append and a read say that the store is not there', async () => {
    const nowhere = postgresStore({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' });

    expect(await failure(nowhere.append('entry-s.1', events(1), 'none'))).toBeInstanceOf(StoreUnavailable);
    expect(await failure(all(nowhere.read('entry-s.1')))).toBeInstanceOf(StoreUnavailable);
    expect(await failure(nowhere.head())).toBeInstanceOf(StoreUnavailable);
    await nowhere.close();
  });

  // Connections are cut again and again while eight writers go on as every caller does: again, with the same ids, until there is an answer.
  // Whether the lost call was written or not, its events stand in the log once.
  test('again and again: every append is there once', async () => {
    let writing = true;
    const cutting = (async () => {
      while (writing) await log.cut();
    })();
    const written = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const own: NewEvent[] = [];
        for (let left = 15; left > 0; left -= 1) {
          const next = event();
          await insist(() => log.store.append(`entry-s.${n}`, [next], own.length === 0 ? 'none' : BigInt(own.length - 1)), 10_000);
          own.push(next);
        }
        return own;
      }),
    ).finally(() => (writing = false));
    await cutting;

    for (const [n, own] of written.entries()) expect(ids(await insist(() => all(log.store.read(`entry-s.${n}`))))).toEqual(ids(own));
  });
});

describe('subscribers', () => {
  // With a poll that never comes, only the notification can wake it.
  test('wake at the notification of another process', async () => {
    const seen = follow(log.join({ pollMs: 1_000_000 }), 'start');
    await seen.until(({ live }) => live);
    // The first may be found by the look at the head with which listening begins; the second cannot.
    await log.store.append('entry-s.1', events(1), 'none');
    await seen.until(({ events: some }) => some.length > 0);
    const { position } = await log.store.append('entry-s.1', events(1), 0n);

    await seen.until((batch) => batch.position >= position);
    await seen.end();
  });

  // Whoever calls the function without the store notifies nobody, as does a process that dies between its commit and its notification.
  test('find by polling what no notification told them', async () => {
    const seen = follow(log.join({ pollMs: 50 }), 'start');
    await seen.until(({ live }) => live);
    const [quiet] = events(1);
    await append(log.beside, 'entry-s.1', quiet ? [quiet] : []);

    await seen.until(({ events: some }) => some.some(({ id }) => id === quiet?.id));
    await seen.end();
  });

  test('hundreds of them that sleep need one connection', async () => {
    const store = log.join();
    const sleeping = Array.from({ length: 300 }, () => follow(store, 'start'));
    await Promise.all(sleeping.map((seen) => seen.until(({ live }) => live)));
    const { position } = await store.append('entry-s.1', events(1), 'none');
    await Promise.all(sleeping.map((seen) => seen.until((batch) => batch.position >= position)));

    const { rows } = await log.beside.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'marktrail log'",
    );
    expect(rows[0]?.n).toBeLessThanOrEqual(6);
    await Promise.all(sleeping.map((seen) => seen.end()));
  });
});

describe('memory', () => {
  // Rows are many or large, and a page is cut by what comes first; a reader that took "1,000 rows" of parts would hold a gigabyte.
  test('a batch, and a page of a stream, hold little more than 1 MiB', async () => {
    const large = events(6, { data: noise(600_000) });
    for (const [n, one] of large.entries()) await log.store.append('entry-s.1', [one], n === 0 ? 'none' : BigInt(n - 1));
    const seen = follow(log.store, 'start');
    await seen.until(({ live }) => live);

    expect(seen.batches.map((batch) => batch.events.length)).toEqual([2, 2, 2]);
    expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids(large));
    await seen.end();
  });
});

describe('the migration', () => {
  // Two processes of a product start at the same time, against an empty database and against one that is up to date.
  test('may be done by two at once, and again', async () => {
    const database = await emptyDatabase();
    const clients = await Promise.all([session(database.url), session(database.url)]);

    for (let round = 0; round < 3; round += 1) await Promise.all(clients.map((client) => migrateLog(client)));

    const store = postgresStore({ connectionString: database.url });
    expect(await store.append('entry-s.1', events(1), 'none')).toEqual({ revision: 0n, position: 1n });
    await Promise.all(clients.map((client) => migrateLog(client)));
    expect(await store.append('entry-s.1', events(1), 0n)).toEqual({ revision: 1n, position: 2n });
    expect(await failure(store.append('entry-s.1', events(1), 0n))).toBeInstanceOf(WrongExpectedRevision);
    await store.close();
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });
});

const session = async (url = log.url): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  others.push(client);
  return client;
};

/** The store's own function, called by hand on this connection. */
const append = (client: pg.Client, stream: string, list: readonly NewEvent[]) =>
  client.query('select * from log.append($1, $2, $3, $4, $5, $6, $7)', [
    [stream],
    [-1],
    [1],
    ids(list),
    list.map(({ type }) => type),
    list.map(({ data }) => data),
    list.map(({ metadata }) => metadata),
  ]);

/** Until PostgreSQL says that somebody waits for the lock of log.append. */
const oneWaitsForTheLock = async () => {
  for (let waiting = 0; waiting === 0;) {
    const { rows } = await log.beside.query<{ n: number }>(
      `select count(*)::int as n from pg_locks
        where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
    );
    waiting = rows[0]?.n ?? 0;
  }
};

/** How many transactions wrote the streams entry-s.n. */
const transactions = async (streams: readonly number[]): Promise<number | undefined> => {
  const { rows } = await log.beside.query<{ n: number }>(
    'select count(distinct xmin::text)::int as n from log.events where stream = any ($1)',
    [streams.map((n) => `entry-s.${n}`)],
  );
  return rows[0]?.n;
};
