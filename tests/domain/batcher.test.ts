import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from '../../events/async/batcher.ts';

test.each([1, 2])('with %i rounds at once everybody gets their own answer, and no round is empty or too large', async (atOnce) => {
  const rounds: (readonly number[])[] = [];
  let underWay = 0;
  const double = batched(
    8,
    async (numbers: readonly number[]) => {
      rounds.push(numbers);
      underWay += 1;
      expect(underWay).toBeLessThanOrEqual(atOnce);
      for (let turn = 0; turn < numbers.length % 3; turn++) await nextTurn();
      underWay -= 1;
      if (numbers.includes(13)) throw new Error('unlucky');
      return numbers.map((number) => 2 * number);
    },
    atOnce,
  );
  // Each asks again as soon as they have been answered, in crowds of every size.
  const asking = async (first: number): Promise<number[]> => {
    const answers = [];
    for (let number = first; number < first + 400; number += 100) answers.push(await double(number).catch(() => -1));
    return answers;
  };
  const crowds = [2, 1, 3, 8, 9, 24].map((size, n) => Array.from({ length: size }, (_, person) => 1000 * n + person));
  crowds[3]![5] = 13;

  const answers = [];
  for (const crowd of crowds) answers.push(...(await Promise.all(crowd.map(asking))));

  const withUnlucky = rounds.find((round) => round.includes(13)) ?? [];
  const twice = (number: number): number => (withUnlucky.includes(number) ? -1 : 2 * number);
  expect(answers).toEqual(crowds.flat().map((first) => [0, 100, 200, 300].map((more) => twice(first + more))));
  for (const { length } of rounds) {
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(8);
  }
});
