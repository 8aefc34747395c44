import type { ClientBase } from 'pg';
import pg from 'pg';
import { isDamage } from '../../events/store/postgres/away.ts';
import type { Rest } from './rest.ts';

/** Pages of a table that cannot be read, from and to inclusive. */
export type DamagedPages = { readonly table: string; readonly from: number; readonly to: number };

/** The schema of PostgreSQL's amcheck, if it is there and we may use it. */
export const amcheckIn = async (client: ClientBase): Promise<string | undefined> => {
  const { rows } = await client.query<{ schema: string }>(
    `select quote_ident(n.nspname) as schema
       from pg_extension e
       join pg_namespace n on n.oid = e.extnamespace and has_schema_privilege(n.oid, 'usage')
       join pg_proc p on p.pronamespace = n.oid and p.proname in ('bt_index_check', 'verify_heapam')
      where e.extname = 'amcheck'
      group by 1
     having bool_and(has_function_privilege(p.oid, 'execute'))`,
  );
  return rows[0]?.schema;
};

export const hasChecksums = async (client: ClientBase): Promise<boolean> =>
  (await client.query<{ on: boolean }>(`select current_setting('data_checksums') = 'on' as on`)).rows[0]?.on === true;

/**
 * Reads every row of our tables, some pages at a time: PostgreSQL compares the checksum of each page that it reads from the disk, also of values
 * that it has put elsewhere.
 */
export const damagedPages = async (client: ClientBase, amcheck: string | undefined, rest: Rest): Promise<DamagedPages[]> => {
  const { rows } = await client.query<{ table: string; pages: number }>(
    `select format('%I.%I', n.nspname, c.relname) as table, (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relpersistence = 'p' and c.relowner = (select oid from pg_roles where rolname = current_user)
      order by 1`,
  );
  const damaged: DamagedPages[] = [];
  for (const { table, pages } of rows) {
    const read = async (from: number, to: number): Promise<number[]> => {
      await client.query(`select sum(length(t::text)) from only ${table} t where ctid >= '(${from},0)' and ctid < '(${to},0)'`);
      if (amcheck === undefined) return [];
      const found = await client.query<{ page: number }>(
        `select distinct blkno::int as page from ${amcheck}.verify_heapam($1, startblock := $2, endblock := $3) order by 1`,
        [table, from, to - 1],
      );
      return found.rows.map(({ page }) => page);
    };
    for (let from = 0; from < pages; from += PAGES) {
      const found = await damagedWithin(read, from, Math.min(from + PAGES, pages), rest).catch(unlessGone);
      damaged.push(...runsOf(found).map((run) => ({ table, ...run })));
    }
  }
  return damaged;
};

/** 4 MB. */
const PAGES = 500;

type Read = (from: number, to: number) => Promise<number[]>;

/** PostgreSQL stops at the first one: it is looked for in halves. */
const damagedWithin = async (read: Read, from: number, to: number, rest: Rest): Promise<number[]> => {
  await rest();
  try {
    return await read(from, to);
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (to - from === 1) return [from];
    const middle = Math.floor((from + to) / 2);
    return [...(await damagedWithin(read, from, middle, rest)), ...(await damagedWithin(read, middle, to, rest))];
  }
};

const runsOf = (pages: readonly number[]): { from: number; to: number }[] => {
  const runs: { from: number; to: number }[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last.to === page - 1) last.to = page;
    else runs.push({ from: page, to: page });
  }
  return runs;
};

/** A table that was dropped or cut meanwhile, with a read model. */
const unlessGone = (error: unknown): never[] => {
  if (error instanceof pg.DatabaseError && /^(42P01|42704|22023)$/.test(error.code ?? '')) return [];
  throw error;
};

/** Indexes that contradict themselves, or whose pages cannot be read. */
export const damagedIndexes = async (client: ClientBase, amcheck: string, rest: Rest): Promise<string[]> => {
  const { rows } = await client.query<{ oid: number; index: string }>(
    `select c.oid, format('%I.%I', n.nspname, c.relname) as index
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
       join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and i.indisvalid and c.relpersistence = 'p' and c.relowner = (select oid from pg_roles where rolname = current_user)
      order by 2`,
  );
  const damaged: string[] = [];
  for (const { oid, index } of rows) {
    await rest();
    const isDamaged = await client.query(`select ${amcheck}.bt_index_check($1::oid::regclass)`, [oid]).then(
      () => [],
      (error: unknown) => (isDamage(error) ? [index] : unlessGone(error)),
    );
    damaged.push(...isDamaged);
  }
  return damaged;
};
