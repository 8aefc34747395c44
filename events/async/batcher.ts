import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits a turn of the event loop for others to join, and another one as long as more have come, for some milliseconds. Callers that were
 * answered together come back together, and one large round takes less processor time than several small ones.
 */
export const gatherOthers = async (waiting: () => number, most: number): Promise<void> => {
  const since = performance.now();
  let before: number;
  do {
    before = waiting();
    await nextTurn();
  } while (before < waiting() && waiting() < most && performance.now() - since < LONGEST_MS);
};
const LONGEST_MS = 3;

/**
 * Batches simultaneous lookups: those that arrive while earlier rounds are under way go out together in the next round, at most `most` at
 * a time.
 *
 * `rounds`: how many may be under way at once. With two, a long answer does not hold up short ones; if all are short, one makes larger and
 * cheaper rounds.
 *
 * A round begins after all of its lookups, so no answer is older than its lookup. After a round with a single lookup, the next one
 * starts without waiting for more.
 */
export const batched = <Key, Answer>(
  most: number,
  answerAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  rounds = 2,
): ((key: Key) => Promise<Answer>) => {
  const waiting: { key: Key; answer: PromiseWithResolvers<Answer> }[] = [];
  let lanes = 0;
  let isCrowded = true;

  const runLane = async () => {
    lanes += 1;
    while (waiting.length > 0) {
      if (isCrowded) await gatherOthers(() => waiting.length, most);
      const round = waiting.splice(0, most);
      // Taken by another lane meanwhile.
      if (round.length === 0) break;
      isCrowded = round.length > 1;
      try {
        const answers = await answerAll(round.map(({ key }) => key));
        round.forEach(({ answer }, place) => answer.resolve(answers[place]!));
      } catch (error) {
        for (const { answer } of round) answer.reject(error);
      }
    }
    lanes -= 1;
  };

  return (key) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ key, answer });
    if (lanes < rounds) void runLane();
    return answer.promise;
  };
};
