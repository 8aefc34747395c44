/** Where a log can be read from as a whole, and where it can be written to as it is: a database, another store, a file. */
import type { StreamEvent } from '../store/port.ts';
import type { Hash } from '../proof/tree.ts';

export interface LogSource {
  /** for people */
  readonly name: string;
  /** The whole log in commit order, as it is now, in portions of about a megabyte. Can be asked for again. */
  events(): AsyncIterable<readonly StreamEvent[]>;
  /**
   * Looks through the whole of it before anything is made of it, where it may be damaged.
   *
   * @throws TransferError
   */
  check?(): Promise<void>;
  close?(): Promise<void>;
}

export interface LogTarget extends LogSource {
  /**
   * Appends events behind `after` (undefined: the first ones), in their order, with their revisions. `events()` was read to its end before.
   *
   * @throws TransferError when somebody else has written meanwhile
   */
  append(events: readonly StreamEvent[], after: StreamEvent | undefined): Promise<void>;
  /** What went there cannot be read again, as from the standard output. */
  readonly passing?: true;
  /** Everything is there. */
  finish?(whole: LogEnd): Promise<void>;
}

/** What a log came to: by this two are compared. */
export type LogEnd = {
  readonly events: number;
  readonly lastId: string | null;
  /** of the tree over all events, of whatever school */
  readonly root: Hash;
};

/** A copy cannot begin or go on: one line that says why, and what was changed. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}
