import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPage } from '../../api/common/read.ts';
import { subjects } from '../../api/school/subjects.resource.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { namesFor } from '../../events/store/postgres/pool.ts';
import { testDatabase } from '../support/postgres.ts';

test('a statement with values is prepared, with a config of its own too; one that is made for a request is not', async () => {
  const database = await testDatabase();
  const pool = steadyPool({ connectionString: database.url, max: 1 });
  for (const given of [1, 2]) {
    await pool.query('select $1::int as constant', [given]);
    await pool.query({ text: 'select $1::int as config', values: [given] });
    await pool.query({ name: '', text: 'select $1::int as request', values: [given] });
  }
  const { rows } = await pool.query('select statement, generic_plans + custom_plans as times from pg_prepared_statements order by 1');
  expect(rows).toEqual(['config', 'constant'].map((name) => ({ statement: `select $1::int as ${name}`, times: '2' })));
  await pool.end();
  await database.drop();
});

test('a list, whose text depends on its filters, is not prepared', async () => {
  const names: unknown[] = [];
  const page = readPage(
    async (_text, _values, name) => {
      names.push(name);
      return [];
    },
    subjects,
    { filter: [], words: ['Algebra'], sort: { field: 'id', descending: false }, offset: 0, limit: 1 },
  );
  expect([await page, names]).toEqual([{ records: [], total: 0 }, ['']]);
});

test('names are as many as allowed, each for one text', () => {
  const nameOf = namesFor(2);
  const [first, second, third] = ['select 1', 'select 2', 'select 3'].map(nameOf);
  expect([first, second, nameOf('select 1'), third]).toEqual([
    expect.stringMatching(/^.{43}$/),
    expect.not.stringMatching(first!),
    first,
    '',
  ]);
});

test('no pool of the product goes without names', () => {
  const sources = globSync('{api,events,projections,run}/**/*.ts', { cwd: new URL('../..', import.meta.url) });
  const withPool = sources.filter((file) => /new pg\.Pool\(/.test(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')));
  expect(withPool).toEqual(['events/store/postgres/pool.ts']);
});
