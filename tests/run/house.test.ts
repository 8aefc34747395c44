import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { rules, violations } from '../../run/check/house.ts';

const broken: readonly [rule: string, from: string, to: string][] = [
  ['events know nobody else', 'events/entry.ts', 'api/contract/marks.ts'],
  ['the contract knows nobody else', 'api/contract/marks.ts', 'events/entry.ts'],
  ['commands know events, facts and the contract only', 'api/commands/entry.ts', 'projections/results/tables.ts'],
  ['commands do no I/O', 'api/commands/entry.ts', 'node:fs'],
  ['queries and resources know tables, not how their rows come about', 'api/queries/markbook.ts', 'projections/results/results.ts'],
  ['the api knows projections by their tables and engine only', 'api/facts/roster.ts', 'projections/roster/roster.ts'],
  ['projections know events only', 'projections/results/results.ts', 'api/contract/marks.ts'],
  ['the engine knows no read model', 'projections/engine/engine.ts', 'projections/results/tables.ts'],
  ['a read model knows no other', 'projections/results/results.ts', 'projections/roster/tables.ts'],
  ['ui knows the contract only', 'ui/frame/Frame.tsx', 'staff-ui/session/session.ts'],
  ['staff-ui knows ui and the contract only', 'staff-ui/main.tsx', 'events/entry.ts'],
  ['student-ui knows ui and the contract only', 'student-ui/main.tsx', 'staff-ui/main.tsx'],
  ['admin-ui knows ui and the contract only', 'admin-ui/main.tsx', 'api/queries/markbook.ts'],
  ['apps run in browsers', 'ui/api/client.ts', 'node:crypto'],
  ['the client of EventStoreDB is known to its adapter only', 'run/log.ts', 'npm:@eventstore/db-client'],
  ['nobody knows run', 'api/http/app.ts', 'run/settings.ts'],
  ['the product knows no tests', 'events/entry.ts', 'tests/support/postgres.ts'],
];

test.each(broken)('%s', (rule, from, to) => {
  expect(violations(new Map([[from, [to]]])).map((violation) => violation.rule)).toContain(rule);
});

test('each rule is tried', () => {
  expect(broken.map(([rule]) => rule)).toEqual(rules.map(({ rule }) => rule));
});

test('what the house allows is no violation', () => {
  const allowed = new Map([
    ['api/commands/entry.ts', ['events/entry.ts', 'api/contract/marks.ts', 'npm:zod']],
    ['api/queries/markbook.ts', ['projections/results/tables.ts', 'api/contract/marks.ts']],
    ['projections/results/results.ts', ['projections/engine/projection.ts', 'projections/results/tables.ts', 'events/entry.ts']],
    ['staff-ui/main.tsx', ['ui/frame/Frame.tsx', 'api/contract/marks.ts', 'npm:react']],
    ['run/compose.ts', ['api/http/app.ts', 'events/store/postgres.ts', 'projections/engine/engine.ts', 'node:fs']],
    ['tests/domain/cell.test.ts', ['events/cell.ts', 'run/settings.ts']],
  ]);
  expect(violations(allowed)).toEqual([]);
});

test('a circle shows as its way round', () => {
  const circle = new Map([
    ['events/a.ts', ['events/b.ts']],
    ['events/b.ts', ['events/c.ts']],
    ['events/c.ts', ['events/a.ts']],
  ]);
  expect(violations(circle)).toEqual([
    { rule: 'no circles', from: 'events/c.ts', to: 'events/a.ts -> events/b.ts -> events/c.ts -> events/a.ts' },
  ]);
});

test('questions and facts name tables without a schema: which moment they are asked about is the connection’s affair', () => {
  const sources = ['api/queries', 'api/facts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.filter((file) => /\b(from|join|lateral)\s+\(?read\./.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
