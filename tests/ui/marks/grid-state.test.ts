import { expect, test } from 'vitest';
import type { Action, GridState, MoveOn, Order } from '../../../staff-ui/marks/grid/grid-state.ts';
import { gridAfter, gridAt, selectionIn } from '../../../staff-ui/marks/grid/grid-state.ts';
import type { Act } from '../../../staff-ui/marks/grid/keys.ts';
import type { Place } from '../../../staff-ui/marks/grid/place.ts';
import { at } from '../../../staff-ui/marks/grid/place.ts';
import type { Cells } from '../../../staff-ui/marks/grid/table.ts';

/** A cell is known by its student and question: 'anna 1'. The first two questions are out of 9, the third out of 20. */
const QUESTIONS = ['1', '2', '3'] as const;

type Given = { readonly students?: readonly string[]; readonly texts?: Readonly<Record<string, string>>; readonly mayWrite?: boolean };

const table = ({ students = ['anna', 'ben', 'cleo'], texts = {}, mayWrite = true }: Given): Cells => ({
  size: { rows: students.length, columns: QUESTIONS.length },
  mayWrite,
  keyAt: ({ row, column }) => `${students[row]} ${QUESTIONS[column]}`,
  placeOf: (key) => {
    const [student = '', question] = key.split(' ');
    const row = students.indexOf(student);
    const column = QUESTIONS.findIndex((one) => one === question);
    return row < 0 ? undefined : { row, column: Math.max(0, column) };
  },
  attendanceKeyAt: (row) => students[row] && `${students[row]} here`,
  textOf: (key) => texts[key] ?? (key.endsWith('here') ? 'sat' : ''),
  isContested: () => false,
  isStudents: () => false,
  wrongAt({ column }, text) {
    if (!/^\d*$/.test(text)) return 'no mark';
    return Number(text) > (column < 2 ? 9 : 20) ? 'above the maximum' : undefined;
  },
  maxOf: (column) => (column < 2 ? 9 : 20),
  students: students.map((name) => ({ studentId: name, admissionNo: null, name })),
  columns: QUESTIONS.map((number, column) => ({ id: number, name: `Q${number}`, max: column < 2 ? 9 : 20 })),
});

/** What happens to a table in turn, and where that leaves it; `change`: other people change it. */
const given = (of: Given = {}) => {
  let now: Given = of;
  let state: GridState = gridAt({ row: 0, column: 0 }, table(of));
  let orders: readonly Order[] = [];
  const known = () => ({
    ...table(now),
    ownOf: (keys: readonly string[]) => keys.map((key) => ({ key, ownState: { here: `before ${key}` } })),
  });
  const it = {
    when(...actions: readonly Action[]) {
      for (const action of actions) ({ state, orders } = gridAfter(state, action, known()));
      return it;
    },
    change(next: Given) {
      now = { ...now, ...next };
      return it;
    },
    get orders() {
      return orders;
    },
    get state() {
      return state;
    },
    get active() {
      return table(now).keyAt(selectionIn(state, table(now)).active);
    },
    get done() {
      return state.history.done.map((step) => step.map(({ key }) => key));
    },
  };
  return it;
};

const type = (text: string, moveOn?: MoveOn): Action => ({ kind: 'type', text, moveOn });
const press = (act: Act): Action => ({ kind: 'press', act });
const select = (active: Place, to: Place = active): Action => press({ kind: 'select', selection: { ...at(active), to } });
const SETTLE: Action = { kind: 'settle' };

test('a mark that is full goes on to the next cell, and is one step to undo', () => {
  const grid = given().when(type('7'));
  expect(grid.orders).toEqual([{ do: 'type', texts: { 'anna 1': '7' }, how: 'begun' }]);
  expect([grid.active, grid.state.mode, grid.done]).toEqual(['anna 2', 'moving', [['anna 1']]]);
});

