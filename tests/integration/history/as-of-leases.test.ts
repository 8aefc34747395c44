import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../../projections/engine/engine.ts';
import { Progress } from '../../../projections/engine/announcing/progress.ts';
import type { AsOf, AsOfOptions } from '../../../projections/engine/as-of/as-of.ts';
import { schemaOf } from '../../../projections/engine/as-of/places.ts';
import type { Ask } from '../../../projections/engine/reader.ts';
import { Reader } from '../../../projections/engine/reader.ts';
import { askedProjections, projectionsOfAnyMoment } from '../../../projections/all.ts';
import type { Position } from '../../../events/store/port.ts';
import { openAsOf, schoolNameIn } from '../../support/as-of.ts';
import { openCodec } from '../../support/log.ts';
import { renamedSchools, somebody } from '../../support/renamed-schools.ts';

const { school, neighbour, names, times, closing, process, ask } = await renamedSchools();
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(() => database.connect());
afterAll(() => database.end());

/** A store whose first reading waits until it is let go on. */
const slowStore = () => {
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isReading, resolve: reads } = Promise.withResolvers<void>();
  const { store } = school.backend;
  const slow: AsOfOptions['store'] = {
    async *read(stream, from) {
      reads();
      await goOn;
      yield* store.read(stream, from);
    },
  };
  return { store: slow, letGo, isReading };
};

const held = async (slot: number): Promise<number> => {
  const { rows } = await database.query<{ count: string }>(`select count(*) from ${schemaOf(slot)}.history`);
  return Number(rows[0]?.count);
};
const leases = async () =>
  (await database.query<{ slot: number; state: string }>('select slot, state from read_as_of.lease order by slot')).rows.map(
    ({ slot, state }) => `${slot} ${state}`,
  );

describe('who has which schema', () => {
  test('each of two people sees their own moment, as often as they ask; a third is told to wait', async () => {
    const [at, one, two] = [process(), somebody(), somebody()];
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all([ask(at, 0, one), ask(at, 1, two)])).toEqual(['One', 'Two']);
    }
    await expect(ask(at, 2)).rejects.toMatchObject({ name: 'AsOfBusy', retryAfter: expect.any(Number) });
    expect(await Promise.all([ask(at, 0, one), ask(at, 1, two), ask(at, 0), ask(at, 1)])).toEqual(['One', 'Two', 'One', 'Two']);
  });

  test('what was put together is there for who asks again, here and in another process', async () => {
    const [here, elsewhere] = [
      process(),
      process({
        store: {
          read: () => {
            throw new Error('nothing need be read again');
          },
        },
      }),
    ];
    expect(await ask(here, 1)).toBe('Two');
    expect(await ask(here, 1)).toBe('Two');
    expect(await ask(elsewhere, 1)).toBe('Two');
    expect(await leases()).toEqual(['1 filled', '2 empty']);
  });

  test('who wants to know how far it is is told so, here and in another process, and gets the answer once it is there', async () => {
    const { store, letGo, isReading } = slowStore();
    const [here, elsewhere] = [process({ store }), process()];
    const look = (at: AsOf) =>
      at.read({ schoolId: school.schoolId, accountId: somebody(), moment: times[1] ?? '', fillingMs: 1 }, schoolNameIn);
    const waiting = ask(here, 1);
    await isReading;
    for (const at of [here, elsewhere])
      await expect(look(at)).rejects.toMatchObject({ name: 'AsOfFilling', filling: { done: 0, total: expect.toSatisfy((n) => n > 30) } });
    letGo();
    expect(await waiting).toBe('Two');
    expect((await look(here)).result).toBe('Two');
  });

  test('who leafs through many moments keeps nobody else waiting', async () => {
    const [at, leafing] = [process(), somebody()];
    for (const time of [0, 1, 2, 3, 0]) expect(await ask(at, time, leafing)).toBe(names[time]);
    expect(await ask(at, 2)).toBe('Three');
    expect(await ask(at, 0, leafing)).toBe('One');
  });

  test('a schema that nobody has asked for lately is anybody’s, and in the end it is emptied', async () => {
    const at = process({ schemas: 1, keepMs: 0 });
    expect(await ask(at, 0)).toBe('One');
    expect(await ask(at, 1)).toBe('Two');
    expect(await held(1)).toBeGreaterThan(30);
    await at.sweep();
    expect(await held(1)).toBeGreaterThan(30);
    const tidy = openAsOf(school, { idleMs: 0 });
    await tidy.asOf.sweep();
    expect([await held(1), await leases()]).toEqual([0, ['1 empty']]);
    await tidy.close();
    expect(await ask(at, 1)).toBe('Two');
  });

  test('who is reading keeps their schema until they have done', async () => {
    const at = process({ schemas: 1, keepMs: 0 });
    const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: isReading, resolve: reads } = Promise.withResolvers<void>();
    const reading = at.read({ schoolId: school.schoolId, accountId: somebody(), moment: times[0] ?? '' }, async (query) => {
      const first = await schoolNameIn(query);
      reads();
      await goOn;
      return [first, await schoolNameIn(query)];
    });
    await isReading;
    await expect(ask(process({ schemas: 1, keepMs: 0, patienceMs: 1_000 }), 1)).rejects.toMatchObject({ name: 'AsOfBusy' });
    letGo();
    expect((await reading).result).toEqual(['One', 'One']);
    expect(await ask(at, 1)).toBe('Two');
  });

  test('all that ask for one moment at the same time share one filling', async () => {
    const [here, elsewhere] = [process(), process()];
    const asked = Array.from({ length: 8 }, (_, i) => ask(i % 2 === 0 ? here : elsewhere, 2));
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'Three'));
    expect(await leases()).toEqual(['1 filled', '2 empty']);
  });

  test('a filling that takes long is not waited for without end, and goes on', async () => {
    const { store, letGo } = slowStore();
    const at = process({ store, patienceMs: 100 });
    await expect(ask(at, 0)).rejects.toMatchObject({ name: 'AsOfBusy' });
    letGo();
    expect(await ask(process(), 0)).toBe('One');
  });
});

