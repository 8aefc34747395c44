import { describe, expect, test } from 'vitest';
import type { Cell, Value } from '../../../events/marks/cell.ts';
import { eventId, newId } from '../../../events/codec/ids.ts';
import {
  agrees,
  COVERS_NOTHING,
  withChange,
  emptyCell,
  heads,
  reading,
  withRedone,
  seenValues,
  authorsOf,
  seen,
  shareOf,
  wasToWrite,
  withUndone,
} from '../../../events/marks/cell.ts';
import { decodeCell, encodeCell, encodeChanged } from '../../../events/marks/cell-text.ts';

describe('who says the value that counts', () => {
  const sayersOf = (cell: Cell) => authorsOf(cell).map(({ command }) => command);

  test('is its author, and whoever confirmed it, the latest first', () => {
    expect(sayersOf(emptyCell)).toEqual([]);
    const cell = story(typed('teacher', 18), typed('leader', 18, [18]));
    expect(sayersOf(cell)).toEqual(['leader:18', 'teacher:18']);
    expect(sayersOf(withUndone(cell, 'leader:18'))).toEqual(['teacher:18']);
    expect(sayersOf(withUndone(cell, 'teacher:18'))).toEqual(['leader:18']);
    expect(sayersOf(withUndone(withUndone(cell, 'leader:18'), 'teacher:18'))).toEqual([]);
  });

  test('is nobody who said it before it was another', () => {
    expect(sayersOf(story(typed('teacher', 18), typed('leader', 20, [18]), typed('admin', 18, [20])))).toEqual(['admin:18']);
  });

  test('is of a contested cell whoever said the value that counts until it is decided, and then the same with who decided', () => {
    const contested = story(typed('teacher', 18), typed('leader', 20));
    expect(sayersOf(contested)).toEqual(['teacher:18']);
    expect(sayersOf(story(typed('teacher', 18), typed('leader', 20), typed('admin', 18, [18, 20])))).toEqual(['admin:18', 'teacher:18']);
  });
});

describe('a correction', () => {
  test('of a value that its author saw counts alone', () => {
    const cell = story(typed('teacher', 18), typed('leader', 20, [18]));
    expect(says(cell)).toEqual([20]);
    expect(reading(cell)).toMatchObject({ state: 'counts', value: 20, change: { command: 'leader:20' } });
  });

  test('undone, the mark beneath comes back; redone, it counts again', () => {
    const cell = story(typed('teacher', 18), typed('leader', 20, [18]));
    expect(says(withUndone(cell, 'leader:20'))).toEqual([18]);
    expect(says(withRedone(withUndone(cell, 'leader:20'), 'leader:20'))).toEqual([20]);
  });

  test('of a correction still counts when the one between is undone, and falls to the first mark when it is undone itself', () => {
    const cell = story(typed('teacher', 18), typed('leader', 20, [18]), typed('admin', 22, [20]));
    const withoutMiddle = withUndone(cell, 'leader:20');
    expect(says(withoutMiddle)).toEqual([22]);
    expect(says(withUndone(withoutMiddle, 'admin:22'))).toEqual([18]);
    expect(says(withRedone(withUndone(withoutMiddle, 'admin:22'), 'leader:20'))).toEqual([20]);
  });

  test('made after an undo is not disturbed by the redo', () => {
    const cell = story(typed('teacher', 18), undo('teacher:18'), typed('leader', 20), redo('teacher:18'));
    expect(says(cell)).toEqual([20]);
    expect(says(withUndone(cell, 'leader:20'))).toEqual([18]);
  });

  test('by somebody who had not heard that the old mark is back is a question', () => {
    const cell = story(typed('teacher', 15), typed('leader', 18, [15]), undo('leader:18'), typed('offline', 19, [18]));
    expect(says(cell)).toEqual([15, 19]);
  });
});

