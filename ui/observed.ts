/** A value that components follow with useSyncExternalStore. */
export const observed = <Value>(first: Value) => {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    now: (): Value => value,
    set: (next: Value): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
