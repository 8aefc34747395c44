import { expect, test } from 'vitest';
import { rules, violations } from '../../run/check/house.ts';

const broken: readonly [rule: string, from: string, to: string][] = [
  ['events know nobody else', 'events/entry.ts', 'api/contract/marks.ts'],
  ['the contract knows nobody else', 'api/contract/marks.ts', 'events/entry.ts'],
  ['commands know events, facts and the contract only', 'api/commands/entry.ts', 'projections/results/tables.ts'],
  ['commands do no I/O', 'api/commands/entry.ts', 'node:fs'],
  ['queries know tables, not how their rows come about', 'api/queries/markbook.ts', 'projections/results/results.ts'],
  ['the api knows projections by their tables and engine only', 'api/facts/roster.ts', 'projections/roster/roster.ts'],
  ['projections know events only', 'projections/results/results.ts', 'api/contract/marks.ts'],
  ['the engine knows no read model', 'projections/engine/engine.ts', 'projections/results/tables.ts'],
  ['a read model knows no other', 'projections/results/results.ts', 'projections/roster/tables.ts'],
  ['ui knows the contract only', 'ui/frame/Frame.tsx', 'staff-ui/session/session.ts'],
  ['staff-ui knows ui and the contract only', 'staff-ui/main.tsx', 'events/entry.ts'],
  ['student-ui knows ui and the contract only', 'student-ui/main.tsx', 'staff-ui/main.tsx'],
  ['admin-ui knows ui and the contract only', 'admin-ui/main.tsx', 'api/queries/markbook.ts'],
  ['apps run in browsers', 'ui/api/client.ts', 'node:crypto'],
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
