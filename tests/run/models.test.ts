import { expect, test } from 'vitest';
import { forgottenModels, undeclared } from '../../run/check/models.ts';
import { readImports } from '../../run/check/imports.ts';

test('a query that reads a table declares its read model, else no page would hear of its changes', () => {
  const sql = 'select s.name from sets s join enrolments e on e.set_id = s.set_id left join saves v on true';
  expect(undeclared(`models: ['structure', 'roster', 'results'], run: (query) => query(\`${sql}\`)`)).toEqual([]);
  expect(undeclared(`const models = ['structure'] as const; const SQL = \`${sql}\``)).toEqual(['roster', 'results']);
});

test('every query and list declares all of them', () => {
  expect(forgottenModels(readImports().imports.keys())).toEqual([]);
});