describe('two schools', () => {
  test('asked side by side, neither ever sees a row of the other', async () => {
    const at = process({ keepMs: 0 });
    const schools = [school, neighbour];
    const one = async (i: number): Promise<void> => {
      const of = schools[i % 2]!;
      const view = { schoolId: of.schoolId, accountId: somebody(), moment: times[i % 3] ?? '' };
      const rows = await patient(() => at.read(view, rowsOfSchools));
      expect([...rows.result.keys()], `question ${i}`).toEqual([of.schoolId]);
      expect(rows.result.get(of.schoolId)).toBeGreaterThan(50);
    };
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 4 }, (_, i) => one(round + i)));
  });

  test('row-level security holds in the schemas too', async () => {
    await ask(process(), 3);
    const reader = new Reader({ databaseUrl: school.databaseUrl, schema: schemaOf(1) });
    closing.push(() => reader.close());
    expect((await reader.readAs(school.schoolId, rowsOfSchools)).size).toBe(1);
    expect((await reader.readAs(neighbour.schoolId, rowsOfSchools)).size).toBe(0);
    await expect(reader.readAs(school.schoolId, (query) => query({ text: 'delete from schools' }))).rejects.toThrow(/read-only|denied/);
  });

  const rowsOfSchools = async (query: Ask): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (const name of ['schools', 'sets', 'students', 'enrolments', 'tests', 'questions', 'accounts', 'history']) {
      const rows = await query<{ school_id: string }>({ text: `select school_id from ${name}` });
      for (const { school_id } of rows) found.set(school_id, (found.get(school_id) ?? 0) + 1);
    }
    return found;
  };
});

/** Asks again while all schemas are taken. */
const patient = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AsOfBusy') throw error;
      await new Promise(setImmediate);
    }
  }
};

test('the rows of a moment are those of a fold of the school’s events until then', async () => {
  const at = process({ schemas: 1, keepMs: 0 });
  const { store } = school.backend;
  const all: { position: Position; at: string }[] = [];
  for await (const { stream, position, metadata } of store.readAll('start')) {
    if (stream.includes(school.schoolId)) all.push({ position, at: (JSON.parse(metadata) as { at: string }).at });
  }
  const opened = openCodec(school.databaseUrl);
  closing.push(opened.close);
  for (const share of [0.2, 0.6, 0.95]) {
    const { at: time } = all[Math.floor(all.length * share)]!;
    const last = all.findLast((event) => event.at <= time)!.position;
    const schema = `fresh_${Math.floor(share * 100)}`;
    const engine = new Engine({
      databaseUrl: school.databaseUrl,
      schema,
      progress: new Progress({ databaseUrl: school.databaseUrl, schema }),
      projections: askedProjections,
      decode: (recorded) => opened.codec.decode(recorded, (stream, from) => store.read(stream, from)),
      store: {
        ...store,
        head: async () => last,
        async *subscribe(after, options) {
          for await (const page of store.subscribe(after, options))
            yield { ...page, events: page.events.filter(({ position }) => position <= last) };
        },
      },
    });
    await engine.catchUp();
    await engine.stop();
    await at.read({ schoolId: school.schoolId, accountId: somebody(), moment: time }, async () => undefined);
    let compared = 0;
    for (const { name } of projectionsOfAnyMoment.flatMap(({ tables }) => Object.values(tables))) {
      const rows = async (where: string) =>
        (
          await database.query<{ row: string }>(
            `select t::text as row from ${where}.${name} t where school_id = $1 order by t::text collate "C"`,
            [school.schoolId],
          )
        ).rows.map(({ row }) => row);
      const expected = await rows(schema);
      expect(await rows(schemaOf(1)), `${name} as of ${time}`).toEqual(expected);
      compared += expected.length;
    }
    expect(compared).toBeGreaterThan(10);
  }
});

