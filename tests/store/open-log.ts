import type { EventStore } from '../../events/store/port.ts';

/** An adapter with an empty log of its own, and the means to break it. */
export type OpenLog = {
  readonly store: EventStore;
  /** Another process on the same log. `timeoutMs`: how long it waits for an answer. The suite closes it. */
  join(options?: { timeoutMs: number }): EventStore;
  /** Whether an id is noticed wherever it stands in the log, or only where the same append stood. */
  readonly idsAreUnique: boolean;
  /** Breaks every connection to the log. */
  cut(): Promise<void>;
  /** From now on the log takes appends and does not answer, until the returned function is called. */
  silence(): Promise<() => Promise<void>>;
  close(): Promise<void>;
};
