import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromColumns, type MarkChange, markColumns, type MarkValue, toColumns } from '../../events/codec/columnar.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import { toText } from '../../events/codec/json.ts';

const uuid = (name: string): string => uuidv5(name, '6ba7b810-9dad-11d1-80b4-00c04fd430c8');

const number = fc.nat(100);
const mark: fc.Arbitrary<MarkValue> = fc.oneof(number, fc.constant('cleared' as const));
const attendance: fc.Arbitrary<MarkValue> = fc.constantFrom('sat', 'absent', 'exempt', 'cleared');

const cell = fc.oneof(
  fc.record({ kind: fc.constant('total' as const), testId: fc.constantFrom('t1', 't2').map(uuid) }),
  fc.record({ kind: fc.constant('attendance' as const), testId: fc.constantFrom('t1', 't2').map(uuid) }),
  fc.record({
    kind: fc.constant('mark' as const),
    testId: fc.constantFrom('t1', 't2').map(uuid),
    questionId: fc.constantFrom('q1', 'q2', 'q3').map(uuid),
  }),
);

/** Changes of distinct cells; the maximum goes by the cell. */
const changes: fc.Arbitrary<MarkChange[]> = fc.uniqueArray(
  fc.record({ studentId: fc.integer({ min: 1, max: 6 }).map((n) => uuid(`s${n}`)), cell }).chain(({ studentId, cell }) => {
    const value = cell.kind === 'attendance' ? attendance : mark;
    const max = cell.kind === 'attendance' ? {} : { max: cell.testId.charCodeAt(0) };
    return fc.record({ is: value, was: fc.array(value, { maxLength: 3 }) }).map((values) => ({ studentId, cell, ...max, ...values }));
  }),
  { selector: ({ studentId, cell }) => JSON.stringify([studentId, cell]) },
);

const sorted = (list: readonly MarkChange[]): string[] =>
  list.map(({ studentId, cell, max, is, was }) => JSON.stringify([studentId, cell, max ?? null, is, was])).sort();

test('changes survive the columns, and the columns survive the log', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const columns = toColumns(list);
      expect(markColumns.parse(columns)).toEqual(columns);
      const read = fromColumns(JSON.parse(toText(columns)));
      expect(sorted(read)).toEqual(sorted(list));
      expect(sorted(fromColumns(toColumns(read)))).toEqual(sorted(list));
    }),
    { numRuns: 500 },
  );
});

test('the form is the storage contract', () => {
  const [t1, q1, q2, anna, ben] = ['t1', 'q1', 'q2', 'anna', 'ben'].map(uuid) as [string, string, string, string, string];
  const columns = toColumns([
    { studentId: anna, cell: { kind: 'mark', testId: t1, questionId: q1 }, max: 4, is: 3, was: [2] },
    { studentId: anna, cell: { kind: 'mark', testId: t1, questionId: q2 }, max: 5, is: 'cleared', was: [1, 2] },
    { studentId: ben, cell: { kind: 'mark', testId: t1, questionId: q1 }, max: 4, is: 0, was: [] },
    { studentId: ben, cell: { kind: 'attendance', testId: t1 }, is: 'absent', was: [] },
  ]);
  expect(columns).toEqual({
    columns: [
      { cell: 'mark', testId: t1, questionId: q1, max: 4 },
      { cell: 'mark', testId: t1, questionId: q2, max: 5 },
      { cell: 'attendance', testId: t1 },
    ],
    students: [anna, ben],
    is: [
      [3, 'cleared', null],
      [0, null, 'absent'],
    ],
    was: [[2, [1, 2], null], null],
  });
});

test('what nobody saw takes no room', () => {
  expect(toColumns([{ studentId: uuid('anna'), cell: { kind: 'total', testId: uuid('t1') }, is: 7, was: [] }])).not.toHaveProperty('was');
});

test('300 students with 50 questions, each mark over another, take at most 125 kB', () => {
  const list = Array.from({ length: 15_000 }, (_, n): MarkChange => ({
    studentId: uuid(`student ${n % 300}`),
    cell: { kind: 'mark', testId: uuid('test'), questionId: uuid(`question ${Math.floor(n / 300)}`) },
    max: 10,
    is: n % 11,
    was: [(n + 1) % 11],
  }));
  expect(Buffer.byteLength(toText(toColumns(list)))).toBeLessThanOrEqual(125_000);
});

describe('a mistake is not written', () => {
  const change = (more: Partial<MarkChange>): MarkChange => ({
    studentId: uuid('anna'),
    cell: { kind: 'total', testId: uuid('t1') },
    max: 5,
    is: 1,
    was: [],
    ...more,
  });

  test('one cell twice', () => {
    expect(() => toColumns([change({}), change({ is: 2 })])).toThrow(RangeError);
  });

  test('one column under two maxima', () => {
    expect(() => toColumns([change({}), change({ studentId: uuid('ben'), max: 6 })])).toThrow(RangeError);
  });

  const good = toColumns([change({})]);
  test.each([
    ['a row too few', { ...good, is: [] }],
    ['a value too many', { ...good, is: [[1, 2]] }],
    ['a student twice', { ...good, students: [...good.students, ...good.students], is: [[1], [2]] }],
    ['a column twice', { ...good, columns: [...good.columns, ...good.columns], is: [[1, 2]] }],
    ['a state as a total', { ...good, is: [['absent']] }],
    ['a negative mark', { ...good, is: [[-1]] }],
    ['half a mark', { ...good, is: [[1.5]] }],
    ['a total of a question', { ...good, columns: [{ ...good.columns[0], questionId: uuid('q1') }] }],
    ['nothing seen, in a row', { ...good, was: [[null]] }],
    ['an unknown field', { ...good, extra: 1 }],
  ])('%s', (_, data) => {
    expect(markColumns.safeParse(data).success).toBe(false);
  });
});
