import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell, Value } from '../../../events/marks/cell.ts';
import { emptyCell, heads, reading, seen, wasToWrite, withChange, withRedone, withUndone } from '../../../events/marks/cell.ts';
import { decodeCell, encodeCell } from '../../../events/marks/cell-text.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * Random school days: several sittings look at one cell, type into it (from a fresh look, or from one that has grown old), replay what
 * they typed offline, decide, undo and redo. Values are few, so that different people often write the same.
 *
 * The day remembers who looked at what, by event; the fold knows only values. What it says is held against that memory.
 */
type Act =
  | { do: 'look'; who: number }
  | { do: 'type'; who: number; is: Value }
  | { do: 'replay'; who: number; queue: Value[] }
  | { do: 'decide'; who: number; is: Value }
  | { do: 'undo' | 'redo'; which: number };

const value = fc.constantFrom<Value>(1, 2, 3, 'cleared');
const who = fc.nat(3);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look'), who }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('type'), who, is: value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay'), who, queue: fc.array(value, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('decide'), who, is: value }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('undo', 'redo'), which: fc.nat(20) }) },
);
const day = fc.array(act, { maxLength: 25 });
const runs = { numRuns: rounds(2_000, 4_000) };

const holds = (check: (played: Played) => void): void =>
  fc.assert(
    fc.property(day, (acts) => check(play(acts))),
    runs,
  );

describe('in any order of looks, edits, replays, decisions, undo and redo', () => {
  test('what somebody saw and overwrote does not stand while their change does', () => {
    holds(({ cell, written }) => {
      const standing = new Set(heads(cell).map(({ event }) => event));
      for (const change of cell) {
        if (change.undone) continue;
        for (const event of written.get(change.event)!.sawEvents) expect(standing).not.toContain(event);
      }
    });
  });

  test('a change takes away only what its author saw, and stands itself', () => {
    holds(({ steps }) => {
      for (const { before, after, change } of steps) {
        if (!change) continue;
        const kept = heads(before).filter(
          (head) => head.entry !== change.entry && !change.was.includes(head.is) && !(change.was.length === 0 && head.is === 'cleared'),
        );
        expect(eventsOf(heads(after))).toEqual([...eventsOf(kept), change.event]);
      }
    });
  });

  test('nothing is lost: each change stands, or is undone, or lies beneath a standing chain of people who each saw the next', () => {
    holds(({ cell, written }) => {
      const standing = new Set(eventsOf(heads(cell)));
      for (const [index, change] of cell.entries()) {
        if (change.undone || standing.has(change.event)) continue;
        expect(cell.slice(index + 1).some((later) => !later.undone && knew(cell, written, later.event, change.event))).toBe(true);
      }
    });
  });

  test('an undo takes away that command only, and a redo brings that command only', () => {
    holds(({ steps }) => {
      for (const { before, after, undo, redo } of steps) {
        const others = (cell: Cell, command: string) => eventsOf(heads(cell).filter((head) => head.command !== command));
        if (undo) {
          expect(eventsOf(heads(after))).toEqual(expect.arrayContaining(others(before, undo)));
          expect(heads(after).every(({ command }) => command !== undo)).toBe(true);
        }
        if (redo) expect(others(before, redo)).toEqual(expect.arrayContaining(others(after, redo)));
      }
    });
  });

  test('undoing everything empties the cell, in whatever order', () => {
    fc.assert(
      fc.property(day, fc.infiniteStream(fc.nat()), (acts, order) => {
        let { cell } = play(acts);
        for (const command of commandsOf(cell).sort(() => ((order.next().value ?? 0) % 3) - 1)) cell = withUndone(cell, command);
        expect(reading(cell)).toEqual({ state: 'empty' });
      }),
      runs,
    );
  });

  test('undo and redo of a command with nothing between changes nothing', () => {
    holds(({ cell }) => {
      for (const command of commandsOf(cell)) {
        const isUndone = cell.some((change) => change.command === command && change.undone);
        expect(isUndone ? withUndone(withRedone(cell, command), command) : withRedone(withUndone(cell, command), command)).toEqual(cell);
      }
    });
  });

  test('a sitting never contests itself', () => {
    holds(({ cell }) => {
      const sittings = heads(cell).map(({ entry }) => entry);
      expect(new Set(sittings).size).toBe(sittings.length);
    });
  });

  test('a cell is contested when it holds two values or more, and never otherwise', () => {
    holds(({ cell }) => {
      const values = [...new Set(heads(cell).map(({ is }) => is))];
      const read = reading(cell);
      expect(read.state === 'contested').toBe(values.length >= 2);
      if (read.state === 'contested') expect(read).toMatchObject({ value: values[0], values });
      if (read.state === 'counts') expect([read.value]).toEqual(values);
      if (read.state === 'empty') expect(values.filter((each) => each !== 'cleared')).toEqual([]);
    });
  });

  test('somebody who sees all that the cell says leaves one value: their own', () => {
    fc.assert(
      fc.property(day, value, (acts, is) => {
        const { cell } = play(acts);
        const decision = { event: 'decision', command: 'decision', entry: 'decider', is, was: seen(cell) };
        expect(seen(withChange(cell, decision))).toEqual([is]);
      }),
      runs,
    );
  });

  test('what is written changes the cell; what is not would not have changed what it says, or only which of its values counts', () => {
    fc.assert(
      fc.property(day, value, fc.array(value, { maxLength: 2 }), who, (acts, is, was, author) => {
        const { cell } = play(acts);
        const change = { event: 'late', command: 'late', entry: sitting(author), is, was };
        const says = (values: readonly Value[]) => (values.length === 1 && values[0] === 'cleared' ? [] : [...values].sort());
        const written = wasToWrite(cell, change, 'total');
        if (!written) expect(says(seen(withChange(cell, change)))).toEqual(says(seen(cell)));
        else expect(eventsOf(heads(withChange(cell, { ...change, was: written })))).toContain('late');
      }),
      runs,
    );
  });

  test('any replay that keeps the order of each cell agrees, in any batches, stored and loaded between', () => {
    fc.assert(
      fc.property(fc.array(day, { minLength: 2, maxLength: 3 }), fc.infiniteStream(fc.nat()), (days, choose) => {
        const pick = (below: number): number => (choose.next().value ?? 0) % below;
        const expected = days.map((acts) => play(acts).cell);
        const waiting = days.map((acts) => [...play(acts).steps]);
        const stored = days.map((): string | null => null);
        while (waiting.some((steps) => steps.length > 0)) {
          // A batch: some steps of any cells; each cell is loaded once, folded and stored.
          const loaded = new Map<number, Cell>();
          for (let size = 1 + pick(5); size > 0; size -= 1) {
            const at = pick(days.length);
            const step = waiting[at]!.shift();
            if (step) loaded.set(at, step.act(loaded.get(at) ?? decodeCell(stored[at])));
          }
          for (const [at, cell] of loaded) stored[at] = encodeCell(cell);
        }
        expect(stored.map(decodeCell)).toEqual(expected);
        expect(stored.map((text) => reading(decodeCell(text)))).toEqual(expected.map(reading));
      }),
      { numRuns: rounds(1_000, 2_000) },
    );
  });
});

