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
