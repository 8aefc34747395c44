import { observed } from '../observed.ts';
import { reportError } from './errors.ts';
import type { Api } from './client.ts';
import { createApi } from './client.ts';
import type { Retrying } from './requests.ts';

/** An app's one way to the server. */
export type Connection = {
  readonly api: Api;
  readonly session: SessionWatch;
  /** Why a request is being retried, for useSyncExternalStore. */
  readonly retrying: { readonly now: () => Retrying | undefined; readonly subscribe: (listener: () => void) => () => void };
};

export const connect = (): Connection => {
  const session = watchSession();
  const retrying = observed<Retrying | undefined>(undefined);
  return {
    api: createApi({ onRetrying: retrying.set, onSignedOut: session.ended, isAttended: watchAttention(), onUnexpected: reportError }),
    session,
    retrying,
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
  const waiting = observed<PromiseWithResolvers<void> | undefined>(undefined);
  return {
    begin() {
      present = true;
      return () => {
        present = false;
      };
    },
    ended() {
      if (!present) return undefined;
      if (!waiting.now()) waiting.set(Promise.withResolvers());
      return waiting.now()?.promise;
    },
    resume() {
      waiting.now()?.resolve();
      waiting.set(undefined);
    },
    awaited: () => waiting.now() !== undefined,
    subscribe: waiting.subscribe,
  };
};
