import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applied, deltaOf } from '../../api/contract/delta.ts';

/** What a page makes of the answer that it holds and the change that it is told is the answer that it would have been given. */

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const row = fc.record({
  id: fc.integer({ min: 0, max: 9 }),
  totals: fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { maxLength: 4 }),
});
const rows = fc.record({ rows: fc.array(row, { maxLength: 8 }), mean: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })) });
const alike = rows.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test.each([
  ['any two values', json],
  ['two states of a table', alike],
])('the difference of %s makes one of the other, also after it has travelled, and is nothing between equal ones', (_, values) => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      const before = JSON.stringify(one);
      const delta = deltaOf(one, other);
      if (delta === undefined) expect(one).toEqual(other);
      else expect(applied(JSON.parse(JSON.stringify(delta)) as typeof delta, one)).toEqual(other);
      expect(JSON.stringify(one)).toBe(before);
      expect(deltaOf(one, JSON.parse(before))).toBeUndefined();
    }),
  );
});

test('one mark of a large table is a small difference, and so are one row more, one less, and one that moved by a little', () => {
  const table = Array.from({ length: 300 }, (_, n) => ({
    name: `Student ${n}`,
    totals: Array.from({ length: 12 }, (__, m) => ({ total: n + m })),
  }));
  const sizeOf = (other: readonly unknown[]): number => JSON.stringify(deltaOf({ table }, { table: other })).length;
  const [first, second, ...rest] = table;
  expect(sizeOf(table.with(7, { name: 'Student 7', totals: table[8]?.totals ?? [] }))).toBeLessThan(400);
  expect(sizeOf(rest)).toBeLessThan(100);
  expect(sizeOf([{ name: 'New', totals: [] }, ...table])).toBeLessThan(100);
  expect(sizeOf([second, first, ...rest])).toBeLessThan(1_000);
});

test('fields with names that objects have of themselves are fields like others', () => {
  const one = JSON.parse('{"a":1}') as unknown;
  const other = JSON.parse('{"a":1,"__proto__":{"b":2},"constructor":3}') as unknown;
  const delta = deltaOf(one, other) ?? expect.fail('they differ');
  expect(JSON.stringify(applied(JSON.parse(JSON.stringify(delta)) as typeof delta, one))).toBe(JSON.stringify(other));
});
