/** Writes drafts of events to a log in PostgreSQL: encoded, by COPY. */
import pg from 'pg';
import { type Codec, codec } from '../../events/codec/codec.ts';
import { eventId } from '../../events/codec/ids.ts';
import { keyRing } from '../../events/codec/keys.ts';
import { openMasterKey } from '../../events/codec/master-key.ts';
import { eventTypes } from '../../events/registry.ts';
import { copyInto, copyLine } from './copy.ts';
import { commandOf, type Draft } from './draft.ts';

/**
 * Appends the drafts to the log, in new streams, with one event per minute of their time.
 *
 * @returns the number of events
 */
export const loadLog = async (databaseUrl: string, dataDir: string, drafts: Iterable<Draft>): Promise<number> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const events = codec({ registry: eventTypes, keys: keyRing({ pool, masterKey: await openMasterKey({ pool, dataDir }) }) });
    const { rows } = await client.query<{ head: string }>('select coalesce(max(position), 0) as head from log.events');
    const before = Number(rows[0]?.head);
    const revisions = new Map<string, number>();
    let position = before;
    let lines: string[] = [];
    let sending = Promise.resolve();
    for (const draft of drafts) {
      const revision = (revisions.get(draft.stream) ?? -1) + 1;
      revisions.set(draft.stream, revision);
      lines.push(await lineOf(events, draft, ++position, revision));
      if (lines.length < PORTION) continue;
      await sending;
      sending = copyInto(client, LOG, lines);
      lines = [];
    }
    await sending;
    await copyInto(client, LOG, lines);
    await client.query('vacuum analyze log.events');
    return position - before;
  } finally {
    await client.end();
    await pool.end();
  }
};

const LOG = 'log.events (position, stream, revision, id, type, data, metadata)';
const PORTION = 5000;

const lineOf = async (events: Codec<typeof eventTypes>, draft: Draft, position: number, revision: number): Promise<string> => {
  const commandId = commandOf(draft);
  const [encoded] = await events.encode(draft.schoolId, [draft.event], [eventId(commandId, 0)], {
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { accountId: draft.accountId, role: 'teacher', right: { by: 'role' } },
    at: new Date(FIRST_DAY + position * 60_000).toISOString(),
    bodyTag: 'A'.repeat(22),
  });
  const { id, type, data, metadata } = encoded!;
  return copyLine([String(position), draft.stream, String(revision), id, type, data, metadata]);
};

const FIRST_DAY = Date.UTC(2015, 8, 1);
