import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Turns many small questions into few rounds: what is asked while earlier rounds are under way is asked in one, at most `most` at a time.
 *
 * `rounds`: under way at once. With two a long answer does not hold up the short ones; where all are short, one is larger and costs less.
 *
 * A round is begun after each of its questions, so that no answer is older than its question. Who was alone the last time is not kept
 * waiting for company.
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
