/**
 * Between requests that find that the session has ended, and the dialog that lets its owner log in again: until then they wait, and what is
 * typed stays where it is.
 */
export type SessionWatch = {
  /** Somebody is at work from now on; ends with the returned function. Before, and after it, nobody waits for a log-in. */
  begin(): () => void;
  /** For the client: see `onSignedOut` there. */
  ended(): Promise<void> | undefined;
  /** He has logged in again: everything that waited goes on. */
  resume(): void;
  /** Whether a log-in is awaited just now, for useSyncExternalStore. */
  awaited(): boolean;
  subscribe(listener: () => void): () => void;
};

export const watchSession = (): SessionWatch => {
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
