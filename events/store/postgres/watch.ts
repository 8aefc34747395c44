import type pg from 'pg';
import { StoreUnavailable } from '../port.ts';
import type { Position } from '../port.ts';
import { Subscribers } from '../subscribers.ts';
import { ask, connect, hangUp, unavailable } from './connection.ts';
import type { Reach } from './connection.ts';

export type Watch = {
  /** This process has committed up to the position: wakes its own subscribers and notifies the other processes. */
  announce(position: Position): void;
  /** Waits for new events: see `Subscribers.waitBeyond`. */
  beyond(position: Position, signal: AbortSignal, inVain?: boolean): Promise<void>;
  close(): Promise<void>;
};

/**
 * Wakes waiting subscribers, with one connection per process. NOTIFY of other processes wakes them at once; while anybody waits, polling
 * the head makes up for lost notifications.
 *
 * NOTIFY is sent after the commit, in a transaction of its own, because a full notification queue would otherwise fail the append. It is
 * coalesced, since only the newest position matters, and does not wait for the disk (synchronous_commit off), since a loss does no harm.
 */
export const watchLog = (reach: Reach, pollMs: number): Watch => {
  let connection: Promise<pg.Client> | undefined;
  let announced: Position = 0n;
  let announcing = false;
  let poll: NodeJS.Timeout | undefined;
  let closed = false;
  const subscribers = new Subscribers();

  const open = () => {
    const opening = connect(reach, (error) => drop(opening, error), `set synchronous_commit = off; listen ${CHANNEL}`);
    opening.then(
      (client) => client.on('notification', ({ payload }) => onNotification(payload)),
      (error: unknown) => drop(opening, error),
    );
    return opening;
  };

  const rowsOf = async <Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]> => {
    if (closed) throw new StoreUnavailable(CLOSED);
    const client = (connection ??= open());
    try {
      return await ask<Row>(await client, query, reach.timeoutMs);
    } catch (error) {
      drop(client, error);
      throw error;
    }
  };

  /** Anybody may notify: anything but a position is ignored. */
  const onNotification = (payload = '') => {
    if (POSITION.test(payload)) subscribers.notice(BigInt(payload));
  };

  const drop = (lost: Promise<pg.Client>, cause: unknown) => {
    if (connection !== lost) return;
    connection = undefined;
    lost.then(hangUp, () => undefined);
    const error = unavailable(cause);
    subscribers.failAll(error instanceof StoreUnavailable ? error : new StoreUnavailable('the event log cannot be reached', { cause }));
  };

  /** Polls the head every `pollMs` while anybody waits. Failures reach the waiting subscribers through `drop`. */
  const watch = async () => {
    await subscribers.checkEnd(async () => (await rowsOf<{ head: Position }>(HEAD))[0]?.head ?? 0n).catch(() => undefined);
    poll = subscribers.areAny ? setTimeout(watch, pollMs) : undefined;
  };

  const tellOthers = async () => {
    announcing = true;
    try {
      for (let notified = 0n; notified < announced;) {
        notified = announced;
        await rowsOf({ name: 'notify', text: `select pg_notify('${CHANNEL}', $1)`, values: [notified] });
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
      subscribers.wrote(position);
      if (!announcing) void tellOthers();
    },

    beyond(position, signal, inVain = false) {
      const woken = subscribers.waitBeyond(position, signal, inVain);
      if (subscribers.areAny) poll ??= setTimeout(watch);
      return woken;
    },

    async close() {
      closed = true;
      clearTimeout(poll);
      subscribers.close();
      const last = connection;
      connection = undefined;
      await last?.then(hangUp, () => undefined);
    },
  };
};

const CLOSED = 'the event store is closed';

const CHANNEL = 'marktrail_log';

const POSITION = /^\d{1,19}$/;

/** The shortest interval between notifications; the first of a burst is sent at once. */
const NOTIFY_MS = 50;

const HEAD: pg.QueryConfig = { name: 'head', text: 'select coalesce(max(position), 0) as head from log.events' };