describe('two who did not see each other', () => {
  test('both keep their value, and the earliest counts until somebody decides', () => {
    const cell = story(typed('teacher', 18), typed('colleague', 20));
    expect(reading(cell)).toMatchObject({ state: 'contested', value: 18, values: [18, 20] });
  });

  test('an upload from an old preview is a question, not a correction', () => {
    const cell = story(typed('teacher', 18), typed('leader', 20, [18]), typed('upload', 15, [18]));
    expect(says(cell)).toEqual([20, 15]);
  });

  test('agree when they wrote the same', () => {
    const cell = story(typed('teacher', 18), typed('colleague', 18));
    expect(reading(cell)).toMatchObject({ state: 'counts', value: 18, change: { entry: 'teacher' } });
  });

  test('are asked about a clearing too', () => {
    const cell = story(typed('teacher', 18), typed('leader', 'cleared', [18]), typed('offline', 19, [18]));
    expect(reading(cell)).toMatchObject({ state: 'contested', value: 'cleared', values: ['cleared', 19] });
  });

  test('a third value joins the two', () => {
    expect(says(story(typed('teacher', 18), typed('colleague', 20), typed('upload', 15)))).toEqual([18, 20, 15]);
  });

  test('the contest ends when one of them is undone, and is back when it is redone', () => {
    const cell = story(typed('teacher', 18), typed('colleague', 20));
    expect(says(withUndone(cell, 'teacher:18'))).toEqual([20]);
    expect(says(withRedone(withUndone(cell, 'teacher:18'), 'teacher:18'))).toEqual([18, 20]);
  });
});

describe('a decision', () => {
  const contested = story(typed('teacher', 18), typed('colleague', 20));

  test('by somebody who saw both settles the cell, for one of the two or for a third value', () => {
    expect(says(withChange(contested, typed('leader', 18, [18, 20])))).toEqual([18]);
    expect(says(withChange(contested, typed('leader', 19, [18, 20])))).toEqual([19]);
  });

  test('undone, the cell is contested again', () => {
    const cell = withUndone(withChange(contested, typed('leader', 18, [18, 20])), 'leader:18');
    expect(reading(cell)).toMatchObject({ state: 'contested', values: [18, 20] });
  });

  test('leaves standing what came after its author looked', () => {
    const cell = story(typed('teacher', 18), typed('colleague', 20), typed('upload', 15), typed('leader', 20, [18, 20]));
    expect(says(cell)).toEqual([15, 20]);
  });
});

describe('one sitting', () => {
  test('overwrites itself, whatever it says that it saw', () => {
    expect(says(story(typed('tab', 1), typed('tab', 18), typed('tab', 19, [7])))).toEqual([19]);
  });

  test('replayed after a night offline leaves one value: the last', () => {
    expect(says(story(typed('tab', 12, [10]), typed('tab', 13, [10]), typed('tab', 14, [10])))).toEqual([14]);
  });

  test('replayed onto a mark that it never saw asks once, with its last value', () => {
    const cell = story(typed('teacher', 10), typed('leader', 20, [10]), typed('tab', 12, [10]), typed('tab', 13, [10]));
    expect(says(cell)).toEqual([20, 13]);
  });

  test('does not contest itself when the correction between its two values is undone', () => {
    // 19 was typed in a tab that had not heard of the upload. Of the heads it covers none; but 18, beneath the upload, is its own.
    const cell = story(typed('tab', 18), typed('upload', 20, [18]), typed('tab', 19, [18]));
    expect(says(cell)).toEqual([20, 19]);
    expect(says(withUndone(cell, 'upload:20'))).toEqual([19]);
  });

  test('nor does a value come back that another sitting saw and overwrote', () => {
    const cell = story(typed('teacher', 18), typed('upload', 20, [18]), typed('offline', 19, [18]));
    expect(says(withUndone(cell, 'upload:20'))).toEqual([19]);
  });

  test('goes by command when it is undone', () => {
    const cell = story(typed('tab', 18), typed('tab', 19));
    expect(says(withUndone(cell, 'tab:19'))).toEqual([18]);
    expect(says(withUndone(withUndone(cell, 'tab:19'), 'tab:18'))).toEqual([]);
  });
});

describe('a cleared cell', () => {
  test('reads as empty, and history knows who cleared it', () => {
    const cell = story(typed('teacher', 18), typed('leader', 'cleared', [18]));
    expect(reading(cell)).toMatchObject({ state: 'empty', cleared: { entry: 'leader' } });
    expect(reading(withUndone(cell, 'leader:cleared'))).toMatchObject({ state: 'counts', value: 18 });
  });

  test('takes a mark from somebody who saw it empty', () => {
    expect(says(story(typed('teacher', 18), typed('leader', 'cleared', [18]), typed('upload', 20)))).toEqual([20]);
  });

  test('and a cell that nobody wrote into are both empty', () => {
    expect(reading(emptyCell)).toEqual({ state: 'empty' });
    expect(reading(story(typed('teacher', 18), undo('teacher:18')))).toEqual({ state: 'empty' });
  });
});

describe('attendance', () => {
  test('is a cell like the others', () => {
    expect(says(story(typed('teacher', 'absent'), typed('leader', 'sat', ['absent'])))).toEqual(['sat']);
    expect(says(story(typed('teacher', 'absent'), typed('leader', 'exempt')))).toEqual(['absent', 'exempt']);
  });
});

