import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Health } from '../../api/http/routes/health.ts';
import { Reader } from '../../projections/engine/reader.ts';
import { moment } from '../support/as-of.ts';
import { openProduct, readerUrl } from '../support/product.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** The second lock: what SQL that got into a query could reach over the connection on which queries run. */
const { school } = await schoolOfFile();
const url = readerUrl(school.databaseUrl);

const asOwner = async <Row extends object>(sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: school.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};
const health = async (of: { fetch: (request: Request) => Promise<Response> }) =>
  (await (await of.fetch(new Request('http://marktrail.test/api/health'))).json()) as Health;

test('queries of now and of earlier moments connect with a log-in of their own', async () => {
  const auditor = await school.as('auditor');
  expect((await auditor.query('me')).status).toBe(200);
  expect((await auditor.query('me', {}, { asOf: await moment() })).status).toBe(200);
  const users = await asOwner<{ user: string }>(
    `select distinct usename as user from pg_stat_activity where application_name = 'marktrail reader' and datname = current_database()`,
  );
  expect(users).toEqual([{ user: 'test_reader_login' }]);
  expect(await health(school)).toMatchObject({ status: 'ok', notes: [] });
});

describe('on such a connection', () => {
  test.each([
    'select',
    'reset role',
    'set role none',
    'set role marktrail',
    'set session authorization marktrail',
    'set session authorization default',
  ])('%s opens nothing', async (attempt) => {
    const tables = await asOwner<{ name: string; schema: string }>(
      `select format('%I.%I', schemaname, tablename) as name, schemaname as schema from pg_tables
          where schemaname not in ('pg_catalog', 'information_schema', 'read') and schemaname not like 'read%'`,
    );
    expect(new Set(tables.map(({ schema }) => schema))).toEqual(
      new Set(['identity', 'keys', 'log', 'mail', 'operations', 'proof', 'support']),
    );
    const client = new pg.Client({ connectionString: url, options: '-c role=marktrail_reader' });
    await client.connect();
    try {
      await client.query(attempt).catch((error: unknown) => expect(error).toMatchObject({ code: '42501' }));
      for (const { name } of tables) {
        await expect(client.query(`select * from ${name}`), name).rejects.toThrow('permission denied');
        await expect(client.query(`delete from ${name}`), name).rejects.toThrow('permission denied');
      }
      await expect(client.query('create table read.mine ()')).rejects.toThrow('permission denied');
      for (const name of ['students', 'accounts', 'history'])
        expect((await client.query(`select from read.${name}`).catch(() => ({ rows: [] }))).rows, name).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test('a session is confirmed, and its rows are those of one school', async () => {
    const reader = new Reader({ databaseUrl: url });
    const [role] = await reader.readAs(school.schoolId, (ask) => ask({ text: `select current_user as name, session_user as login` }));
    expect(role).toEqual({ name: 'marktrail_reader', login: 'test_reader_login' });
    expect(await reader.readAs(school.schoolId, (ask) => ask({ text: `select * from identity.signed_in(array['none'])` }))).toEqual([]);
    const schools = await reader.readAs(school.schoolId, (ask) => ask({ text: `select distinct school_id as id from read.accounts` }));
    expect(schools).toEqual([{ id: school.schoolId }]);
    await reader.close();
  });
});

test('without a log-in of its own it works as before, and health says so without an alarm', async () => {
  const product = await openProduct(school.databaseUrl, { readerDatabaseUrl: school.databaseUrl });
  try {
    expect((await (await school.signIn('leader', product)).query('me')).status).toBe(200);
    const { status, problems, notes } = await health(product);
    expect([status, problems]).toEqual(['ok', []]);
    expect(notes).toEqual([expect.stringContaining('READER_DATABASE_URL')]);
  } finally {
    await product.close();
  }
});

test('a log-in that may do more than read is refused, and so is another database', async () => {
  const other = new URL(url);
  other.pathname = '/postgres';
  await expect(openProduct(school.databaseUrl, { readerDatabaseUrl: other.href })).rejects.toThrow('another database than DATABASE_URL');
  const owner = new URL(school.databaseUrl);
  owner.searchParams.set('application_name', 'x');
  await expect(openProduct(school.databaseUrl, { readerDatabaseUrl: owner.href })).rejects.toThrow('may do more than read');
});
