import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Batches simultaneous questions: those asked while earlier rounds are under way go out together in the next round, at most `most` at a
 * time.
 *
 * `rounds`: how many may be under way at once. With two, a long answer does not hold up short ones; if all are short, one makes larger and
 * cheaper rounds.
 *
 * A round begins after all of its questions, so no answer is older than its question. After a round with a single question, the next one
 * starts without waiting for more.
 */
export const together = <Question, Answer>(
  most: number,
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  rounds = 2,
): ((question: Question) => Promise<Answer>) => {
  const waiting: { question: Question; answer: PromiseWithResolvers<Answer> }[] = [];
  let lanes = 0;
  let isCrowded = true;

  const runLane = async () => {
    lanes += 1;
    if (isCrowded) await nextTurn();
    while (waiting.length > 0) {
      const round = waiting.splice(0, most);
      isCrowded = round.length > 1;
      try {
        const answers = await answerAll(round.map(({ question }) => question));
        round.forEach(({ answer }, place) => answer.resolve(answers[place]!));
      } catch (error) {
        for (const { answer } of round) answer.reject(error);
      }
    }
    lanes -= 1;
  };

  return (question) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ question, answer });
    if (lanes < rounds) void runLane();
    return answer.promise;
  };
};
