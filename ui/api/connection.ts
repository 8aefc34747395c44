import { tellError } from './errors.ts';
import type { Api } from './client.ts';
import { createApi } from './client.ts';
import type { Retrying } from './requests.ts';

/** An app's one way to the server. */
export type Connection = {
  readonly api: Api;
  /** The session, and how it resumes after it has ended. */
  readonly session: SessionWatch;
  /** Why a request is being retried, for useSyncExternalStore. */
  readonly retrying: { readonly now: () => Retrying | undefined; readonly subscribe: (listener: () => void) => () => void };
};

export const connect = (): Connection => {
  const session = watchSession();
  const listeners = new Set<() => void>();
  let now: Retrying | undefined;
  const onRetrying = (why: Retrying | undefined) => {
    now = why;
    for (const listener of listeners) listener();
  };
  return {
    api: createApi({ onRetrying, onSignedOut: session.ended, isAttended: watchAttention(), onUnexpected: tellError }),
    session,
    retrying: {
      now: () => now,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
};

/** A person who reads moves the page or the pointer now and then. */
const PRESENT_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'focus'] as const;

/** Whether somebody has been in front of the page within the last minute. While pages are built there is no window, and nobody. */
const watchAttention = (page: Pick<Window, 'addEventListener'> | undefined = globalThis.window): (() => boolean) => {
  let last = performance.now();
  const seen = () => {
    last = performance.now();
  };
  for (const sign of SIGNS) page?.addEventListener(sign, seen, { passive: true, capture: true });
  return () => performance.now() - last < PRESENT_MS;
};

/** Connects requests that find the session ended with the dialog for logging in again: the requests wait for it, and typed text stays. */
export type SessionWatch = {
  /** A user is working from now on, until the returned function is called. Otherwise requests do not wait for a log-in. */
  begin(): () => void;
  /** `onSignedOut` of the client. */
  ended(): Promise<void> | undefined;
  /** The user has logged in again: waiting requests continue. */
  resume(): void;
  /** Whether a log-in is awaited, for useSyncExternalStore. */
  awaited(): boolean;
  subscribe(listener: () => void): () => void;
};

const watchSession = (): SessionWatch => {
  let present = false;
  let waiting: PromiseWithResolvers<void> | undefined;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    begin() {
      present = true;
      return () => {
        present = false;
      };
    },
    ended() {
      if (!present) return undefined;
      if (!waiting) {
        waiting = Promise.withResolvers();
        tell();
      }
      return waiting.promise;
    },
    resume() {
      waiting?.resolve();
      waiting = undefined;
      tell();
    },
    awaited: () => waiting !== undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
