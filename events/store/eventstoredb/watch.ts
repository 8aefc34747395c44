import type { Position } from '../port.ts';
import { Sleepers } from '../sleepers.ts';
import { faultIn, unavailable } from './faults.ts';
import { within } from './link.ts';
import type { Link, Links } from './link.ts';
import { ringForEach, signIn } from './wire.ts';

export type Watch = {
  /** An append of this process was written up to the position: wakes who sleeps here. */
  announce(position: Position): void;
  /** Sleeps until the log goes on: see Sleepers. */
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
  let poll: NodeJS.Timeout | 'now' | undefined;
  let closed = false;
  const sleepers = new Sleepers();

  /** The bell fell, the connection did not: there may be news, and a bell has to hang again. */
  const wakeAll = () => {
    sleepers.wakeAll();
    watchSoon();
  };

  /** Hangs the bell where it is not hanging; fulfilled when it would ring. */
  const hang = async () => {
    const link = await links.get();
    if (bell?.link === link) return;
    bell?.take();
    const heard = (position: Position) => sleepers.heard(position);
    const own = bellOn(link, heard, (error) => {
      if (bell !== own) return;
      bell = undefined;
      if (error === undefined || faultIn(error).kind === 'too-slow') wakeAll();
      else sleepers.failAll(unavailable(links.label, error));
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
    try {
      await hang();
      await sleepers.look(end);
    } catch (error) {
      sleepers.failAll(unavailable(links.label, error));
    }
    poll = sleepers.areAny && !closed ? setTimeout(watch, bell ? pollMs : SOON_MS) : undefined;
  };

  const watchSoon = () => {
    if (poll === 'now' || closed) return;
    clearTimeout(poll);
    poll = setTimeout(watch, SOON_MS);
  };

  return {
    announce: (position) => sleepers.wrote(position),

    beyond(position, signal, inVain = false) {
      const woken = sleepers.beyond(position, signal, inVain);
      if (sleepers.areAny) poll ??= setTimeout(watch);
      return woken;
    },

    close() {
      closed = true;
      if (poll !== 'now') clearTimeout(poll);
      bell?.take();
      bell = undefined;
      sleepers.close();
    },
  };
};

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
