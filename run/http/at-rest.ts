/**
 * Makes the process small again when nobody has used it for a moment. V8 keeps some 40 MB of what a busy time has taken for minutes: it
 * collects garbage as more is allocated, and then nothing is. A collection takes 0.1 to 0.3 s, once after each busy time. It needs Node's
 * option --expose-gc, which run/bootstrap.mjs gives.
 *
 * @param lookMs so long it must have had next to nothing to do
 * @returns a function that ends it
 */
export const shrinkAtRest = (lookMs = 5_000): (() => void) => {
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

/** A share of one processor. What the process does by itself takes 1 %, three saves a second take the rest. */
const AT_REST = 0.05;
/** More than what young objects take while little happens. */
const WORTH_IT = 24 * 1024 * 1024;
