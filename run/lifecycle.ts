import { WrongLog } from '../events/store/port.ts';
import { ForgettingsDamaged } from '../events/codec/forgettings.ts';
import { SecretKeyError } from '../events/codec/key-file.ts';
import { withoutValues } from '../events/store/postgres/without-values.ts';
import { ReaderRoleMissing } from '../projections/engine/reader-role.ts';
import { ReadModelsDoNotFit } from '../projections/engine/building/schema.ts';
import { StartError } from './start-error.ts';

/** A process that starts things in order and closes them in reverse. */
export interface Lifecycle {
  /** Aborted as soon as the process is asked to stop, which ends waiting requests and loops. */
  readonly stopping: AbortSignal;
  /** Registers how to close what was just started. */
  onEnd(close: () => void | Promise<void>): void;
  /** Closes everything in reverse order, then ends the process. */
  end(exitCode: number): Promise<never>;
}

/** How often it is looked whether npm is still there. */
const STARTER_MS = 5_000;

/** Errors whose message is one line that says what to do. */
const isForTheUser = (error: unknown) =>
  error instanceof StartError ||
  error instanceof WrongLog ||
  error instanceof ForgettingsDamaged ||
  error instanceof SecretKeyError ||
  error instanceof ReaderRoleMissing ||
  error instanceof ReadModelsDoNotFit;

/**
 * Runs `start`, then runs until SIGINT, SIGTERM or the end of the parent process.
 * Errors that a user can fix are printed as one line, with exit code 1; others with their stack.
 *
 * @param interrupted the exit code after a signal: 0 for a service, another for a command that was not finished
 */
export function runUntilStopped(start: (lifecycle: Lifecycle) => Promise<void>, { interrupted = 0 }: { interrupted?: number } = {}): void {
  const closers: (() => void | Promise<void>)[] = [];
  const stopping = new AbortController();
  let ending: Promise<never> | undefined;

  const closeAll = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) {
      try {
        await close();
      } catch (error) {
        console.error(withoutValues(error));
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
  // Ctrl-C also reaches what this process has started: a lost connection may be noticed before the signal, though in the same turn.
  const fail = (error: unknown) =>
    void setImmediate(() => {
      if (!stopping.signal.aborted) console.error(isForTheUser(error) ? error.message : withoutValues(error));
      void end(stopping.signal.aborted ? interrupted : 1);
    });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(interrupted));
  if (process.connected) {
    process.once('disconnect', () => void end(interrupted));
    process.channel?.unref();
  } else if (process.env['npm_lifecycle_event'] !== undefined) {
    // A killed npm gives no signal. Without npm nothing is watched: the product may outlive its terminal.
    const starter = process.ppid;
    setInterval(() => process.ppid === starter || void end(interrupted), STARTER_MS).unref();
  }
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const started: Promise<void> = start({ stopping: stopping.signal, onEnd: (close) => closers.push(close), end }).catch(fail);
}
