import { checkAppend } from './check-append.ts';
import type { EventStore } from './port.ts';
import { connectionPool } from './postgres/connection.ts';
import { migration } from './postgres/migration.ts';
import { logReader } from './postgres/reader.ts';
import { watchLog } from './postgres/watch.ts';
import { groupWriter } from './postgres/writer.ts';

export type PostgresStoreOptions = {
  readonly connectionString: string;
  /** How long an answer may take before an append ends in OutcomeUnknown and a read in StoreUnavailable. */
  readonly timeoutMs?: number;
  /** How often waiting subscribers poll, in case a notification was lost. */
  readonly pollMs?: number;
};

/**
 * The event log in PostgreSQL (see postgres.sql, which `migrateLog` applies). Connects when first needed, and again after a lost
 * connection.
 *
 * Uses at most six connections, whatever the load: one to write, one to listen, four to read.
 */
export const postgresStore = ({ connectionString, timeoutMs = 10_000, pollMs = 5_000 }: PostgresStoreOptions): EventStore => {
  const reach = { connectionString, timeoutMs };
  const pool = connectionPool(reach);
  const reader = logReader(pool);
  const watch = watchLog(reach, pollMs);
  const writer = groupWriter(reach, watch.announce);
  let closing: Promise<unknown> | undefined;

  return {
    tellsRepeats: true,

    async append(stream, events, expected) {
      checkAppend(stream, events);
      return await writer.append(stream, events, expected);
    },

    read: (stream, from = 0n) => reader.read(stream, from),

    async *readAll(after, filter) {
      for (let position = after === 'start' ? 0n : after; ;) {
        const page = await reader.page(position, filter);
        yield* page.events;
        if (!page.more) return;
        position = page.reach;
      }
    },

    eventAt: reader.eventAt,

    head: reader.head,

    async *subscribe(after, { filter, signal }) {
      let position = after === 'start' ? 0n : after;
      for (let live: boolean | undefined; !signal.aborted;) {
        const page = await reader.sharedPage(position, filter);
        if (signal.aborted) return;
        const news = page.reach > position || live !== !page.more;
        position = page.reach;
        live = !page.more;
        if (news) yield { events: page.events, position, live };
        if (live) await watch.beyond(position, signal, !news);
      }
    },

    async close() {
      await (closing ??= Promise.all([writer.close(), watch.close(), pool.end()]));
    },
  };
};

/** Takes the lock of `log.append`, so that no event is appended meanwhile. */
export const migrateLog = migration('1835102827', new URL('postgres.sql', import.meta.url));
