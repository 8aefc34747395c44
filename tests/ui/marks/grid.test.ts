import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockIn, clipboardText } from '../../../staff-ui/marks/grid/clipboard.ts';
import type { Step } from '../../../staff-ui/marks/grid/history.ts';
import { did, nothingDone, redo, undo } from '../../../staff-ui/marks/grid/history.ts';
import type { Looked, Mode } from '../../../staff-ui/marks/grid/keys.ts';
import { actOf, movedOn } from '../../../staff-ui/marks/grid/keys.ts';
import { filledDown, pasted } from '../../../staff-ui/marks/grid/paste.ts';
import type { Place, Selection } from '../../../staff-ui/marks/grid/place.ts';
import { at, blockOf } from '../../../staff-ui/marks/grid/place.ts';
import { reporting } from '../../../staff-ui/marks/grid/report.ts';
import { gapAfter, gapsBefore, shown } from '../../../staff-ui/marks/grid/window.ts';

const SIZE = { rows: 4, columns: 3 };

describe('keys', () => {
  const look = (selection: Selection, more: Partial<Looked> = {}): Looked => ({
    selection,
    size: SIZE,
    page: 2,
    isFilled: () => false,
    hasTyped: true,
    ...more,
  });
  const press = (keys: string, selection: Selection, { mode = 'moving', ...more }: Partial<Looked> & { mode?: Mode } = {}) => {
    const [key = '', ...held] = keys.split('+').toReversed();
    return actOf({ key, ctrl: held.includes('Ctrl'), shift: held.includes('Shift') }, mode, look(selection, more));
  };
  const placeAfter = (keys: string, selection: Selection, more: Partial<Looked> & { mode?: Mode } = {}) => {
    const act = press(keys, selection, more);
    return act?.kind === 'select' ? [act.selection.active.row, act.selection.active.column] : act?.kind;
  };
  const cell = (row: number, column: number) => at({ row, column });

  test.each([
    ['ArrowRight', cell(1, 1), [1, 2]],
    ['ArrowRight', cell(1, 2), [1, 2]],
    ['ArrowUp', cell(0, 2), [0, 2]],
    ['Home', cell(1, 2), [1, 0]],
    ['End', cell(1, 0), [1, 2]],
    ['Ctrl+Home', cell(2, 2), [0, 0]],
    ['Ctrl+End', cell(0, 0), [3, 2]],
    ['PageDown', cell(0, 1), [2, 1]],
    ['PageUp', cell(1, 1), [0, 1]],
    ['Enter', cell(1, 1), [2, 1]],
    ['Shift+Enter', cell(1, 1), [0, 1]],
    // From the last row to the head of the next column, and past the last one to whatever follows the table.
    ['Enter', cell(3, 1), [0, 2]],
    ['Enter', cell(3, 2), 'end'],
    ['Tab', cell(1, 2), [2, 0]],
    ['Shift+Tab', cell(1, 0), [0, 2]],
    ['Tab', cell(3, 2), undefined],
    ['Shift+Tab', cell(0, 0), undefined],
    ['Delete', cell(0, 0), 'empty'],
    ['Ctrl+d', cell(0, 0), 'fill-down'],
    ['Ctrl+z', cell(0, 0), 'undo'],
    ['Ctrl+y', cell(0, 0), 'redo'],
    ['Ctrl+Shift+Z', cell(0, 0), 'redo'],
    ['a', cell(0, 0), 'attendance'],
    ['E', cell(0, 0), 'attendance'],
    ['7', cell(0, 0), undefined],
    ['Ctrl+c', cell(0, 0), undefined],
  ])('%s', (keys, from, to) => {
    expect(placeAfter(keys, from)).toEqual(to);
  });

  test('Enter after Tabs returns to the column in which the line began', () => {
    let selection = cell(0, 1);
    for (const keys of ['Tab', 'Enter']) {
      const act = press(keys, selection);
      if (act?.kind === 'select') ({ selection } = act);
    }
    expect(selection.active).toEqual({ row: 1, column: 1 });
  });

  test('whoever only passes by leaves the table with Tab', () => {
    expect(press('Tab', cell(0, 0), { hasTyped: false })).toBeUndefined();
    expect(press('Escape', cell(0, 0))).toEqual({ kind: 'give-up' });
  });

  test('with Ctrl an arrow goes to the end of the filled cells, or to the next one', () => {
    // 1 1 .
    // . 1 .
    const isFilled = ({ row, column }: { row: number; column: number }) => (row === 0 && column < 2) || (row === 1 && column === 1);
    expect(placeAfter('Ctrl+ArrowRight', cell(0, 0), { isFilled })).toEqual([0, 1]);
    expect(placeAfter('Ctrl+ArrowRight', cell(0, 1), { isFilled })).toEqual([0, 2]);
    expect(placeAfter('Ctrl+ArrowUp', cell(3, 1), { isFilled })).toEqual([1, 1]);
    expect(placeAfter('Ctrl+ArrowDown', cell(0, 2), { isFilled })).toEqual([3, 2]);
  });

  test('while a text is edited, the keys of text are the text’s', () => {
    for (const keys of ['ArrowLeft', 'Home', 'Delete', 'Backspace', 'a', 'Ctrl+d', 'Ctrl+a'])
      expect(press(keys, cell(1, 1), { mode: 'editing' })).toBeUndefined();
    expect(press('Backspace', cell(1, 1), { mode: 'typing' })).toBeUndefined();
    expect(placeAfter('ArrowDown', cell(1, 1), { mode: 'editing' })).toEqual([2, 1]);
  });

  test('no key leads out of the table, and Shift keeps the cell that is typed into', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', 'Tab', 'a'];
    const place = fc.record({ row: fc.nat(SIZE.rows - 1), column: fc.nat(SIZE.columns - 1) });
    fc.assert(
      fc.property(
        place,
        fc.array(fc.record({ key: fc.constantFrom(...keys), ctrl: fc.boolean(), shift: fc.boolean() }), { maxLength: 30 }),
        (from, pressed) => {
          let selection = at(from);
          for (const one of pressed) {
            const act = actOf(one, 'moving', look(selection, { isFilled: ({ row, column }) => (row + column) % 3 === 0 }));
            if (act?.kind !== 'select') continue;
            if (one.shift && /^(Arrow|Home|End|Page)/.test(one.key)) expect(act.selection.active).toEqual(selection.active);
            ({ selection } = act);
            const { top, left, bottom, right } = blockOf(selection);
            expect([top >= 0, left >= 0, bottom < SIZE.rows, right < SIZE.columns]).toEqual([true, true, true, true]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a full mark moves on: to the right and to the next row, or down', () => {
    expect(movedOn('right', at({ row: 0, column: 2 }, 1), SIZE)?.active).toEqual({ row: 1, column: 1 });
    expect(movedOn('right', cell(3, 2), SIZE)).toBeUndefined();
    expect(movedOn('right', cell(0, 0), { rows: 4, columns: 1 })?.active).toEqual({ row: 1, column: 0 });
    expect(movedOn('down', cell(0, 2), SIZE)?.active).toEqual({ row: 1, column: 2 });
  });
});

describe('the clipboard', () => {
  test.each([
    [
      'Excel',
      '1\t2\r\n3\t\r\n',
      [
        ['1', '2'],
        ['3', ''],
      ],
    ],
    [
      'Google Sheets, without a last line feed',
      '1\t2\n3\t4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['LibreOffice, with a name in quotes', '"Lee, ""Kay"""\t4\n', [['Lee, "Kay"', '4']]],
    ['a cell with a line feed and a tab in it', '"a\nb\tc"\t4\n', [['a\nb\tc', '4']]],
    ['a quote that is never closed', '"a\t4\n', [['"a', '4']]],
    ['a quote within a cell', '5"\t4', [['5"', '4']]],
    ['empty rows', '1\n\n2\n', [['1'], [''], ['2']]],
    ['nothing', '', [['']]],
  ])('%s', (_, text, block) => {
    expect(blockIn(text)).toEqual(block);
  });

  test('what is written is read as it was, whatever is in it', () => {
    const text = fc.string({ unit: fc.constantFrom('1', '"', '\t', '\n', 'é', ' '), maxLength: 5 });
    const block = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([rows, columns]) =>
        fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
      );
    fc.assert(
      fc.property(block, (rows) => {
        expect(blockIn(clipboardText(rows))).toEqual(rows);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('pasting', () => {
  const NAMES = ['Adams, Al', 'Bell, Bo', 'Cole, Cy', 'Dean, Di'];
  const rowOf = (name: string) => {
    const row = NAMES.indexOf(name);
    return row < 0 ? undefined : row;
  };
  const paste = (text: string, row = 0, column = 0) => pasted(blockIn(text), blockOf(at({ row, column })), SIZE, rowOf);
  const shown = (text: string, row = 0, column = 0) =>
    paste(text, row, column).edits.map(({ place, text: typed }) => `${place.row},${place.column}=${typed}`);

  test('a block goes in from the active cell on; its gaps say nothing', () => {
    expect(shown('1\t\n\t4\n', 1, 1)).toEqual(['1,1=1', '2,2=4']);
  });

  test('what is larger than the table is counted, not stored', () => {
    const { edits, outside } = paste('1\t2\t3\t4\n'.repeat(5));
    expect(edits).toHaveLength(12);
    expect(outside).toBe(4 + 4);
  });

  test('one copied cell fills what is selected', () => {
    const { edits } = pasted([['2']], { top: 0, left: 1, bottom: 1, right: 2 }, SIZE, rowOf);
    expect(edits).toHaveLength(4);
  });

  test('with names in front, each row goes to its student, in whatever order; a heading is left out, and strangers are named', () => {
    const text = 'StudentID\tLastFirst\tQ1\tQ2\nM3\tCole, Cy\t3\t1\nM9\tNobody, No\t2\t2\nM1\tAdams, Al\t\t4\n';
    const { byName, strangers, outside } = paste(text);
    expect(shown(text)).toEqual(['2,0=3', '2,1=1', '0,1=4']);
    expect({ byName, strangers, outside }).toEqual({ byName: true, strangers: ['M9'], outside: 2 });
    // Wherever the cell is that it was pasted into.
    expect(shown('Bell, Bo\t2', 3, 1)).toEqual(['1,1=2']);
  });

  test('ids that are numbers are ids where names stand beside them', () => {
    const ids = ['1001', '1002', '1003', '1004'];
    const byId = (name: string) => (ids.includes(name) ? ids.indexOf(name) : rowOf(name));
    const edits = (text: string) =>
      pasted(blockIn(text), blockOf(at({ row: 0, column: 0 })), SIZE, byId).edits.map(
        ({ place, text: typed }) => `${place.row},${place.column}=${typed}`,
      );
    expect(edits('StudentID\tLastFirst\tQ1\tQ2\n1003\tCole, Cy\t3\t1\n1001\tAdams, Al\t\t4\n')).toEqual(['2,0=3', '2,1=1', '0,1=4']);
    expect(edits('1002\tBell, Bo\t3')).toEqual(['1,0=3']);
    // A mark that looks like an id is a mark.
    expect(edits('1001\t2\n3\t4\n')).toEqual(['0,0=1001', '0,1=2', '1,0=3', '1,1=4']);
  });

  test('names that nobody has here are left out, and the marks go in in their order', () => {
    expect(shown('Name\tQ1\nX, Y\t1\nZ, A\t2\n')).toEqual(['0,0=1', '1,0=2']);
  });

  test('text among the marks stays visible where it was pasted', () => {
    expect(shown('x\t2')).toEqual(['0,0=2']);
    expect(shown('2\tx')).toEqual(['0,0=2', '0,1=x']);
    expect(shown('x')).toEqual(['0,0=x']);
    expect(shown('12.5')).toEqual(['0,0=12.5']);
  });

  test('each mark of a block goes in or is counted: none disappears', () => {
    const cell = fc.constantFrom('', '1', '2', '12.5');
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.nat(SIZE.rows - 1), fc.nat(SIZE.columns - 1), (block, row, column) => {
        const { edits, outside } = pasted(block, blockOf(at({ row, column })), SIZE, rowOf);
        expect(edits.length + outside).toBe(block.flat().filter((text) => text !== '').length);
        for (const { place } of edits) expect(place.row < SIZE.rows && place.column < SIZE.columns).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('filling down repeats the first row, or the row above', () => {
    const textAt = ({ row, column }: { row: number; column: number }) => (row === 0 && column === 1 ? '' : `${row}${column}`);
    const fill = (top: number, bottom: number) =>
      filledDown({ top, left: 0, bottom, right: 1 }, textAt).map(({ place, text }) => `${place.row},${place.column}=${text}`);
    expect(fill(0, 2)).toEqual(['1,0=00', '2,0=00']);
    expect(fill(2, 2)).toEqual(['2,0=10', '2,1=11']);
    expect(fill(0, 0)).toEqual([]);
  });
});

test('what is taken back is done again in the order in which it was done, and not after something else was done', () => {
  const step = (key: string) => [{ key, own: {} }];
  const turned: string[] = [];
  const turn = (one: Step): Step => {
    turned.push(one.map(({ key }) => key).join(' '));
    return one;
  };
  let history = [step('a'), step('b'), []].reduce(did, nothingDone);
  history = undo(undo(undo(history, turn), turn), turn);
  history = redo(history, turn);
  history = did(history, step('c'));
  history = redo(history, turn);
  undo(undo(history, turn), turn);
  expect(turned).toEqual(['b', 'a', 'a', 'c', 'a']);
});

describe('what is said of a pasted block', () => {
  const NAMES = ['Adams, Al', 'Bell, Bo', 'Cole, Cy', 'Dean, Di'];
  const rowOf = (name: string) => (NAMES.includes(name) ? NAMES.indexOf(name) : undefined);
  const shows: Readonly<Record<string, string>> = { '0 0': '1', '1 0': '2', '2 0': '2' };
  const cells = {
    keyAt: ({ row, column }: Place) => `${row} ${column}`,
    textOf: (key: string) => shows[key] ?? '',
    isStudents: (key: string) => key in shows,
    isContested: (key: string) => key === '3 0',
    wrongAt: (_: Place, text: string) => (Number(text) > 9 ? `${text} is above the maximum of 9` : undefined),
  };
  const told = (text: string, row = 0, column = 0) => {
    const report = reporting(pasted(blockIn(text), blockOf(at({ row, column })), SIZE, rowOf), cells);
    return [report('taken').text, report('stored').text];
  };

  test('it adds up: what is taken, what the students had entered too, what stands beside other values, what is refused, what lies outside', () => {
    expect(told('1\n2\n3\n')).toEqual([
      '3 taken, 2 of them as the students had entered them.',
      '3 stored, 2 of them as the students had entered them.',
    ]);
    expect(told('1\n5\n')[0]).toBe('2 taken, 1 of them as the student had entered it.');
    expect(told('4\t4\n', 3)[0]).toBe('2 taken, 1 of them beside other values: decide which counts.');
    expect(told('1\t1\t1\t1\t1\n'.repeat(5), 2, 1)[0]).toBe('4 of 25 taken, 21 lie outside the table.');
    expect(told('12\t3\n')[0]).toBe('1 of 2 taken, 1 refused (12 is above the maximum of 9).');
    expect(told('Adams, Al\t4\nNobody, Ned\t1\n')[0]).toBe(
      '1 of 2 taken, 1 of nobody in this class (Nobody, Ned). Rows were matched by name.',
    );
    expect(told('')[0]).toBe('There is no mark in what was copied.');
  });
});

test('of a large table what is seen is drawn and the active cell, and what is left out keeps its room', () => {
  expect(shown(8, 12, 50, -1)).toEqual([8, 9, 10, 11]);
  expect(gapsBefore(shown(8, 12, 50, 2))).toEqual([2, 5, 0, 0, 0]);
  expect(gapAfter(shown(8, 12, 50, 49), 50)).toBe(0);
  const place = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), place, place, place, (count, one, other, active) => {
      const [from, to] = [Math.min(one, other, count), Math.min(Math.max(one, other), count)];
      const drawn = shown(from, to, count, active < from || active >= to ? active : -1);
      expect(drawn.includes(active)).toBe(active < count);
      expect(drawn).toEqual([...new Set(drawn)].toSorted((a, b) => a - b));
      expect(gapsBefore(drawn).reduce((sum, gap) => sum + gap, drawn.length) + gapAfter(drawn, count)).toBe(count);
    }),
  );
});
