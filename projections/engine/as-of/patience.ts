/** `filling`: that with a schema that is being filled for this query; `isTold`: how far it is, when that is over. */
export type Patience = {
  readonly over: AbortSignal;
  readonly filling: AbortSignal;
  readonly isTold: boolean;
  readonly leftMs: () => number;
};

/** @param fillingMs undefined: as long as for any schema */
export const patienceOf = (ms: number, fillingMs: number | undefined): Patience => {
  const end = performance.now() + ms;
  const over = AbortSignal.timeout(ms);
  const isTold = fillingMs !== undefined;
  return { over, filling: isTold ? AbortSignal.timeout(fillingMs) : over, isTold, leftMs: () => end - performance.now() };
};

/** A failed filling fails the queries that wait for it; a slow one does not. */
export const untilOver = (filling: Promise<void>, patience: AbortSignal): Promise<void> =>
  raced(filling, patience, ({ resolve }) => resolve());

/** A silent log does not prevent the process from stopping: the connection of the filling is closed, which ends it. */
export const untilStopped = <Result>(filling: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  filling.catch(() => undefined);
  return raced(filling, signal, ({ reject }) => reject(signal.reason));
};

/** The filling, or what becomes of the promise once the signal is aborted. */
const raced = async <Result>(
  filling: Promise<Result>,
  signal: AbortSignal,
  end: (promise: PromiseWithResolvers<Result>) => void,
): Promise<Result> => {
  const aborted = Promise.withResolvers<Result>();
  const stop = (): void => end(aborted);
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([filling, aborted.promise]).finally(() => signal.removeEventListener('abort', stop));
};
