import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../../events/marks/cell.ts';
import { heads, reading } from '../../../events/marks/cell.ts';
import type { Act, Look } from '../../support/marking-days.ts';
import { doneAgain, MarkingDay, read, sitting, taken } from '../../support/marking-days.ts';
import { rounds } from '../../support/rounds.ts';

/** Random days with few people, cells and values, so that people often agree. FAULT_SEED repeats one. */
type Step = Act | { readonly do: 'undo' | 'redo'; readonly which: number };
type Days = { readonly clearing: boolean };

const who = fc.nat(2);
const stepIn = ({ clearing }: Days): fc.Arbitrary<Step> => {
  const number = fc.nat(3);
  const typed: fc.Arbitrary<Value> = clearing ? fc.oneof({ weight: 4, arbitrary: number }, fc.constant('cleared' as const)) : number;
  const three = <T extends Value>(value: fc.Arbitrary<T>) => fc.tuple(...[0, 1, 2].map(() => fc.option(value, { freq: 3 })));
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('upload' as const), who, values: three(number), ticks: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('type' as const), who, values: three(typed) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const), which: fc.nat(20) }) },
  );
};
const day = (days: Days) => fc.array(stepIn(days), { minLength: 2, maxLength: 14 });
const seed = process.env['FAULT_SEED'] === undefined ? {} : { seed: Number(process.env['FAULT_SEED']) };
const runs = { numRuns: rounds(1_000, 10_000), ...seed };

const turn = (world: MarkingDay, { do: to, which }: Extract<Step, { which: number }>): void => {
  const command = world.done[which % Math.max(1, world.done.length)]?.command;
  if (command !== undefined) world.turn(command, to);
};

test('what stands after undo and redo is what the remaining uploads and saves say, in their order, by authors who look before they act', () => {
  fc.assert(
    fc.property(day({ clearing: true }), (steps) => {
      const world = new MarkingDay();
      for (const step of steps) {
        if ('which' in step) turn(world, step);
        else world.act(step);
      }
      expect(read(world)).toEqual(read(doneAgain(world)));
    }),
    runs,
  );
});

describe('whenever its author looked', () => {
  /** Each act with a look that may be any number of steps old. */
  const stale = fc.array(fc.tuple(stepIn({ clearing: true }), fc.nat(3)), { minLength: 2, maxLength: 14 });
  const play = (
    steps: readonly (readonly [Step, number])[],
    check: (before: MarkingDay['cells'], after: MarkingDay['cells'], look: Look, act: Act, index: number) => void,
  ): void => {
    const world = new MarkingDay();
    const looks: Look[] = [world.look()];
    for (const [step, age] of steps) {
      const before = world.cells;
      if ('which' in step) turn(world, step);
      else {
        const look = looks.at(-1 - Math.min(age, looks.length - 1)) ?? [];
        world.act(step, look);
        for (const [index, value] of step.values.entries()) if (value !== null) check(before, world.cells, look, step, index);
      }
      looks.push(world.look());
    }
  };

  test('no value is covered unseen', () => {
    fc.assert(
      fc.property(stale, (steps) =>
        play(steps, (before, after, look, { who: author }, index) => {
          const saw: readonly Value[] = look[index]?.length ? look[index] : ['cleared'];
          for (const value of taken(before[index] ?? [], after[index] ?? [], author)) expect(saw).toContain(value);
        }),
      ),
      runs,
    );
  });

  test('an upload decides no contested cell that its user did not tick, and agreement never changes which value counts', () => {
    fc.assert(
      fc.property(stale, (steps) =>
        play(steps, (before, after, look, act, index) => {
          const [was, now] = [reading(before[index] ?? []), reading(after[index] ?? [])];
          if (was.state !== 'contested') return;
          const is = act.values[index] ?? null;
          const unticked = act.do === 'upload' && !act.ticks && (look[index]?.length ?? 0) > 1;
          const saw: readonly Value[] = look[index]?.length ? look[index] : ['cleared'];
          const replaces = heads(before[index] ?? []).some(
            (head) => head.is !== is && (saw.includes(head.is) || (act.do === 'type' && head.entry === sitting(act.who))),
          );
          const isAgreement = is !== null && was.values.includes(is) && !replaces;
          if (unticked || isAgreement) expect(now).toMatchObject({ state: 'contested', value: was.value });
          if (isAgreement && now.state === 'contested') expect([...now.values].sort()).toEqual([...was.values].sort());
        }),
      ),
      runs,
    );
  });
});
