/** Sources and targets for copying a whole log: a database, another store, a file. */
import type { StreamEvent } from '../store/port.ts';
import type { Hash } from '../proof/tree.ts';

export interface LogSource {
  /** for people */
  readonly name: string;
  /** The whole log in commit order, as it is now, in portions of about a megabyte. Can be asked for again. */
  events(): AsyncIterable<readonly StreamEvent[]>;
  /**
   * Checks all of it before anything is copied, for sources that may be damaged.
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
  /** What was written cannot be read back, as with the standard output. */
  readonly passing?: true;
  /** Called when everything has been written. */
  finish?(whole: LogEnd): Promise<void>;
}

/** The end of a log, for comparing two logs. */
export type LogEnd = {
  readonly events: number;
  readonly lastId: string | null;
  /** of the tree over all events, of whatever school */
  readonly root: Hash;
};

/** A copy cannot start or continue: the message is one line that says why, and what was changed. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}
