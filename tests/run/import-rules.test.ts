import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { rules, schemasInPages, violations } from '../../run/check/import-rules.ts';
import { homeless, misfits, upward } from '../../run/check/rooms.ts';

const broken: readonly [rule: string, from: string, to: string][] = [
  ['events know nobody else', 'events/marks/entry.ts', 'api/marks/marks.contract.ts'],
  ['the contract knows nobody else', 'api/marks/marks.contract.ts', 'events/marks/entry.ts'],
  [
    'commands, their rules and facts know events, the contract and each other only',
    'api/marks/entry.commands.ts',
    'projections/marks/tables.ts',
  ],
  ['commands do no I/O', 'api/marks/entry.commands.ts', 'node:fs'],
  ['queries and resources know tables, not how their rows come about', 'api/marks/markbook.query.ts', 'projections/marks/results.ts'],
  ['the pipeline knows no single command, and nobody who signs in', 'api/pipeline/pipeline.ts', 'api/marks/entry.commands.ts'],
  ['the api knows projections by their tables and engine only', 'api/students/students.facts.ts', 'projections/students/roster.ts'],
  ['projections know events only', 'projections/marks/results.ts', 'api/marks/marks.contract.ts'],
  ['the engine knows no read model', 'projections/engine/engine.ts', 'projections/marks/tables.ts'],
  ['a read model knows no other', 'projections/marks/results.ts', 'projections/students/tables.ts'],
  ['ui knows the contract only', 'ui/frame/Frame.tsx', 'staff-ui/session/session.ts'],
  ['staff-ui knows ui and the contract only', 'staff-ui/main.tsx', 'events/marks/entry.ts'],
  ['student-ui knows ui and the contract only', 'student-ui/main.tsx', 'staff-ui/main.tsx'],
  ['admin-ui knows ui and the contract only', 'admin-ui/main.tsx', 'api/marks/markbook.query.ts'],
  ['apps run in browsers', 'ui/api/client.ts', 'node:crypto'],
  ['the client of EventStoreDB is known to its adapter only', 'run/log/log.ts', 'npm:@eventstore/db-client'],
  ['nobody knows run', 'api/http/app.ts', 'run/settings.ts'],
  ['the product knows no tests', 'events/marks/entry.ts', 'tests/support/postgres.ts'],
];

test.each(broken)('%s', (rule, from, to) => {
  expect(violations(new Map([[from, [to]]])).map((violation) => violation.rule)).toContain(rule);
});

test('pages take only types from a file with schemas, also from one that gets them elsewhere', () => {
  const values = new Map([
    ['api/contract/fields.ts', ['npm:zod']],
    ['api/marks/marks.contract.ts', ['api/contract/fields.ts']],
    ['api/contract/dates.ts', []],
    ['staff-ui/home/Home.tsx', ['api/marks/marks.contract.ts', 'api/contract/dates.ts']],
  ]);
  expect(schemasInPages(values)).toEqual([
    { rule: 'pages take only types from a file with schemas', from: 'staff-ui/home/Home.tsx', to: 'api/marks/marks.contract.ts' },
  ]);
});

test('each rule is tried', () => {
  expect(broken.map(([rule]) => rule)).toEqual(rules.map(({ rule }) => rule));
});

test('what the rules allow is no violation', () => {
  const allowed = new Map([
    ['api/marks/entry.commands.ts', ['events/marks/entry.ts', 'api/marks/marks.contract.ts', 'npm:zod']],
    ['api/marks/markbook.query.ts', ['projections/marks/tables.ts', 'api/marks/marks.contract.ts']],
    ['projections/marks/results.ts', ['projections/engine/projection.ts', 'projections/marks/tables.ts', 'events/marks/entry.ts']],
    ['staff-ui/main.tsx', ['ui/frame/Frame.tsx', 'api/marks/marks.contract.ts', 'npm:react']],
    ['run/http/compose.ts', ['api/http/app.ts', 'events/store/postgres.ts', 'projections/engine/engine.ts', 'node:fs']],
    ['tests/domain/marks/cell.test.ts', ['events/marks/cell.ts', 'run/settings.ts']],
  ]);
  expect(violations(allowed)).toEqual([]);
});

test('no room looks up', () => {
  const up = new Map([
    ['api/students/roster.commands.ts', ['api/marks/marks.facts.ts', 'api/common/facts.ts']],
    ['projections/engine/building/schema.ts', ['projections/engine/subscription/batch.ts', 'projections/engine/database.ts']],
  ]);
  expect(upward(up)).toEqual([
    { rule: 'no room looks up', from: 'api/students/roster.commands.ts', to: 'api/marks/marks.facts.ts' },
    { rule: 'no room looks up', from: 'projections/engine/building/schema.ts', to: 'projections/engine/subscription/batch.ts' },
  ]);
});

test('a folder is a noun or machinery that somebody has named', () => {
  expect(homeless(['api/marks/upload/preview.query.ts', 'events/async/queue.ts', 'run/main.ts', 'tests/anywhere/a.test.ts'])).toEqual([]);
  expect(homeless(['api/uploads/preview.query.ts', 'staff-ui/sheet/cells.ts'])).toEqual([
    'api/uploads/preview.query.ts is in no room: name it in run/check/rooms.ts',
    'staff-ui/sheet/cells.ts is in no room: name it in run/check/rooms.ts',
  ]);
});

test('a folder is neither a heap nor a cupboard for three files, but for nouns, floors and tests', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `${folder}/${n}.ts`);
  expect(misfits([...files('api/marks', 25), ...files('api/students', 1), ...files('api', 3), ...files('tests/integration', 40)])).toEqual([
    'api/marks holds 25 files, at most 24: give it rooms by purpose',
  ]);
  expect(misfits([...files('api/common', 3), ...files('api/marks/upload', 24), ...files('api/http', 3), 'api/http/routes/a.ts'])).toEqual([
    'api/common holds 3, at least 4: put them where they are used',
    'api/http/routes holds 1, at least 4: put them where they are used',
  ]);
});

test('queries and facts name tables without a schema: which moment they are asked about is the connection’s affair', () => {
  const sources = readdirSync(join(root, 'api'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(query|facts)\.ts$/.test(file))
    .map((file) => join('api', file));
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.filter((file) => /\b(from|join|lateral)\s+\(?read\./.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
