import { Silent } from './link.ts';

/**
 * Lets at most so many calls out at once; the others wait here, in order, and give up after the time-out. A connection carries about a
 * hundred calls, and one too many waits inside of it where nobody can tell whether it was sent.
 */
export const turns = (most: number, timeoutMs: number): (<T>(call: () => Promise<T>) => Promise<T>) => {
  const waiting = new Set<() => void>();
  let free = most;

  const enter = async () => {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn = () => resolve();
    waiting.add(turn);
    const timer = setTimeout(() => {
      waiting.delete(turn);
      reject(new Silent(timeoutMs));
    }, timeoutMs);
    await promise.finally(() => clearTimeout(timer));
  };

  const leave = () => {
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };

  return async (call) => {
    await enter();
    try {
      return await call();
    } finally {
      leave();
    }
  };
};
