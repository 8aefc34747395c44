/** Wakes all waiting tasks, which otherwise wait for a time-out. Not an `AbortSignal`: it may be raised any number of times. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  /** how often it was raised */
  times = 0;

  raise(): void {
    this.times++;
    for (const wake of this.#waiting) wake();
  }

  /** Fulfilled when it is raised next, after `ms`, or when `abort` aborts. */
  raised(ms: number, abort: AbortSignal): Promise<void> {
    if (abort.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        abort.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
      abort.addEventListener('abort', wake);
    });
  }
}
