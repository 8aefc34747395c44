import { pause } from '../../events/async/backoff.ts';

/** Called between pieces of a long work: waits before the next. `whole`: for all that is owed. @throws when the process is to stop */
export type Rest = (whole?: 'whole') => Promise<void>;

/** So long that the work takes a tenth of the time, of all the processors that it keeps busy. */
export const gently = (stopping: AbortSignal): Rest => {
  let owed = 0;
  let since = performance.now();
  let turn = Promise.resolve();
  const rest = async (whole: boolean): Promise<void> => {
    stopping.throwIfAborted();
    owed += SHARE * (performance.now() - since);
    const now = whole ? owed : Math.min(owed, MOST_MS);
    await pause(now, stopping);
    owed -= now;
    stopping.throwIfAborted();
    since = performance.now();
  };
  return (whole) => (turn = turn.then(() => rest(whole === 'whole')));
};

/** Without waiting. */
export const atOnce =
  (stopping: AbortSignal): Rest =>
  async () =>
    stopping.throwIfAborted();

/** The work is done here and in PostgreSQL, at times by both at once. */
const SHARE = 11;
/** A comparison of read models may hold up their updates: the remainder is waited for after the pieces that follow. */
const MOST_MS = 3_000;
