import { ForgettingsDamaged } from '../events/codec/forgettings.ts';
import { SecretKeyError } from '../events/codec/key-file.ts';
import { ReaderRoleMissing } from '../projections/engine/reader-role.ts';
import { ReadModelsDoNotFit } from '../projections/engine/schema.ts';
import { StartError } from './start-error.ts';

/** The life of a process that starts things in order and ends them in the opposite order. */
export interface Life {
  /** Aborted as soon as the process is told to stop: waiting requests and loops end by it. */
  readonly stopping: AbortSignal;
  /** Registers how to end what was just started. */
  onEnd(close: () => void | Promise<void>): void;
  /** Ends everything in order, then the process. */
  end(exitCode: number): Promise<never>;
}

/** Errors whose message is the one line that says what to do. */
const isForTheUser = (error: unknown) =>
  error instanceof StartError ||
  error instanceof ForgettingsDamaged ||
  error instanceof SecretKeyError ||
  error instanceof ReaderRoleMissing ||
  error instanceof ReadModelsDoNotFit;

/**
 * Runs `start`, then lives until SIGINT, SIGTERM or the death of the process that started this one.
 * What a user can put right is one line and exit code 1; anything else shows its stack.
 *
 * @param interrupted the exit code where it is told to stop: 0 for what runs until then, another for what has not done its work
 */
export function live(start: (life: Life) => Promise<void>, { interrupted = 0 }: { interrupted?: number } = {}): void {
  const closers: (() => void | Promise<void>)[] = [];
  const stopping = new AbortController();
  let ending: Promise<never> | undefined;

  const closeAll = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) {
      try {
        await close();
      } catch (error) {
        console.error(error);
      }
    }
  };
  const end = (exitCode: number): Promise<never> =>
    (ending ??= (async () => {
      stopping.abort();
      setTimeout(() => process.exit(1), 60_000).unref();
      await started;
      await closeAll();
      process.exit(exitCode);
    })());
  const fail = (error: unknown) => {
    if (!stopping.signal.aborted) console.error(isForTheUser(error) ? error.message : error);
    void end(stopping.signal.aborted ? interrupted : 1);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(interrupted));
  if (process.connected) {
    process.once('disconnect', () => void end(interrupted));
    process.channel?.unref();
  }
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const started: Promise<void> = start({ stopping: stopping.signal, onEnd: (close) => closers.push(close), end }).catch(fail);
}