describe('trouble', () => {
  test('a process that dies in the middle of a filling leaves the schema free', async () => {
    const { store, isReading, letGo } = slowStore();
    const dying = process({ schemas: 1, store });
    const asked = ask(dying, 0).catch((error: unknown) => error);
    await isReading;
    const other = process({ schemas: 1, patienceMs: 200 });
    await expect(ask(other, 1)).rejects.toMatchObject({ name: 'AsOfBusy' });
    await expect(ask(other, 0)).rejects.toMatchObject({ name: 'AsOfBusy' });

    // What PostgreSQL sees of a process that is killed: its connections end.
    await database.query(
      `select pg_terminate_backend(a.pid, 5000) from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and a.application_name = 'marktrail as-of'`,
    );
    expect(await ask(process({ schemas: 1 }), 1)).toBe('Two');
    expect(await leases()).toEqual(['1 filled']);
    letGo();
    expect(await asked).toBeInstanceOf(Error);
  });

  test('what a dead process left half done is cleaned up by the next', async () => {
    const at = process({ schemas: 1 });
    await ask(at, 0);
    await database.query(`update read_as_of.lease set state = 'filling'`);
    await process().sweep();
    expect([await held(1), await leases()]).toEqual([0, ['1 empty']]);
  });

  test('a filling that fails is told to who waits for it, and the next one is tried afresh', async () => {
    let broken = true;
    const { store } = school.backend;
    const at = process({
      schemas: 1,
      store: {
        read(stream, from) {
          if (broken) throw new Error('the log is away');
          return store.read(stream, from);
        },
      },
    });
    await expect(ask(at, 0)).rejects.toThrow('the log is away');
    broken = false;
    expect(await ask(at, 0)).toBe('One');
  });

  test('a process that stops gives up its filling', async () => {
    const { store, isReading, letGo } = slowStore();
    const { asOf, close } = openAsOf(school, { schemas: 1, store });
    const asked = ask(asOf, 0).catch((error: unknown) => error);
    await isReading;
    letGo();
    await close();
    await asked;
    // PostgreSQL releases the lock when it notices that the connection is gone, which may be a moment later.
    const next = process({ schemas: 1 });
    await expect.poll(() => ask(next, 1).catch((error: unknown) => error)).toBe('Two');
  });

  test('programs of two versions make the tables each needs', async () => {
    const newer = askedProjections.map((projection) => ({ ...projection, version: projection.version + 1 }));
    const [old, next] = [process({ schemas: 1, keepMs: 0 }), process({ schemas: 1, keepMs: 0, projections: newer })];
    for (let round = 0; round < 2; round++) {
      expect(await ask(old, 0)).toBe('One');
      expect(await ask(next, 0)).toBe('One');
    }
  });

  test('a crash of PostgreSQL, which empties the schemas, is noticed', async () => {
    const at = process({ schemas: 1 });
    expect(await ask(at, 0)).toBe('One');
    // As recovery leaves tables that are not logged.
    const { rows } = await database.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
        where relkind = 'r' and relpersistence = 'u' and nspname like 'read_as_of%'`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read_as_of.lease', expect.stringMatching(/^read_as_of_1\.schools_v\d+$/)]),
    );
    await database.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
    expect(await ask(at, 0)).toBe('One');
  });
});

test('who is forgotten is forgotten as of every moment', async () => {
  const opened = openCodec(school.databaseUrl);
  closing.push(opened.close);
  const at = process({ schemas: 1, forgettings: opened.settledForgettings });
  const accountId = somebody();
  const name = async (): Promise<string | null | undefined> =>
    (
      await at.read({ schoolId: school.schoolId, accountId, moment: times[0] ?? '' }, (query) =>
        query<{ name: string | null }>({ text: 'select name from students where student_id = $1' }, [school.ids.students['C4']]),
      )
    ).result[0]?.name;
  expect(await name()).toBe('C4, Student');
  await opened.keys.forget(school.ids.students['C4'] ?? '');
  // As long ago as every process's memory of keys lasts.
  await database.query(`update keys.person_keys set forgotten_at = now() - interval '1 minute' where forgotten_at is not null`);
  await at.sweep();
  expect(await held(1)).toBe(0);
});