type Written = { sawEvents: string[]; wereUndone: Set<string> };
type PlayedStep = {
  before: Cell;
  after: Cell;
  act: (cell: Cell) => Cell;
  change?: { event: string; entry: string; is: Value; was: readonly Value[] };
  undo?: string;
  redo?: string;
};
type Played = { cell: Cell; steps: PlayedStep[]; written: Map<string, Written> };

const sitting = (author: number): string => `sitting ${author}`;
const eventsOf = (changes: readonly { event: string }[]): string[] => changes.map(({ event }) => event);
const commandsOf = (cell: Cell): string[] => [...new Set(cell.map(({ command }) => command))];

function play(acts: readonly Act[]): Played {
  let cell = emptyCell;
  const steps: PlayedStep[] = [];
  const written = new Map<string, Written>();
  const looks = new Map<number, Cell>();

  const step = (how: (before: Cell) => Cell, what: Partial<PlayedStep> = {}) => {
    const after = how(cell);
    steps.push({ before: cell, after, act: how, ...what });
    cell = after;
  };
  const write = (author: number, is: Value, look: readonly Cell[number][], command: string, ownQueue: readonly string[] = []) => {
    const event = `event ${written.size}`;
    const values = [...new Set(look.map((head) => head.is))];
    // An app shows a cleared cell as empty; it may say either.
    const was = values.length === 1 && values[0] === 'cleared' && author % 2 === 0 ? [] : values;
    const change = { event, command, entry: sitting(author), is, was };
    written.set(event, {
      sawEvents: [...eventsOf(look), ...ownQueue],
      wereUndone: new Set(eventsOf(cell.filter((each) => each.undone))),
    });
    step((before) => withChange(before, change), { change });
    return event;
  };
  const lookOf = (author: number): Cell => looks.get(author) ?? emptyCell;

  for (const one of acts) {
    if (one.do === 'look') looks.set(one.who, heads(cell));
    if (one.do === 'type') {
      const event = write(one.who, one.is, lookOf(one.who), `command ${written.size}`);
      // They see their own value now, and do not hear what else has come.
      looks.set(
        one.who,
        cell.filter((change) => change.event === event),
      );
    }
    if (one.do === 'replay') {
      const own: string[] = [];
      for (const is of one.queue) own.push(write(one.who, is, lookOf(one.who), `command ${written.size}`, own));
    }
    if (one.do === 'decide') {
      write(one.who, one.is, heads(cell), `command ${written.size}`);
      looks.set(one.who, heads(cell));
    }
    if (one.do === 'undo' || one.do === 'redo') {
      const commands = commandsOf(cell);
      const command = commands[one.which % Math.max(1, commands.length)];
      if (command === undefined) continue;
      if (one.do === 'undo') step((before) => withUndone(before, command), { undo: command });
      else step((before) => withRedone(before, command), { redo: command });
    }
  }
  return { cell, steps, written };
}

/** Whether the author of `later` knew of `earlier`: saw its value, or wrote it, or it was undone by then, or they saw one that knew. */
function knew(cell: Cell, written: Map<string, Written>, later: string, earlier: string): boolean {
  const change = cell.find(({ event }) => event === later)!;
  const { wereUndone } = written.get(later)!;
  if (wereUndone.has(earlier)) return true;
  for (const each of cell) {
    if (each.event === later) return false;
    const sawIt = each.entry === change.entry || change.was.includes(each.is) || (change.was.length === 0 && each.is === 'cleared');
    if (sawIt && !wereUndone.has(each.event) && (each.event === earlier || knew(cell, written, each.event, earlier))) return true;
  }
  return false;
}
