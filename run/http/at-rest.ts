/**
 * Frees memory when nobody has used the process for a moment. V8 collects garbage only as more is allocated, and so keeps some 40 MB for minutes
 * after a busy time. A collection takes 0.1 to 0.3 s, once after each busy time. It needs Node's option --expose-gc, which run/bootstrap.mjs
 * sets.
 *
 * @param lookMs how long it must have been at rest
 * @returns a function that ends it
 */
export const shrinkAtRest = (lookMs = 10_000): (() => void) => {
  const { gc } = globalThis;
  if (!gc) return () => undefined;
  let left = 0;
  let before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    const now = process.memoryUsage.rss();
    if (left > 0) left = Math.min(left, now);
    if ((user + system) / 1000 < lookMs * AT_REST && now > left + WORTH_IT) {
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      left = process.memoryUsage.rss();
    }
    before = process.cpuUsage();
  };
  const looking = setInterval(look, lookMs).unref();
  return () => clearInterval(looking);
};

/** A share of one processor. The process at rest takes a quarter of it; two saves within the time are not rest: each would pay for a collection. */
const AT_REST = 0.005;
/** More than young objects take at rest. */
const WORTH_IT = 24 * 1024 * 1024;
