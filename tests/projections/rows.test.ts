import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LoadingRowSet } from '../../projections/engine/tables/row-set.ts';
import { WorkingRows } from '../../projections/engine/tables/rows.ts';
import { WrittenKeys } from '../../projections/engine/tables/written-keys.ts';
import { json, table, type Row } from '../../projections/engine/tables/table.ts';
import { tableSql } from '../../projections/engine/tables/table-sql.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';

const things = table('things', {
  key: { group_id: 'uuid', thing_id: 'uuid' },
  columns: {
    name: 'text?',
    yes: 'bool',
    small: 'int2',
    big: 'int8',
    real: 'float8',
    day: 'date?',
    at: 'timestamptz',
    ids: 'uuid[]',
    names: 'text[]',
    numbers: 'int4[]',
    value: json<{ readonly b: number; readonly a: string }>(),
    raw: 'json',
  },
});
type Thing = Row<typeof things>;

const school = randomUUID();
const group = randomUUID();
const thing = (thing_id: string, some: Partial<Thing> = {}): Thing => ({
  school_id: school,
  group_id: group,
  thing_id,
  name: 'a "name", with {all} \\ and\nlines',
  yes: true,
  small: 7,
  big: 9007199254740993n,
  real: 1e-7,
  day: '2026-09-01',
  at: '2026-09-01T08:00:00.120Z',
  ids: [group],
  names: ['a,b', '"', '', 'NULL', '\\'],
  numbers: [1, -2],
  value: { b: 1, a: 'x"y' },
  raw: '{"z": 1, "a": [ ]}',
  ...some,
});
const keyOf = (thing_id: string) => ({ school_id: school, group_id: group, thing_id });

