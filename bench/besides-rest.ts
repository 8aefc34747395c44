/** The processor time of something that is done again and again. */
import { median } from './figures.ts';
import { millisecondsOf } from './processor-time.ts';

/**
 * What these processes and all that they started take for something that they do again and again, beyond what they take without it, in ms.
 * Measured in turns with pauses of about `pauseMs`; of these the median, because a collection of garbage that falls into them would count for
 * each of the works.
 */
export const besidesRest = (roots: readonly number[], pauseMs: number) => {
  type Turn = { readonly cpu: number; readonly wall: number };
  const [pauses, works]: [Turn[], Turn[]] = [[], []];
  const timed = async <Result>(turns: Turn[], work: () => Promise<Result>): Promise<Result> => {
    const [cpu, wall] = [millisecondsOf(roots), performance.now()];
    const result = await work();
    turns.push({ cpu: millisecondsOf(roots) - cpu, wall: performance.now() - wall });
    return result;
  };
  return {
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      await timed(pauses, () => pause(pauseMs * (0.5 + Math.random())));
      return timed(works, async () => {
        const result = await work();
        await pause(AFTERWARDS_MS);
        return result;
      });
    },
    /** `mean`: with its share of collected garbage. */
    of(): { readonly median: number; readonly mean: number } {
      const resting = median(pauses.map(({ cpu, wall }) => cpu / wall));
      const each = works.map(({ cpu, wall }) => cpu - resting * wall);
      return { median: median(each), mean: each.reduce((sum, one) => sum + one, 0) / each.length };
    },
  };
};

/** What nobody waits for, such as a transaction's end. */
const AFTERWARDS_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
