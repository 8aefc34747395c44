import { WrongLog } from '../events/store/port.ts';
import { ForgettingsDamaged } from '../events/codec/forgettings.ts';
import { SecretKeyError } from '../events/codec/key-file.ts';
import { codesIn, isDatabaseAway, troubleWith } from '../events/store/postgres/away.ts';
import { sayable, withoutValues } from '../events/store/postgres/without-values.ts';
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
 * @param failed what has failed if `start` fails: then that is one line as well, whatever the error
 * @param interrupted the exit code after a signal: 0 for a service, another for a command that was not finished
 */
export function runUntilStopped(
  start: (lifecycle: Lifecycle) => Promise<void>,
  { interrupted = 0, failed }: { interrupted?: number; failed?: string } = {},
): void {
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
  const fail = (error: unknown, inFull: (error: unknown) => unknown = withoutValues) =>
    void setImmediate(() => {
      if (!stopping.signal.aborted) console.error(isForTheUser(error) ? error.message : inFull(error));
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
  process.on('uncaughtException', (error) => fail(error));
  process.on('unhandledRejection', (error) => fail(error));
  const started: Promise<void> = start({ stopping: stopping.signal, onEnd: (close) => closers.push(close), end }).catch((error: unknown) =>
    fail(error, failed === undefined || process.env['LOG_LEVEL'] === 'debug' ? withoutValues : (one) => `${failed}: ${inOneLine(one)}`),
  );
}

/** Why, and what to do. */
const inOneLine = (error: unknown): string => {
  const said = sayable(error).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  const trouble = isDatabaseAway(error) ? troubleWith('the database', error) : '';
  const why = said === '' ? trouble : said;
  return `${why}. ${REMEDIES.find(([codes]) => codes.test(codesIn(error).join()))?.[1] ?? 'To see where it arose: LOG_LEVEL=debug'}`;
};

/** By the codes of PostgreSQL and of the system. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/53100|ENOSPC|EDQUOT/, 'Its disk is full: make room there, then try again.'],
  [/XX00[12]|58030|EIO/, 'For what is lost: npm run marktrail -- check. Then restore the last backup: docs/operations.md, "Damage".'],
  [/25006|42501|28\w{3}|EROFS|EACCES|EPERM/, 'Give Marktrail the right to write there, then try again.'],
  [/08\w{3}|57P\d\d|53300|ECONN|ENOTFOUND|ETIMEDOUT|EAI_/, 'See that PostgreSQL runs and can be reached, then try again.'],
];
