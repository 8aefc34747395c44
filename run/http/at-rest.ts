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
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < AT_REST && process.memoryUsage.rss() > left + WORTH_IT) {
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      left = process.memoryUsage.rss();
    }
    before = performance.eventLoopUtilization();
  };
  const looking = setInterval(look, lookMs).unref();
  return () => clearInterval(looking);
};

/** The lease and the heartbeats of open pages take less, and a few saves more. */
const AT_REST = 0.02;
/** More than what young objects take while little happens. */
const WORTH_IT = 24 * 1024 * 1024;
