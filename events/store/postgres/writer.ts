import type pg from 'pg';
import { EventIdTaken, MAX_APPEND_BYTES, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../port.ts';
import type { AppendResult, ExpectedRevision, NewEvent, Position, StreamId } from '../port.ts';
import { arrayLiteral } from '../../array-literal.ts';
import { gatherOthers } from '../../async/batcher.ts';
import { ask, connect, hangUp, isRefusal, unavailable } from './connection.ts';
import type { Reach } from './connection.ts';

export type Writer = {
  append(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;
  close(): Promise<void>;
};

/**
 * Group commit: one loop per process on one connection. Appends that arrive during a commit go out together in the next one, because the
 * lock that keeps positions in commit order is held until the commit, which waits for the disk.
 *
 * Each call is a transaction of its own (autocommit), never inside a BEGIN.
 *
 * @param onWritten called with the highest position of each group that was written
 */
export const groupWriter = (reach: Reach, onWritten: (position: Position) => void): Writer => {
  let connection: Promise<pg.Client> | undefined;
  let waiting: WaitingAppend[] = [];
  let loop: Promise<void> | undefined;
  let closed = false;
  let isCrowded = true;

  const run = async () => {
    while (waiting.length > 0) {
      // Callers that were just answered may have more to write: let them join. After a single append nobody waits for others.
      if (isCrowded) await gatherOthers(() => waiting.length, MAX_GROUP);
      const group = takeGroup(waiting);
      waiting = waiting.filter((one) => !group.has(one));
      isCrowded = group.size > 1 || waiting.length > 0;
      await write([...group]);
    }
    loop = undefined;
  };

  const write = async (group: readonly WaitingAppend[]): Promise<void> => {
    let client: pg.Client;
    try {
      client = await (connection ??= open());
    } catch (error) {
      refuse([...group, ...waiting.splice(0)], () => unavailable(error));
      return;
    }
    try {
      answer(group, await ask<Answer>(client, appendQuery(group), reach.timeoutMs), onWritten);
    } catch (error) {
      if (!isRefusal(error)) await giveUp(client, group, error);
      else if (group.length === 1) refuse(group, () => unavailable(error));
      else for (const one of group) await write([one]); // one of them made the whole group fail
    }
  };

  const open = () => {
    const opening = connect(reach, () => forget(opening));
    opening.catch(() => forget(opening));
    return opening;
  };

  const forget = (lost: Promise<pg.Client>) => {
    if (connection === lost) connection = undefined;
  };

  /** No answer came: the group may have been written. Waiting appends were not, and are refused rather than sent to a silent server. */
  const giveUp = async (client: pg.Client, group: readonly WaitingAppend[], cause: unknown) => {
    connection = undefined;
    void hangUp(client);
    refuse(group, () => new OutcomeUnknown('the event log did not answer whether it wrote', { cause }));
    refuse(waiting.splice(0), () => new StoreUnavailable('the event log does not answer', { cause }));
  };

  return {
    append(stream, events, expected) {
      if (closed) return Promise.reject(new StoreUnavailable('the event store is closed'));
      const { promise, resolve, reject } = Promise.withResolvers<AppendResult>();
      waiting.push({ stream, events, expected, bytes: bytesOf(events), resolve, reject });
      loop ??= run();
      return promise;
    },

    async close() {
      closed = true;
      await loop;
      await connection?.then(hangUp, () => undefined);
    },
  };
};

type WaitingAppend = {
  readonly stream: StreamId;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  readonly bytes: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

const bytesOf = (events: readonly NewEvent[]) =>
  events.reduce((sum, event) => sum + Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata), 0);

/** Larger groups would not be cheaper, only slower to answer. */
const MAX_GROUP = 256;

/** The next group, first come first served: the first waiting append of each stream, together at most 1 MiB; a larger one goes alone. */
const takeGroup = (waiting: readonly WaitingAppend[]): Set<WaitingAppend> => {
  const group = new Set<WaitingAppend>();
  const streams = new Set<StreamId>();
  let bytes = 0;
  for (const one of waiting) {
    if (streams.has(one.stream)) continue;
    if (group.size === MAX_GROUP || (group.size > 0 && bytes + one.bytes > MAX_APPEND_BYTES)) break;
    group.add(one);
    streams.add(one.stream);
    bytes += one.bytes;
  }
  return group;
};

const appendQuery = (group: readonly WaitingAppend[]): pg.QueryConfig => {
  const events = group.flatMap((one) => one.events);
  let next = 1;
  const firsts = group.map((one) => (next += one.events.length) - one.events.length);
  return {
    name: 'append',
    text: 'select * from log.append($1, $2, $3, $4, $5, $6, $7)',
    values: [
      group.map((one) => one.stream),
      group.map((one) => inSql(one.expected)),
      firsts,
      arrayLiteral(
        events.map((event) => event.id),
        true,
      ),
      events.map((event) => event.type),
      jsonArray(events.map((event) => event.data)),
      jsonArray(events.map((event) => event.metadata)),
    ],
  };
};

/**
 * json[] in PostgreSQL's binary format. As the text of an array each quotation mark of the JSON would be escaped here, and read character by
 * character there.
 */
const jsonArray = (texts: readonly string[]): Buffer => {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 20));
  let end = 0;
  // One dimension, no nulls, the type of its elements, their number, the first index.
  for (const head of [1, 0, JSON_OID, texts.length, 1]) end = bytes.writeInt32BE(head, end);
  texts.forEach((text, place) => {
    end = bytes.writeInt32BE(lengths[place] ?? 0, end);
    end += bytes.write(text, end);
  });
  return bytes;
};

const JSON_OID = 114;

const inSql = (expected: ExpectedRevision): bigint => (expected === 'none' ? -1n : expected === 'any' ? -2n : expected);

/** A row of log.append's answer; see postgres.sql. */
type Answer = { outcome: 'written' | 'repeated' | 'wrong-revision' | 'id-taken'; revision: bigint; position: bigint };

const answer = (group: readonly WaitingAppend[], answers: readonly Answer[], onWritten: (position: Position) => void): void => {
  const written = answers.filter(({ outcome }) => outcome === 'written').map(({ position }) => position);
  const newest = written.at(-1);
  if (newest !== undefined) onWritten(newest);

  group.forEach((one, place) => {
    const { outcome, revision, position } = answers[place] ?? missing();
    if (outcome === 'wrong-revision') one.reject(new WrongExpectedRevision(one.stream, one.expected, revision === -1n ? 'none' : revision));
    else if (outcome === 'id-taken') one.reject(new EventIdTaken(one.stream));
    else one.resolve({ revision, position, ...(outcome === 'repeated' ? { repeated: true } : {}) });
  });
};

const refuse = (group: readonly WaitingAppend[], error: () => Error): void => {
  for (const one of group) one.reject(error());
};

const missing = (): never => {
  throw new Error('log.append gave fewer answers than it got appends');
};
