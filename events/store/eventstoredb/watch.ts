import type { Position } from '../port.ts';
import { Subscribers } from '../subscribers.ts';
import { faultIn, unavailable } from './faults.ts';
import { answerOrSilent } from './link.ts';
import type { Link, Links } from './link.ts';
import { noticeIn, subscribeToPositions } from './wire.ts';

export type Watch = {
  /** This process has appended up to the position: wakes its own subscribers. */
  announce(position: Position): void;
  /** Waits for new events: see `Subscribers.waitBeyond`. */
  beyond(position: Position, signal: AbortSignal, inVain?: boolean): Promise<void>;
  close(): void;
};

/**
 * Wakes waiting subscribers, with one subscription per process that delivers positions only. They are only wake-ups: events are read page
 * by page, so that no checkpoint can pass events that were not handled.
 *
 * The server drops a live subscription that is slower than the writers; a burst of some hundred events is enough. That only wakes
 * everybody, because the pages contain what was missed. While anybody waits, polling the end of the log makes up for missed wake-ups.
 */
export const watchLog = (links: Links, end: () => Promise<Position>, timeoutMs: number, pollMs: number): Watch => {
  let subscription: Subscription | undefined;
  let poll: NodeJS.Timeout | 'now' | undefined;
  let closed = false;
  const subscribers = new Subscribers();

  /** The subscription was dropped but the connection was not: there may be new events, and it must be opened again. */
  const wakeAll = () => {
    subscribers.wakeAll();
    watchSoon();
  };

  /** Opens the subscription if there is none on the current connection, and waits until it is confirmed. */
  const subscribe = async () => {
    const link = await links.get();
    if (subscription?.link === link) return;
    subscription?.cancel();
    const onPosition = (position: Position) => subscribers.notice(position);
    const opened = subscriptionOn(link, onPosition, (error) => {
      if (subscription !== opened) return;
      subscription = undefined;
      if (error === undefined || faultIn(error).kind === 'too-slow') wakeAll();
      else subscribers.failAll(unavailable(links.label, error));
    });
    subscription = opened;
    await answerOrSilent(timeoutMs, opened.confirmed).catch((error: unknown) => {
      if (subscription === opened) subscription = undefined;
      opened.cancel();
      throw error;
    });
  };

  /** Polls the end of the log, now and then every `pollMs` while anybody waits. */
  const watch = async () => {
    poll = 'now';
    try {
      await subscribe();
      await subscribers.checkEnd(end);
    } catch (error) {
      subscribers.failAll(unavailable(links.label, error));
    }
    poll = subscribers.areAny && !closed ? setTimeout(watch, subscription ? pollMs : SOON_MS) : undefined;
  };

  const watchSoon = () => {
    if (poll === 'now' || closed) return;
    clearTimeout(poll);
    poll = setTimeout(watch, SOON_MS);
  };

  return {
    announce: (position) => subscribers.wrote(position),

    beyond(position, signal, inVain = false) {
      const woken = subscribers.waitBeyond(position, signal, inVain);
      if (subscribers.areAny) poll ??= setTimeout(watch);
      return woken;
    },

    close() {
      closed = true;
      if (poll !== 'now') clearTimeout(poll);
      subscription?.cancel();
      subscription = undefined;
      subscribers.close();
    },
  };
};

type Subscription = {
  readonly link: Link;
  /** Rejected if the subscription ends before it is confirmed. */
  readonly confirmed: Promise<void>;
  cancel(): void;
};

/** The pause before a dropped subscription is opened again. */
const SOON_MS = 20;

/**
 * @param onPosition called with the position of each new event
 * @param onDrop called once, not after `cancel`: with the error, also if the server ends the subscription without one; undefined if the
 *   connection was retired
 */
const subscriptionOn = (link: Link, onPosition: (position: Position) => void, onDrop: (error: Error | undefined) => void): Subscription => {
  const { promise: confirmed, resolve, reject } = Promise.withResolvers<void>();
  const call = link.client.read(subscribeToPositions(), undefined, {
    on(message) {
      const notice = noticeIn(message);
      if (notice.confirmed) resolve();
      if (notice.position !== undefined) onPosition(notice.position);
    },
    ended(error = new Error('the server ended the subscription')) {
      link.retired.removeEventListener('abort', leave);
      reject(error);
      onDrop(error);
    },
  });
  const cancel = () => {
    link.retired.removeEventListener('abort', leave);
    call.cancel();
    reject(new Error('the subscription was cancelled'));
  };
  const leave = () => {
    cancel();
    onDrop(undefined);
  };
  confirmed.catch(() => {});
  link.retired.addEventListener('abort', leave);
  return { link, confirmed, cancel };
};
