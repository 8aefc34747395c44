/**
 * At most `most` calls at once; the others queue here in order and time out.
 *
 * @throws what `late` returns, when a call has waited `timeoutMs` for its turn
 */
export const semaphore = (most: number, timeoutMs: number, late: () => Error): (<T>(call: () => Promise<T>) => Promise<T>) => {
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
      reject(late());
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