describe('what is written', () => {
  const agreed = story(typed('teacher', 18));
  const contested = story(typed('teacher', 18), typed('colleague', 20));
  const cleared = story(typed('teacher', 3), typed('leader', 'cleared', [3]));
  const uncleared = story(typed('teacher', 18), typed('leader', 'cleared', [18]), typed('offline', 19, [18]));
  const corrected = story(typed('first', 15), typed('teacher', 18, [15]), typed('colleague', 20, [15]));
  const cases: [string, Cell, Typed, readonly Value[] | 'nothing', readonly Value[]][] = [
    ['the first mark', emptyCell, typed('teacher', 18), [], [18]],
    ['clearing an empty cell', emptyCell, typed('teacher', 'cleared'), 'nothing', []],
    ['clearing what was undone', story(typed('teacher', 18), undo('teacher:18')), typed('leader', 'cleared', [18]), 'nothing', []],
    ['clearing a cleared cell', cleared, typed('colleague', 'cleared'), [], ['cleared']],
    ['the value that counts', agreed, typed('upload', 18, [18]), [18], [18]],
    ['the value that counts, by the same sitting', agreed, typed('teacher', 18, [18]), [18], [18]],
    ['the value that counts, from somebody who saw another', agreed, typed('offline', 18, [15]), [15], [18]],
    ['another value', agreed, typed('leader', 20, [18]), [18], [20]],
    ['another value from an old preview', agreed, typed('leader', 20, [15]), [15], [18, 20]],
    ['a decision for the value that counts', contested, typed('leader', 18, [18, 20]), [18, 20], [18]],
    ['a decision for the other', contested, typed('leader', 20, [18, 20]), [18, 20], [20]],
    ['one of the two values, from somebody who saw the other one', contested, typed('offline', 20, [18]), [18], [20]],
    ['one of the two values, from somebody who saw it only', contested, typed('offline', 18, [18]), ['sat'], [18, 20]],
    ['the same, over what it had replaced', corrected, typed('offline', 18, [18]), [15], [18, 20]],
    ['the other of the two values, from somebody who saw it only', contested, typed('offline', 20, [20]), ['sat'], [18, 20]],
    ['one of the two values, not ticked', contested, typed('upload', 20, COVERS_NOTHING['total']), ['sat'], [18, 20]],
    ['a third value, not ticked', contested, typed('upload', 15, COVERS_NOTHING['total']), ['sat'], [18, 20, 15]],
    ['one of the two, beside a clearing', uncleared, typed('admin', 19, [19]), [18], ['cleared', 19]],
    ['clearing, beside a mark', uncleared, typed('admin', 'cleared', []), [18], ['cleared', 19]],
    ['its own value again, which counts', contested, typed('teacher', 18, [18]), 'nothing', [18, 20]],
    ['its own value again, which does not count', contested, typed('colleague', 20, [20]), ['sat'], [18, 20]],
    ['its own value given up for the other', contested, typed('teacher', 20, []), [], [20]],
  ];
  test.each(cases)('%s', (_name, cell, change, expected, after) => {
    const was = wasToWrite(cell, change, 'total');
    expect(was ?? 'nothing').toEqual(expected);
    expect(says(was ? withChange(cell, { ...change, was }) : cell)).toEqual(after);
  });

  test('a value that joins a contested cell covers nothing, not even a clearing', () => {
    expect(says(withChange(uncleared, typed('upload', 20, COVERS_NOTHING['total'])))).toEqual(['cleared', 19, 20]);
  });

  test('what says that it covers nothing is nothing that anybody saw', () => {
    expect([seenValues(COVERS_NOTHING['mark'], 'mark'), seenValues(COVERS_NOTHING['attendance'], 'attendance')]).toEqual([[], []]);
    expect(seenValues([18, 'cleared'], 'total')).toEqual([18, 'cleared']);
    expect(seenValues(['absent', 'cleared'], 'attendance')).toEqual(['absent', 'cleared']);
  });
});

