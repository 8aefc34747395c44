import { watchAttention } from './attention.ts';
import { tellError } from './errors.ts';
import type { Api } from './client.ts';
import { createApi } from './client.ts';
import type { Retrying } from './requests.ts';
import type { SessionWatch } from './session-watch.ts';
import { watchSession } from './session-watch.ts';

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
