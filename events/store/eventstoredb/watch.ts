import { StoreUnavailable } from '../port.ts';
import type { Position } from '../port.ts';
import { faultIn, unavailable } from './faults.ts';
import { CLOSED, within } from './link.ts';
import type { Link, Links } from './link.ts';
import { ringForEach, signIn } from './wire.ts';

export type Watch = {
  /** An append of this process was written up to the position: wakes who sleeps here. */
  announce(position: Position): void;
  /**
   * Sleeps until the log holds an event beyond the position, or the signal aborts.
   *
   * @param inVain the last time it woke for this position there was nothing: what was heard is not believed before the log was asked
   * @throws StoreUnavailable when the connection is lost meanwhile, or the log has been set back to an earlier state
   */
  beyond(position: Position, signal: AbortSignal, inVain?: boolean): Promise<void>;
  close(): void;
};

/**
 * Wakes sleeping subscribers: one subscription per process, however many sleep, and it brings positions only. They wake whoever sleeps and
 * count as nothing else: the events are read page by page, so that no mark can be passed before the events in front of it were handled.
 *
 * The server ends a live subscription that is slower than its writers, and a burst of some hundred events is enough: that only wakes
 * everybody, for the pages hold what was missed. While anybody sleeps, a poll of the end of the log covers what the bell did not ring for.
 */
export const watchLog = (links: Links, end: () => Promise<Position>, timeoutMs: number, pollMs: number): Watch => {
  let bell: Bell | undefined;
  /** Heard of: enough to wake somebody, not to be believed. */
  let newest: Position = 0n;
  /** Written or read by this process. */
  let certain: Position = 0n;
  let poll: NodeJS.Timeout | 'now' | undefined;
  let closed = false;
  const sleepers = new Set<Sleeper>();

  const saw = (position: Position) => {
    if (position > newest) newest = position;
    for (const sleeper of sleepers) if (newest > sleeper.position) sleeper.wake();
  };

  const announce = (position: Position) => {
    if (position > certain) certain = position;
    saw(position);
  };

  /** The bell fell, the connection did not: there may be news, and a bell has to hang again. */
  const wakeAll = () => {
    for (const sleeper of sleepers) sleeper.wake();
    watchSoon();
  };

  const failAll = (error: StoreUnavailable) => {
    for (const sleeper of sleepers) sleeper.fail(error);
    sleepers.clear();
  };

  /** Hangs the bell where it is not hanging; fulfilled when it would ring. */
  const hang = async () => {
    const link = await links.get();
    if (bell?.link === link) return;
    bell?.take();
    const own = bellOn(link, saw, (error) => {
      if (bell !== own) return;
      bell = undefined;
      if (error === undefined || faultIn(error).kind === 'too-slow') wakeAll();
      else failAll(unavailable(links.label, error));
    });
    bell = own;
    await within(timeoutMs, own.hangs).catch((error: unknown) => {
      if (bell === own) bell = undefined;
      own.take();
      throw error;
    });
  };

  /** Asks for the end of the log now and then every `pollMs`, for as long as somebody sleeps. */
  const watch = async () => {
    poll = 'now';
    const known = [...sleepers].reduce((highest, { position }) => (position > highest ? position : highest), certain);
    try {
      await hang();
      const position = await end();
      // What was known before the log was asked is in it, unless it was replaced by an earlier state.
      if (position < known) setBack(position);
      else announce(position);
    } catch (error) {
      failAll(unavailable(links.label, error));
    }
    poll = sleepers.size > 0 && !closed ? setTimeout(watch, bell ? pollMs : SOON_MS) : undefined;
  };

  const watchSoon = () => {
    if (poll === 'now' || closed) return;
    clearTimeout(poll);
    poll = setTimeout(watch, SOON_MS);
  };

  const setBack = (position: Position) => {
    newest = position;
    certain = position;
    failAll(new StoreUnavailable(`the event log now ends at ${position}: it was set back to an earlier state`));
  };

  return {
    announce,

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

    close() {
      closed = true;
      if (poll !== 'now') clearTimeout(poll);
      bell?.take();
      bell = undefined;
      failAll(new StoreUnavailable(CLOSED));
    },
  };
};

type Sleeper = { readonly position: Position; wake(): void; fail(error: Error): void };

type Bell = {
  readonly link: Link;
  /** Fulfilled when it hangs, rejected when it never will. */
  readonly hangs: Promise<void>;
  take(): void;
};

/** Between a bell that fell and the next. */
const SOON_MS = 20;

/**
 * @param rang told the position of an event
 * @param fell told once, not after it was taken: the error, or undefined when nothing more comes over this connection. A subscription that
 * ends without an error has fallen all the same.
 */
const bellOn = (link: Link, rang: (position: Position) => void, fell: (error: Error | undefined) => void): Bell => {
  const { promise: hangs, resolve, reject } = Promise.withResolvers<void>();
  const call = link.client.read(ringForEach(), undefined, {
    on(message) {
      const sign = signIn(message);
      if (sign.confirmed) resolve();
      if (sign.position !== undefined) rang(sign.position);
    },
    ended(error = new Error('the server ended the subscription')) {
      link.retired.removeEventListener('abort', leave);
      reject(error);
      fell(error);
    },
  });
  const take = () => {
    link.retired.removeEventListener('abort', leave);
    call.cancel();
    reject(new Error('the subscription was given up'));
  };
  const leave = () => {
    take();
    fell(undefined);
  };
  hangs.catch(() => {});
  link.retired.addEventListener('abort', leave);
  return { link, hangs, take };
};
