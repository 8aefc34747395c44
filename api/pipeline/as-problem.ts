import { KeyMissing, PersonForgotten } from '../../events/codec/keys.ts';
import {
  AppendTooLarge,
  EventIdTaken,
  OutcomeUnknown,
  StoreUnavailable,
  WrongExpectedRevision,
  WrongLog,
} from '../../events/store/port.ts';
import { isDatabaseAway, troubleWith } from '../../events/store/postgres/away.ts';
import { AsOfBusy } from '../../projections/engine/as-of/busy.ts';
import { DatabaseUnavailable } from '../../projections/engine/database.ts';
import { TooMuchAtOnce } from '../../events/async/fair-queue.ts';
import { ProblemError } from '../common/problems.ts';
import { countRefusal } from '../common/refusals.ts';
import { LockNotAvailable } from './advisory-locks.ts';

/**
 * Another writer was faster: with another command on this stream, or in another process with the same command. Fold again, and decide or
 * answer.
 */
export const isRevisionConflict = (error: unknown): boolean =>
  error instanceof WrongExpectedRevision || error instanceof EventIdTaken || error instanceof WrittenBefore;

/** The events of this command were already in the log. */
export class WrittenBefore extends Error {
  override readonly name = 'WrittenBefore';
}

/** Translates an error into a problem for the user; an unexpected one is returned as it is. `storing`: what failed was to store something. */
export const asProblem = (error: unknown, { storing = false } = {}): unknown => {
  if (error instanceof WrongLog) {
    return new ProblemError('store-unavailable', `${notNow(storing)}: the log is not the one that belongs here.`, {
      detail: 'Whoever runs Marktrail finds what to do in /api/health. Sent again later under the same Idempotency-Key it is stored once.',
      retryAfter: 30,
      cause: error,
    });
  }
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ProblemError('store-unavailable', `${notNow(storing)}: ${troubleWith('the log', error)}. Try again in a moment.`, {
      ...(storing && { detail: 'Sent again under the same Idempotency-Key it is stored once, whatever became of it this time.' }),
      retryAfter: 2,
      cause: error,
    });
  }
  if (isDatabaseAway(error) || error instanceof DatabaseUnavailable) {
    return new ProblemError('store-unavailable', `${notNow(storing)}: ${troubleWith('the database', error)}. Try again in a moment.`, {
      retryAfter: 2,
      cause: error,
    });
  }
  if (isRevisionConflict(error) || error instanceof LockNotAvailable) {
    return new ProblemError('conflict', 'Somebody else is changing the same thing just now. Try again.', { retryAfter: 1, cause: error });
  }
  if (error instanceof AppendTooLarge) {
    return new ProblemError('too-large', 'This is more than can be stored at once. Nothing was changed.', {
      detail: `Send it in smaller pieces, or let its server take appends of more than ${error.limit} bytes.`,
      cause: error,
    });
  }
  if (error instanceof PersonForgotten) {
    return new ProblemError('refused', 'This person was forgotten: nothing about them can be written any more.', { cause: error });
  }
  if (error instanceof KeyMissing) {
    return new ProblemError('store-unavailable', 'The keys to some names are missing here: they must be restored from a backup first.', {
      retryAfter: 60,
      cause: error,
    });
  }
  if (error instanceof Error && error.name === 'ReadModelBehind') {
    return new ProblemError('read-model-behind', 'The figures are not up to date yet. Try again in a moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
  if (error instanceof TooMuchAtOnce) {
    countRefusal('requests at once');
    return new ProblemError('busy', 'Too many people are asking just now. Try again in a moment.', {
      retryAfter: error.retryAfter,
      cause: error,
    });
  }
  if (error instanceof AsOfBusy) {
    countRefusal('earlier moments');
    return new ProblemError('as-of-busy', error.message, { retryAfter: error.retryAfter, cause: error });
  }
  return error;
};

const notNow = (storing: boolean): string => (storing ? 'Nothing can be stored just now' : 'This cannot be answered just now');
