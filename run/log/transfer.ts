import pg from 'pg';
import { StoreUnavailable } from '../../events/store/port.ts';
import { reasonOf } from '../../events/store/reason.ts';
import { codesIn, isDatabaseAway } from '../../events/store/postgres/away.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { type LogSource, TransferError } from '../../events/transfer/log.ts';
import { DatabaseUnavailable } from '../../projections/engine/database.ts';
import type { CommandContext } from '../command.ts';
import { StartError } from '../start-error.ts';
import { sourceAt, targetAt } from './log-locations.ts';

/**
 * Copies the log from one place to another and prints the result.
 *
 * @param fits looks at the whole source before anything is copied
 * @throws StartError
 */
export const transfer = async (
  from: string,
  to: string,
  context: CommandContext,
  fits: (source: LogSource) => Promise<void> = async () => undefined,
): Promise<void> => {
  await forTheUser(async () => {
    const source = await sourceAt(from, context);
    try {
      const target = await targetAt(to, context);
      try {
        await fits(source);
        const { events, written, root } = await copyLog(source, target, { signal: context.stopping, onProgress: teller() });
        console.error(
          `${written} events written${written < events ? `, ${events - written} were there already` : ''}; ${events} in all, root ${root}.`,
        );
      } finally {
        await target.close?.();
      }
    } finally {
      await source.close?.();
    }
  });
};

/** Turns errors that the user can fix into one line. `after`: how to continue after a log or database was lost. */
export const forTheUser = async <Result>(work: () => Promise<Result>, after = 'Run the same command again to resume.'): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransferError) throw new StartError(error.message);
    if (error instanceof DatabaseUnavailable) throw new StartError(`${named(error.message, error)}. ${after}`);
    if (error instanceof StoreUnavailable) throw new StartError(`${named(reasonOf(error), error)}. ${after}`);
    if (error instanceof Error && (error instanceof pg.DatabaseError || isDatabaseAway(error)))
      throw new StartError(`${named(`PostgreSQL: ${error.message}`, error)}. ${after}`);
    if (isOfTheSystem(error)) throw new StartError(error.message);
    throw error;
  }
};

/** PostgreSQL may say of a full disk only how little it could write. */
const named = (message: string, error: unknown): string =>
  codesIn(error).includes('53100') ? `The disk of the database is full (${message})` : message;

/** Such as a full disk, or a directory without write permission. */
export const isOfTheSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

const WORDS = { check: 'checked', copy: 'copied', 'read back': 'read back' } as const;

/** A progress line on a terminal. */
export const teller = (): ((step: { readonly step: keyof typeof WORDS; readonly events: number }) => void) => {
  let next = 0;
  return ({ step, events }) => {
    if (!process.stderr.isTTY || performance.now() < next) return;
    next = performance.now() + 200;
    process.stderr.write(`\r\u001B[K${events} events ${WORDS[step]}\r`);
  };
};

/** The same for bytes that come one after another. */
export const megabytes = (what: 'read' | 'restored'): ((bytes: number) => void) => {
  let [bytes, next] = [0, 0];
  return (more) => {
    bytes += more;
    if (!process.stderr.isTTY || performance.now() < next) return;
    next = performance.now() + 200;
    process.stderr.write(`\r\u001B[K${Math.round(bytes / 1_000_000)} MB ${what}\r`);
  };
};
