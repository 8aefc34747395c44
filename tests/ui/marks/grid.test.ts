import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockIn, clipboardText } from '../../../staff-ui/marks/grid/clipboard.ts';
import type { Step } from '../../../staff-ui/marks/grid/history.ts';
import { did, nothingDone, redo, undo } from '../../../staff-ui/marks/grid/history.ts';
import type { Looked, Mode } from '../../../staff-ui/marks/grid/keys.ts';
import { actOf, movedOn } from '../../../staff-ui/marks/grid/keys.ts';
import type { Selection } from '../../../staff-ui/marks/grid/place.ts';
import { at, blockOf, filledDown } from '../../../staff-ui/marks/grid/place.ts';
import { gapAfter, gapsBefore, shown } from '../../../staff-ui/marks/grid/useWindow.ts';
import { widthsIn } from '../../../staff-ui/marks/grid/widths.ts';

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

test('filling down repeats the first row, or the row above', () => {
  const textAt = ({ row, column }: { row: number; column: number }) => (row === 0 && column === 1 ? '' : `${row}${column}`);
  const fill = (top: number, bottom: number) =>
    filledDown({ top, left: 0, bottom, right: 1 }, textAt).map(({ place, text }) => `${place.row},${place.column}=${text}`);
  expect(fill(0, 2)).toEqual(['1,0=00', '2,0=00']);
  expect(fill(2, 2)).toEqual(['2,0=10', '2,1=11']);
  expect(fill(0, 0)).toEqual([]);
});

test('what is taken back is done again in the order in which it was done, and not after something else was done', () => {
  const step = (key: string) => [{ key, ownState: {} }];
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

describe('the widths of a table of marks', () => {
  const wide = (free: number, columns: number, tails: number) => {
    const { name, column, tail } = widthsIn(free, columns, tails, 4);
    return name + columns * column + tails * tail;
  };

  test('totals take half of a wide dialog, the keys beside them the other, and of a narrow one what they need', () => {
    expect(wide(1181, 1, 1)).toBeGreaterThanOrEqual(1181 * 0.45);
    expect(wide(1181, 1, 1)).toBeLessThanOrEqual(1181 * 0.55);
    expect(wide(358, 1, 1)).toBeLessThanOrEqual(358);
  });

  test('questions take all of it', () => {
    expect(wide(1181, 13, 3)).toBeGreaterThan(1181 - 13);
    expect(wide(1181, 13, 3)).toBeLessThanOrEqual(1181);
  });
});