test.each<readonly [string, Place, string, MoveOn | undefined, string]>([
  ['by choice it goes down', { row: 0, column: 1 }, '7', 'down', 'ben 2'],
  ['by choice it stays', { row: 0, column: 1 }, '7', 'stay', 'anna 2'],
  ['above the maximum it stays', { row: 0, column: 2 }, '21', 'right', 'anna 3'],
  ['of two digits the first stays', { row: 0, column: 2 }, '1', 'right', 'anna 3'],
  ['nobody has said: two digits stay', { row: 0, column: 2 }, '12', undefined, 'anna 3'],
])('%s', (_, place, text, moveOn, active) => {
  expect(given().when(select(place), type(text, moveOn)).active).toBe(active);
});

test('typing on in a cell is one step, which ends when somebody leaves it', () => {
  const grid = given().when(type('1', 'stay'), type('12', 'stay'));
  expect(grid.orders).toEqual([{ do: 'type', texts: { 'anna 1': '12' }, how: 'typed' }]);
  expect([grid.state.mode, grid.done]).toEqual(['typing', []]);
  grid.when(SETTLE);
  expect(grid.orders).toEqual([{ do: 'leave', key: 'anna 1' }]);
  expect([grid.state.mode, grid.done]).toEqual(['moving', [['anna 1']]]);
  expect(grid.when(SETTLE).orders).toEqual([]);
});

test('a digit that is replaced in a full mark stays, for the next one', () => {
  const grid = given().when(select({ row: 0, column: 2 }), type('12', 'stay'));
  expect(grid.change({ texts: { 'anna 3': '12' } }).when(type('13', 'right')).active).toBe('anna 3');
});

test.each<readonly [string, column: number, texts: readonly string[], stands: string, active: string]>([
  ['above the maximum', 0, ['77', '775'], '5', 'anna 2'],
  ['of two digits', 2, ['2', '25', '259'], '9', 'anna 3'],
  ['a word', 0, ['x', 'x5'], '5', 'anna 2'],
  ['what is none yet goes on', 0, ['x', 'xy'], 'xy', 'anna 1'],
  ['a mark goes on', 2, ['1', '12'], '12', 'anna 3'],
  ['a half mark goes on', 2, ['12', '12.', '12.5', '12.55'], '12.55', 'anna 3'],
  ['corrected otherwise', 2, ['2', '25', '2'], '2', 'anna 3'],
])('the next digit replaces a mark that was refused: %s', (_, column, texts, stands, active) => {
  const grid = given().when(select({ row: 0, column }), ...texts.map((text) => type(text)));
  expect([Object.values(grid.orders[0]?.do === 'type' ? grid.orders[0].texts : {}), grid.active]).toEqual([[stands], active]);
});

test('whoever edits within a text that was refused goes on in it', () => {
  const grid = given().when(type('77', 'stay'), { kind: 'edit' }, type('775', 'stay'));
  expect(grid.state.begun?.typed).toBe('775');
});

test('digits without a field are added to what was begun, and replace what was refused or stands there', () => {
  const digits = (...all: readonly string[]) => all.map((digit): Action => ({ kind: 'digit', digit, moveOn: undefined }));
  const grid = given().when(select({ row: 0, column: 2 }), ...digits('1', '5'));
  expect(grid.state.begun?.typed).toBe('15');
  expect(grid.when(...digits('0', '2')).state.begun?.typed).toBe('2');
  expect(given({ texts: { 'anna 1': '4' } }).when(...digits('7')).orders).toEqual([{ do: 'type', texts: { 'anna 1': '7' }, how: 'begun' }]);
});

test('Escape gives up what was begun, unless somebody else has typed there meanwhile', () => {
  const texts = { 'anna 1': '1' };
  const mine = given()
    .when(type('1', 'stay'))
    .change({ texts })
    .when(press({ kind: 'give-up' }));
  expect(mine.orders).toEqual([{ do: 'give-up', step: [{ key: 'anna 1', ownState: { here: 'before anna 1' }, typed: '1' }] }]);
  expect([mine.state.mode, mine.state.hasTyped, mine.done]).toEqual(['moving', false, []]);
  const theirs = given()
    .when(type('2', 'stay'))
    .change({ texts })
    .when(press({ kind: 'give-up' }));
  expect(theirs.orders).toEqual([]);
});

