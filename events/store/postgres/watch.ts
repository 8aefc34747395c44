import type pg from 'pg';
import { StoreUnavailable } from '../port.ts';
import type { Position } from '../port.ts';
import { ask, connect, hangUp } from './connection.ts';
import type { Reach } from './connection.ts';

export type Watch = {
  /** An append of this process was committed up to the position: wakes who sleeps here, and tells the other processes. */
  announce(position: Position): void;
  /**
   * Sleeps until the log holds an event beyond the position, or the signal aborts.
   *
   * @param inVain the last time it woke for this position there was nothing: what was heard is not believed before the log was asked
   * @throws StoreUnavailable when the log cannot be reached meanwhile, or has been set back to an earlier state
   */
  beyond(position: Position, signal: AbortSignal, inVain?: boolean): Promise<void>;
  close(): Promise<void>;
};

/**
 * Wakes sleeping subscribers: one connection per process, however many sleep. NOTIFY of other processes wakes them at once;
 * while anybody sleeps, a poll of the head covers one that was lost.
 *
 * NOTIFY goes out after the commit and outside of it: inside, a full notification queue would fail the append. It is coalesced, since only
 * the newest position counts, and as a loss does no harm it need not wait for the disk (synchronous_commit off).
 */
export const watchLog = (reach: Reach, pollMs: number): Watch => {
  let connection: Promise<pg.Client> | undefined;
  /** Heard of: enough to wake somebody, not to be believed. */
  let newest: Position = 0n;
  /** Written or read by this process. */
  let certain: Position = 0n;
  let announced: Position = 0n;
  let announcing = false;
  let poll: NodeJS.Timeout | undefined;
  let closed = false;
  const sleepers = new Set<Sleeper>();

  const open = () => {
    const opening = connect(reach, (error) => drop(opening, error), `set synchronous_commit = off; listen ${CHANNEL}`);
    opening.then(
      (client) => client.on('notification', ({ payload }) => heard(payload)),
      (error: unknown) => drop(opening, error),
    );
    return opening;
  };

  const asked = async <Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]> => {
    if (closed) throw new StoreUnavailable(CLOSED);
    const client = (connection ??= open());
    try {
      return await ask<Row>(await client, query, reach.timeoutMs);
    } catch (error) {
      drop(client, error);
      throw error;
    }
  };

  /** Anybody may notify: what is no position says nothing. */
  const heard = (payload = '') => {
    if (POSITION.test(payload)) saw(BigInt(payload));
  };

  const saw = (position: Position) => {
    if (position > newest) newest = position;
    for (const sleeper of sleepers) if (newest > sleeper.position) sleeper.wake();
  };

  const drop = (lost: Promise<pg.Client>, cause: unknown) => {
    if (connection !== lost) return;
    connection = undefined;
    lost.then(hangUp, () => undefined);
    failAll(new StoreUnavailable('the event log cannot be reached', { cause }));
  };

  const failAll = (error: StoreUnavailable) => {
    for (const sleeper of sleepers) sleeper.fail(error);
    sleepers.clear();
  };

  /** Asks for the head now and then every `pollMs`, for as long as somebody sleeps. A failure reaches the sleepers through `drop`. */
  const watch = async () => {
    const known = [...sleepers].reduce((highest, { position }) => (position > highest ? position : highest), certain);
    const heardBefore = newest;
    const rows = await asked<{ head: Position }>(HEAD).catch(() => []);
    for (const { head } of rows) {
      // What was known before the log was asked is in it, unless it was replaced by an earlier state.
      if (head < known) setBack(head);
      else {
        // What was only heard of before, and is not there, was made up.
        if (newest === heardBefore) newest = head;
        certain = head;
        saw(head);
      }
    }
    poll = sleepers.size > 0 ? setTimeout(watch, pollMs) : undefined;
  };

  const setBack = (head: Position) => {
    newest = head;
    certain = head;
    failAll(new StoreUnavailable(`the event log now ends at ${head}: it was set back to an earlier state`));
  };

  const tellOthers = async () => {
    announcing = true;
    try {
      for (let told = 0n; told < announced;) {
        told = announced;
        await asked({ name: 'notify', text: `select pg_notify('${CHANNEL}', $1)`, values: [told] });
        await new Promise((enough) => setTimeout(enough, NOTIFY_MS));
      }
    } catch {
      // The others poll.
    }
    announcing = false;
  };

  return {
    announce(position) {
      announced = position;
      if (position > certain) certain = position;
      saw(position);
      if (!announcing) void tellOthers();
    },

    beyond(position, signal, inVain = false) {
      if (closed) return Promise.reject(new StoreUnavailable(CLOSED));
      if ((newest > position && !inVain) || signal.aborted) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { position, wake: () => resolve(), fail: reject };
      sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake, { once: true });
      poll ??= setTimeout(watch);
      return promise.finally(() => {
        sleepers.delete(sleeper);
        signal.removeEventListener('abort', sleeper.wake);
      });
    },

    async close() {
      closed = true;
      clearTimeout(poll);
      failAll(new StoreUnavailable(CLOSED));
      const last = connection;
      connection = undefined;
      await last?.then(hangUp, () => undefined);
    },
  };
};

type Sleeper = { readonly position: Position; wake(): void; fail(error: Error): void };

const CLOSED = 'the event store is closed';

const CHANNEL = 'marktrail_log';

const POSITION = /^\d{1,19}$/;

/** At most this often the other processes are told; they hear the first of a burst at once. */
const NOTIFY_MS = 50;

const HEAD: pg.QueryConfig = { name: 'head', text: 'select coalesce(max(position), 0) as head from log.events' };