let database: TestDatabase;
let sql: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});
beforeEach(async () => {
  await sql.query(`drop table if exists things; create table things (
    ${things.columns.map(({ name, type, nullable }) => `${name} ${type} ${nullable ? '' : 'not null'}`).join(', ')}, primary key (school_id, group_id, thing_id))`);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

type Chunk = LoadingRowSet<typeof things> & Pick<WorkingRows, 'statements'>;
const store = async (rows: Chunk): Promise<void> => {
  for (const statement of await rows.statements()) await statement(sql);
};
const chunk = (before?: Chunk): Chunk =>
  new WorkingRows(things, tableSql(things, 'things'), sql, [school], { before: before as never }) as never;
const stored = async (...rows: Thing[]): Promise<void> => {
  const rowsOf = chunk();
  await rowsOf.load(rows);
  for (const row of rows) rowsOf.put(row);
  await store(rowsOf);
};

test.each([
  ['one', 0],
  ['many', 600],
])('every type of column comes back as it was put, with %s', async (_, others) => {
  const id = randomUUID();
  const empty = thing(randomUUID(), {
    name: null,
    yes: false,
    ids: [],
    names: [],
    numbers: [],
    small: -32768,
    big: -9007199254740993n,
    real: -0.5,
    day: '1969-07-20',
    at: '1969-07-20T20:17:40.001Z',
    raw: 'null',
  });
  const odd = thing(randomUUID(), { name: 'a\tb\\N \u{1f600} \r' });
  await stored(thing(id), empty, odd, ...Array.from({ length: others }, () => thing(randomUUID())));
  const rows = chunk();
  await rows.load([keyOf(id), empty, odd]);
  expect(rows.get(keyOf(id))).toEqual(thing(id));
  expect(rows.get(empty)).toEqual(empty);
  expect(rows.get(odd)).toEqual(odd);
});

test.each([0, 600])('a character that PostgreSQL does not have is replaced, beside %i others', async (others) => {
  const id = randomUUID();
  await stored(thing(id, { name: 'a\0b' }), ...Array.from({ length: others }, () => thing(randomUUID())));
  const rows = chunk();
  await rows.load([keyOf(id)]);
  expect(rows.get(keyOf(id))?.name).toBe('a\ufffdb');
});

test('a row that was not loaded is not looked at, written or removed', () => {
  const rows = chunk();
  expect(() => rows.get(keyOf(group))).toThrow(
    `things: the row school_id = ${school}, group_id = ${group}, thing_id = ${group} was not loaded`,
  );
  expect(() => rows.put(thing(group))).toThrow('was not loaded');
  expect(() => rows.delete(keyOf(group))).toThrow('was not loaded');
  expect(() => rows.where('group_id', group)).toThrow(`things: the rows with group_id = ${group} were not loaded`);
});

describe('what the chunk before changed', () => {
  const [kept, gone, moved, fresh] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const elsewhere = randomUUID();
  const before = async (): Promise<Chunk> => {
    await stored(thing(kept), thing(gone), thing(moved, { small: 1 }));
    const rows = chunk();
    await rows.load([kept, gone, moved, fresh].map(keyOf));
    await rows.load([{ ...keyOf(moved), group_id: elsewhere }]);
    rows.put(thing(kept, { name: 'changed' }));
    rows.delete(keyOf(gone));
    rows.put(thing(fresh, { name: 'new' }));
    rows.delete(keyOf(moved));
    rows.put(thing(moved, { group_id: elsewhere }));
    return rows;
  };
  const names = (rows: readonly Thing[]): unknown[] => rows.map(({ thing_id, name }) => [thing_id, name]).toSorted();
  const now = [
    [kept, 'changed'],
    [fresh, 'new'],
  ].toSorted();

  test('is seen by the next one before it is stored, however it looks for it', async () => {
    const earlier = await before();
    const byKey = chunk(earlier);
    await byKey.load([kept, gone, moved, fresh].map(keyOf));
    expect([kept, gone, moved, fresh].map((id) => byKey.get(keyOf(id))?.name)).toEqual(['changed', undefined, undefined, 'new']);
    const beneath = chunk(earlier);
    await beneath.loadUnder([{ school_id: school, group_id: group }]);
    expect([kept, gone, moved, fresh].map((id) => beneath.get(keyOf(id))?.name)).toEqual(['changed', undefined, undefined, 'new']);
    const byValue = chunk(earlier);
    await byValue.loadWhere('group_id', [group]);
    expect(names(byValue.where('group_id', group))).toEqual(now);
  });

  test('is changed further by it, and both are stored', async () => {
    const earlier = await before();
    const later = chunk(earlier);
    await later.load([kept, gone, fresh].map(keyOf));
    later.put(thing(gone, { name: 'back' }));
    later.delete(keyOf(fresh));
    later.put({ ...later.get(keyOf(kept))!, small: 9 });
    await store(earlier);
    await store(later);
    const rows = chunk();
    await rows.loadWhere('group_id', [group, elsewhere]);
    const all = [...rows.where('group_id', group), ...rows.where('group_id', elsewhere)];
    expect(names(all)).toEqual(
      [
        [kept, 'changed'],
        [gone, 'back'],
        [moved, thing(moved).name],
      ].toSorted(),
    );
    expect(rows.get(keyOf(kept))?.small).toBe(9);
  });
});

test('only what is different is written', async () => {
  const [same, other, gone] = [randomUUID(), randomUUID(), randomUUID()];
  await stored(thing(same), thing(other), thing(gone));
  const places = async () =>
    new Map(
      (await sql.query<{ id: string; place: string }>('select thing_id as id, ctid::text as place from things')).rows.map(
        ({ id, place }) => [id, place],
      ),
    );
  const before = await places();

  const rows = chunk();
  await rows.load([same, other, gone].map(keyOf));
  rows.put({ ...thing(same) });
  rows.put(thing(other, { value: { b: 2, a: 'x"y' } }));
  rows.delete(keyOf(gone));
  await store(rows);

  const after = await places();
  expect(after.get(same)).toBe(before.get(same));
  expect(after.get(other)).not.toBe(before.get(other));
  expect(after.has(gone)).toBe(false);
});

describe('rows by a value', () => {
  test('are all there, with what this chunk put, moved and removed', async () => {
    const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await stored(thing(a, { small: 1 }), thing(b, { small: 1 }), thing(c, { small: 1 }), thing(d, { small: 2 }));
    const rows = chunk();
    await rows.load([keyOf(a)]);
    rows.put(thing(a, { small: 3 }));
    await rows.loadWhere('small', [1, 3]);
    await rows.load([keyOf(d)]);
    rows.put(thing(d, { small: 1 }));
    rows.delete(keyOf(b));
    const ids = (small: number) =>
      rows
        .where('small', small)
        .map(({ thing_id }) => thing_id)
        .sort();
    expect(ids(1)).toEqual([c, d].sort());
    expect(ids(3)).toEqual([a]);
  });

  test('tell, by a column of the key, that there is no other', async () => {
    const id = randomUUID();
    await stored(thing(id));
    const rows = chunk();
    await rows.loadWhere('group_id', [group]);
    expect(rows.get(keyOf(id))).toEqual(thing(id));
    expect(rows.get(keyOf(randomUUID()))).toBeUndefined();
    expect(() => rows.get({ ...keyOf(id), group_id: randomUUID() })).toThrow('was not loaded');
    expect(() => rows.get({ ...keyOf(id), school_id: randomUUID() })).toThrow('was not loaded');
  });

  test('are those of the schools of the chunk', async () => {
    const foreign = { ...thing(randomUUID()), school_id: randomUUID() };
    await stored(foreign);
    const rows = chunk();
    await rows.loadWhere('group_id', [group]);
    expect(rows.where('group_id', group)).toEqual([]);
  });
});

describe('thousands of rows', () => {
  const ids = Array.from({ length: 9000 }, () => randomUUID());

  test('are stored, found and changed', async () => {
    await stored(...ids.map((id, i) => thing(id, { big: BigInt(i) })));
    const rows = chunk();
    await rows.load(ids.map(keyOf));
    for (const id of ids) rows.put({ ...thing(id), big: (rows.get(keyOf(id))?.big ?? 0n) + 1n });
    await store(rows);
    expect((await sql.query(`select count(*)::int as n, sum(big)::int as total from things`)).rows).toEqual([
      { n: 9000, total: (9000 * 9001) / 2 },
    ]);
  });

  test('are told from those beside them, few or many', async () => {
    await stored(...ids.slice(0, 4000).map((id) => thing(id)));
    for (const [from, to, found] of [
      [3800, 4500, 200],
      [3000, 9000, 1000],
      [4000, 9000, 0],
    ] as const) {
      const rows = chunk();
      await rows.load(ids.slice(from, to).map(keyOf));
      expect(ids.slice(from, to).filter((id) => rows.get(keyOf(id))).length).toBe(found);
    }
  });

  test.each([
    ['day', 'yesterday-ish'],
    ['small', 32_768],
    ['small', 1.5],
    ['ids', ['not-an-id']],
  ])('that cannot be stored say why, once: %s is %s', async (column, value) => {
    const rows = chunk();
    const right = ids.slice(0, 600).map((id) => thing(id));
    const wrong = { ...thing(randomUUID()), [column]: value };
    await rows.load([...right, wrong]);
    for (const row of [...right, wrong]) rows.put(row);
    await expect(store(rows)).rejects.toThrow(`${column}: "${String(value)}" is no `);
  });
});

describe('a table whose rows were all written here', () => {
  const rowsOf = (written?: WrittenKeys): Chunk =>
    new WorkingRows(things, tableSql(things, 'things'), sql, [school], written && { written }) as never;
  /** Looks at the key's index within the transaction. */
  const looks = async (): Promise<number> =>
    (await sql.query<{ n: number }>(`select pg_stat_get_xact_numscans('things_pkey'::regclass)::int as n`)).rows[0]!.n;
  beforeEach(() => sql.query('begin; set local enable_seqscan = off'));
  afterEach(() => sql.query('rollback'));

  test('is not asked for rows that nobody can have written', async () => {
    const ids = Array.from({ length: 100 }, () => randomUUID());
    await rowsOf().load(ids.map(keyOf));
    expect(await looks()).toBeGreaterThan(0);
    const before = await looks();

    const rows = rowsOf(new WrittenKeys());
    await rows.load(ids.map(keyOf));
    expect(ids.map((id) => rows.get(keyOf(id)))).toEqual(ids.map(() => undefined));
    expect(await looks()).toBe(before);
  });

  test('is asked for every row that may have been written, however it came', async () => {
    const written = new WrittenKeys();
    const ids = Array.from({ length: 1200 }, () => randomUUID());
    const first = rowsOf(written);
    await first.load(ids.slice(0, 600).map(keyOf));
    await first.loadUnder([{ school_id: school, group_id: group }]);
    for (const id of ids) first.put(thing(id));
    await store(first);

    const second = rowsOf(written);
    await second.load(ids.map(keyOf));
    for (const id of ids) second.put({ ...second.get(keyOf(id))!, small: 8 });
    await store(second);
    expect((await sql.query('select small, count(*)::int from things group by small')).rows).toEqual([{ small: 8, count: 1200 }]);
  });

  test.each([1, 100])('is not asked for %i rows that the log itself has only once', async (count) => {
    const before = await looks();
    const rows = rowsOf();
    for (let at = 0; at < count; at++) rows.add(thing(randomUUID(), { small: at }));
    await store(rows);
    expect((await sql.query('select count(distinct small)::int as n from things')).rows).toEqual([{ n: count }]);
    // An upsert of a few of them looks for itself.
    expect((await looks()) - before).toBeLessThanOrEqual(count < 64 ? count : 0);
  });

  test('knows its keys when they are a hundred thousand, and takes few others for them', () => {
    const written = new WrittenKeys();
    const keysOf = (kind: string, count: number) => Array.from({ length: count }, (_, at) => [school, `${kind}-${at}`, null]);
    const known = keysOf('known', 150_000);
    const taken = known.filter((key) => !written.isNew(key)).length;
    expect(taken).toBeLessThan(3_000);
    expect(known.some((key) => written.isNew(key))).toBe(false);
    expect(keysOf('other', 10_000).filter((key) => !written.isNew(key)).length).toBeLessThan(400);
    expect(written.isNew([school.toUpperCase(), 'KNOWN-7', null])).toBe(false);
  });
});
