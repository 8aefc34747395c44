import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rounds under way at once: a long answer in one does not hold up the short ones in the other. */
const LANES = 2;

/**
 * Turns many small questions into few rounds: what is asked while earlier rounds are under way is asked in one, at most `most` at a time.
 * A round is begun after each of its questions, so that no answer is older than its question.
 */
export const together = <Question, Answer>(
  most: number,
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): ((question: Question) => Promise<Answer>) => {
  const waiting: { question: Question; answer: PromiseWithResolvers<Answer> }[] = [];
  let lanes = 0;

  const runLane = async () => {
    lanes += 1;
    await nextTurn();
    while (waiting.length > 0) {
      const round = waiting.splice(0, most);
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
    if (lanes < LANES) void runLane();
    return answer.promise;
  };
};
