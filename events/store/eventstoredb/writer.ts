import { setTimeout as pause } from 'node:timers/promises';
import { weightOf } from '../check-append.ts';
import { AppendTooLarge, EventIdTaken, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../port.ts';
import type { AppendResult, ExpectedRevision, NewEvent, Position, StreamId } from '../port.ts';
import { unavailable } from './faults.ts';
import { CLOSED, faultOf, Silent, waitAfter } from './link.ts';
import type { Link, Links } from './link.ts';
import type { Reader } from './reader.ts';
import { semaphore } from '../../async/semaphore.ts';
import { appendMessages, writtenIn } from './wire.ts';
import type { Written } from './wire.ts';

export type Writer = {
  append(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;
  close(): Promise<void>;
};

/**
 * One call per append, with its own time-out. A call that ends without an answer may have been written; until the time-out it is sent again
 * with the same ids at the same revision, which the server always recognises as a repeat. Not with `any`, which it recognises only until it
 * restarts.
 *
 * @param onWritten called with the position of each append
 */
export const logWriter = (links: Links, reader: Reader, timeoutMs: number, onWritten: (position: Position) => void): Writer => {
  const turn = semaphore(MOST_AT_ONCE, timeoutMs, () => new Silent(timeoutMs));
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const append = async (stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> => {
    const giveUpAt = performance.now() + timeoutMs;
    let doubt: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await turn(() => send(stream, events, expected, giveUpAt)).catch(notSent);
      if (answer.outcome === 'written') return answer.result;
      if (answer.outcome === 'conflict') {
        return await resolve(stream, events, expected, answer.actual).catch((error: unknown) => {
          throw doubt !== undefined && error instanceof StoreUnavailable ? unknown(error) : error;
        });
      }
      if (answer.outcome === 'unknown') doubt = answer.error;
      const again = answer.outcome === 'not-leader' || (doubt !== undefined && expected !== 'any' && answer.outcome !== 'refused');
      const wait = waitAfter(attempt);
      if (!again || closed || performance.now() + wait >= giveUpAt) throw doubt === undefined ? refusal(answer.error) : unknown(doubt);
      await pause(wait);
    }
  };

  const send = async (stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision, giveUpAt: number): Promise<Ended> => {
    let link: Link;
    try {
      link = await links.get();
    } catch (error) {
      return notSent(error);
    }
    const timeLeft = giveUpAt - performance.now();
    if (timeLeft <= 0) return notSent(new Silent(timeoutMs));
    try {
      return await answerOf(await call(link, stream, events, expected, timeLeft), stream);
    } catch (error) {
      const fault = faultOf(link, error);
      if (fault.kind === 'conflict') return { outcome: 'conflict', actual: fault.actual };
      if (fault.kind === 'too-large') return { outcome: 'refused', error: new AppendTooLarge(stream, weightOfAll(events), fault.limit) };
      if (fault.kind === 'deleted')
        return { outcome: 'refused', error: new Error(`${stream} was deleted in EventStoreDB`, { cause: error }) };
      if (fault.kind === 'denied') return { outcome: 'refused', error: unavailable(links.label, error) };
      if (fault.kind === 'refused') return { outcome: 'refused', error };
      if (fault.kind === 'not-leader') return { outcome: 'not-leader', error };
      if (error instanceof Silent) link.retire();
      return { outcome: 'unknown', error };
    }
  };

  const answerOf = async (written: Written | undefined, stream: StreamId): Promise<Ended> => {
    if (!written) return { outcome: 'unknown', error: new Error('an empty answer') };
    if (!written.written) return { outcome: 'conflict', actual: written.actual };
    const position = written.position ?? (await reader.some(stream, written.revision, 1))[0]?.position;
    if (position === undefined) return { outcome: 'unknown', error: new Error('an answer without a position') };
    return { outcome: 'written', result: { revision: written.revision, position } };
  };

  /**
   * After a conflict: the events that follow the expected revision show whether the append is a repeat, an id is taken, or the revision is
   * wrong.
   */
  const resolve = async (
    stream: StreamId,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    actual: bigint | 'none' | undefined,
  ): Promise<AppendResult> => {
    // With `any`, only an id can cause a conflict.
    if (expected === 'any') throw new EventIdTaken(stream);
    const first = expected === 'none' ? 0n : expected + 1n;
    const there = await reader.some(stream, first, events.length);
    const last = there.at(-1);
    if (last && there.length === events.length && there.every(({ id }, n) => id === events[n]?.id)) return last;
    const ids = new Set(events.map(({ id }) => id));
    if (there.some(({ id }) => ids.has(id))) throw new EventIdTaken(stream);
    const newest = actual ?? (await reader.some(stream, 'newest', 1))[0]?.revision ?? 'none';
    throw new WrongExpectedRevision(stream, expected, newest);
  };

  const unknown = (cause: unknown) => new OutcomeUnknown(`${links.label} did not answer whether it wrote`, { cause });

  const refusal = (error: unknown): unknown =>
    error instanceof Silent ? new StoreUnavailable(`${links.label} does not answer`, { cause: error }) : error;

  return {
    async append(stream, events, expected) {
      if (closed) throw new StoreUnavailable(CLOSED);
      const appending = append(stream, events, expected);
      underWay.add(appending);
      try {
        const { revision, position } = await appending;
        onWritten(position);
        return { revision, position };
      } finally {
        underWay.delete(appending);
      }
    },

    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
  };
};

type Ended =
  | { readonly outcome: 'written'; readonly result: AppendResult }
  | { readonly outcome: 'conflict'; readonly actual: bigint | 'none' | undefined }
  /** `refused`, `not-leader`, `not-sent`: not written by this call */
  | { readonly outcome: 'refused' | 'not-leader' | 'not-sent' | 'unknown'; readonly error: unknown };

const notSent = (error: unknown): Ended => ({ outcome: 'not-sent', error });

/** Together with reads, the subscription and a first read this stays below the hundred calls that a connection carries. */
const MOST_AT_ONCE = 48;

const call = (
  { client }: Link,
  stream: StreamId,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
  timeoutMs: number,
): Promise<Written | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<Written | undefined>();
  const appending = client.append(appendMessages(stream, events, expected), timeoutMs * 2, (error, answer) =>
    error ? reject(error) : resolve(answer && writtenIn(answer)),
  );
  const timer = setTimeout(() => {
    appending.cancel();
    reject(new Silent(timeoutMs));
  }, timeoutMs);
  return promise.finally(() => clearTimeout(timer));
};

const weightOfAll = (events: readonly NewEvent[]): number => events.reduce((sum, event) => sum + weightOf(event), 0);