describe('agreement', () => {
  const twice = story(typed('teacher', 0), typed('teacher', 1, [0]), typed('colleague', 1, [1]));

  test('stands when the value that it repeats is undone, and falls to it when it is undone itself', () => {
    expect(says(twice)).toEqual([1]);
    expect(says(withUndone(twice, 'teacher:1'))).toEqual([1]);
    expect(says(withUndone(twice, 'colleague:1'))).toEqual([1]);
    expect(says(withUndone(withUndone(twice, 'colleague:1'), 'teacher:1'))).toEqual([0]);
  });

  test('is told from a correction and from a decision', () => {
    const contested = story(typed('teacher', 18), typed('colleague', 20));
    expect(agrees(story(typed('teacher', 18)), typed('leader', 18, [18]))).toBe(true);
    expect(agrees(story(typed('teacher', 18)), typed('leader', 20, [18]))).toBe(false);
    expect(agrees(contested, typed('leader', 18, COVERS_NOTHING['total']))).toBe(true);
    expect(agrees(contested, typed('leader', 18, [18, 20]))).toBe(false);
    expect(agrees(emptyCell, typed('leader', 18))).toBe(false);
  });

  test('is what stays without a command; its own value goes; what was replaced since counts in neither case', () => {
    expect(shareOf(twice, 'teacher:1')).toMatchObject({ share: 'shared', changes: [{ command: 'colleague:1' }] });
    expect(shareOf(withUndone(twice, 'teacher:1'), 'teacher:1')).toMatchObject({ share: 'shared' });
    expect(shareOf(story(typed('teacher', 18)), 'teacher:18')).toEqual({ share: 'own' });
    expect(shareOf(story(typed('teacher', 18), typed('leader', 20, [18])), 'teacher:18')).toEqual({ share: 'replaced' });
  });
});

describe('stored', () => {
  const id = (n: number) => `0b5c9f5e-2d3b-5c1a-9e77-${String(n).padStart(12, '0')}`;

  test('the usual cell takes 30 characters: an upload names entry and event after its command', () => {
    const command = id(2);
    const upload = { event: eventId(command, 0), command, entry: newId(command, 'entry') };
    const cell = withChange(emptyCell, { ...upload, is: 18, was: [] });
    expect(encodeCell(cell).length).toBeLessThanOrEqual(30);
    expect(decodeCell(encodeCell(cell))).toEqual(cell);
    const typed = withChange(emptyCell, { ...upload, entry: id(3), is: 18, was: [] });
    expect(encodeCell(typed).length).toBeLessThanOrEqual(70);
    expect(decodeCell(encodeCell(typed))).toEqual(typed);
  });

  test('every part comes back, from text and from parsed JSON', () => {
    const cell = story(
      typed('teacher', 18),
      typed('~odd "name"', 'cleared', [18]),
      undo('teacher:18'),
      typed('c', 20, [7, 'cleared']),
      typed('d', 3),
    );
    expect(decodeCell(encodeCell(cell))).toEqual(cell);
    expect(decodeCell(JSON.parse(encodeCell(cell)))).toEqual(cell);
  });

  test('one change more is added to the text, which comes out the same', () => {
    let cell = emptyCell;
    let text = '';
    for (const [person, is, was] of [
      ['a', 18, []],
      ['b', 20, [18]],
      ['c', 'cleared', [7]],
      ['d', 3, [20, 'cleared']],
    ] as const) {
      cell = withChange(cell, { event: id(3), command: id(4), entry: person, is, was });
      text = encodeChanged(text, cell);
      expect(text).toBe(encodeCell(cell));
    }
  });

  test('nothing stored is an empty cell', () => {
    expect(decodeCell(null)).toEqual([]);
    expect(decodeCell(encodeCell(emptyCell))).toEqual([]);
  });

  test('a thousand corrections of one cell stay below 100 characters each', () => {
    let cell = emptyCell;
    for (let n = 0; n < 1000; n += 1)
      cell = withChange(cell, { event: id(n), command: id(n), entry: id(n), is: n, was: n === 0 ? [] : [n - 1] });
    expect(heads(cell)).toHaveLength(1);
    expect(encodeCell(cell).length).toBeLessThan(100_000);
  });
});

type Typed = { event: string; command: string; entry: string; is: Value; was: readonly Value[] };
type Step = Typed | { undo: string } | { redo: string };

/** One change by a sitting that saw `was`; its command is named `sitting:value`. */
function typed(entry: string, is: Value, was: readonly Value[] = []): Typed {
  return { event: `event of ${entry}:${is}`, command: `${entry}:${is}`, entry, is, was };
}
function undo(command: string): Step {
  return { undo: command };
}
function redo(command: string): Step {
  return { redo: command };
}

function story(...steps: Step[]): Cell {
  return steps.reduce<Cell>((cell, step) => {
    if ('undo' in step) return withUndone(cell, step.undo);
    if ('redo' in step) return withRedone(cell, step.redo);
    return withChange(cell, step);
  }, emptyCell);
}

/** The values that a person would see in the cell. */
function says(cell: Cell): readonly Value[] {
  return seen(cell);
}
