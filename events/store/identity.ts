/**
 * The identity of a log: an id that is drawn once and is its own event, so that a log is known wherever it is copied or restored to.
 *
 * Storage contract: the stream, the type and the shape are in the log for ever.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { id } from '../fields.ts';
import { type EventStore, type NewEvent, NO_SCHOOL, type StreamId } from './port.ts';

/** In the school of zeros, so that the ledger protects it and no school has it. It holds one event. */
export const IDENTITY_STREAM: StreamId = `log-${NO_SCHOOL}`;
const LOG_STARTED = 'LogStarted';

const logStartedData = z.object({ logId: id });

/** The log's identity; undefined: it has none, because it is empty or older than identities. */
export const identityOf = async (log: Pick<EventStore, 'read'>): Promise<string | undefined> => {
  for await (const { type, data } of log.read(IDENTITY_STREAM))
    if (type === LOG_STARTED) return logStartedData.parse(JSON.parse(data)).logId;
  return undefined;
};

/** A new identity, at random: a demo school's ids are the same in every log. */
export const newIdentity = (now: Date): NewEvent => ({
  id: randomUUID(),
  type: LOG_STARTED,
  data: JSON.stringify({ logId: randomUUID() }),
  metadata: JSON.stringify({ schemaVersion: 1, at: now.toISOString() }),
});

/** Whether the log is empty but for its identity. */
export const isUnused = async (log: Pick<EventStore, 'readAll'>): Promise<boolean> => {
  for await (const { stream } of log.readAll('start')) if (stream !== IDENTITY_STREAM) return false;
  return true;
};