test('the selection stays with its cell when rows come and go above it', () => {
  const grid = given().when(select({ row: 1, column: 1 }));
  expect(grid.change({ students: ['aaron', 'anna', 'ben', 'cleo'] }).active).toBe('ben 2');
  expect(grid.change({ students: ['anna', 'cleo'] }).active).toBe('cleo 2');
});

test('a pasted block is one step, says what became of it, and is selected', () => {
  const grid = given().when(select({ row: 1, column: 1 }), { kind: 'paste', text: '1\t2\n3\t99' });
  const [order] = grid.orders;
  if (order?.do !== 'type' || !order.reports) throw new Error('Nothing was typed.');
  expect([order.how, order.texts]).toEqual(['block', { 'ben 2': '1', 'ben 3': '2', 'cleo 2': '3', 'cleo 3': '99' }]);
  expect(grid.state.report?.text).toBe('3 taken, 1 refused (99: above the maximum).');
  expect(selectionIn(grid.state, table({}))).toEqual({ active: { row: 1, column: 1 }, to: { row: 2, column: 2 }, start: 1 });
  expect(grid.done).toEqual([['ben 2', 'ben 3', 'cleo 2', 'cleo 3']]);
  grid.when({ kind: 'report', report: order.reports.stored, instead: order.reports.taken });
  expect(grid.state.report?.text).toBe('3 stored, 1 refused (99: above the maximum).');
  // What is said later about something else stays.
  grid.when(type('5'), { kind: 'report', report: order.reports.stored, instead: order.reports.taken });
  expect(grid.state.report).toBeUndefined();
  // Totals are submitted, which is said by itself: a block of them is not merely taken then.
  expect(given().when({ kind: 'paste', text: '1' }, { kind: 'forget' }).state.report).toBeUndefined();
});

test('undo shows where it was done, and can be done again', () => {
  const grid = given().when(type('7'), select({ row: 2, column: 2 }), press({ kind: 'undo' }));
  const [order, reveal] = grid.orders;
  if (order?.do !== 'undo') throw new Error('Nothing is undone.');
  expect([order.step.map(({ key }) => key), reveal, grid.active]).toEqual([['anna 1'], { do: 'reveal' }, 'anna 1']);
  expect(grid.state.report).toBe(order.waits);
  const again = [{ key: 'anna 1', ownState: { here: '7' } }];
  grid.when({ kind: 'undone', again }, { kind: 'redo' });
  expect(grid.orders[0]).toEqual({ do: 'redo', step: again });
  grid.when({ kind: 'redone', again: order.step });
  expect(grid.done).toEqual([['anna 1']]);
  expect(grid.when({ kind: 'forget' }, { kind: 'undo' }).orders).toEqual([]);
});

test('absent is said of each selected student, and once more takes it back', () => {
  const absent = press({ kind: 'attendance', is: 'absent' });
  const rows = select({ row: 0, column: 0 }, { row: 1, column: 2 });
  const said = given().when(rows, absent);
  expect(said.orders).toEqual([{ do: 'type', texts: { 'anna here': 'absent', 'ben here': 'absent' }, how: 'block' }]);
  const texts = { 'anna here': 'absent', 'ben here': 'absent' };
  expect(given({ texts }).when(rows, absent).orders).toEqual([
    { do: 'type', texts: { 'anna here': 'sat', 'ben here': 'sat' }, how: 'block' },
  ]);
});

test('whoever may not write moves, and changes nothing', () => {
  const grid = given({ mayWrite: false });
  for (const action of [type('7'), press({ kind: 'empty' }), press({ kind: 'edit' }), press({ kind: 'undo' })])
    expect(grid.when(action).orders).toEqual([]);
  expect([grid.active, grid.state.mode]).toEqual(['anna 1', 'moving']);
  expect(grid.when(select({ row: 1, column: 0 })).active).toBe('ben 1');
  expect(grid.when(press({ kind: 'end' })).orders).toEqual([{ do: 'end' }]);
});
