import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../port.ts';
import { semaphore } from '../../async/semaphore.ts';
import { unavailable } from './faults.ts';
import { faultOf, Silent } from './link.ts';
import type { Link, Links } from './link.ts';
import { arrivedIn, isAll } from './wire.ts';
import type { Arrived } from './wire.ts';

/** How a read ended: not everything was read; everything, unless the server broke off; everything, confirmed by the server. */
export type Arrival = 'some' | 'maybe all' | 'all';

/**
 * Passes events to `take` until the server has no more or `take` returns 'enough'.
 *
 * @param hasSome whether to keep what arrived before the time-out: otherwise a slow server would be asked for the same events again and
 *   again
 */
type Arrivals = (request: ReadReq, take: (arrived: Arrived) => 'enough' | void, hasSome?: () => boolean) => Promise<Arrival>;

/** Reads a page of the log. `work` may be run again: reading twice does no harm. */
export type ReadPage = <Page>(work: (arrivals: Arrivals) => Promise<Page>) => Promise<Page>;

/** Reads pages, each within the time-out and a few at once. Reads again if the server was not the leader or the connection was lost. */
export const pageReader = (links: Links, timeoutMs: number): ReadPage => {
  const turn = semaphore(MOST_AT_ONCE, timeoutMs, () => new Silent(timeoutMs));
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      const link = await links.get();
      try {
        return await turn(() => work(arrivalsOver(link, timeoutMs)));
      } catch (error) {
        const { kind } = faultOf(link, error);
        if (kind === 'deleted') throw new Error('the stream was deleted in EventStoreDB, which Marktrail never does', { cause: error });
        const isTransient =
          kind === 'not-leader' || kind === 'away' || (kind === 'broken' && !link.client.isConnected() && !(error instanceof Silent));
        if (!isTransient || attempt >= MOST_ATTEMPTS)
          throw error instanceof Silent ? silent(links, error) : unavailable(links.label, error);
      }
    }
  };
};

const arrivalsOver =
  (link: Link, timeoutMs: number): Arrivals =>
  (request, take, hasSome = () => false) => {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    let end: Arrival = 'maybe all';
    const call = link.client.read(request, timeoutMs * 2, {
      on(message) {
        if (isAll(message)) end = 'all';
        const arrived = arrivedIn(message);
        if (!arrived || take(arrived) !== 'enough') return;
        call.cancel();
        resolve('some');
      },
      ended: (error) => (error ? reject(error) : resolve(end)),
    });
    const timer = setTimeout(() => {
      call.cancel();
      if (hasSome()) return resolve('some');
      link.retire();
      reject(new Silent(timeoutMs));
    }, timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  };

/** Together with appends, the subscription and a first read this stays below the hundred calls that a connection carries. */
const MOST_AT_ONCE = 32;
export const MOST_ATTEMPTS = 3;

const silent = ({ label }: Links, cause: Silent): StoreUnavailable => new StoreUnavailable(`${label} does not answer`, { cause });
