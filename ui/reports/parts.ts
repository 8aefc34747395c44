/** A report for many people is made one by one, so that the page stays usable, shows progress, and can cancel it. */
export type Making = {
  readonly signal?: AbortSignal | undefined;
  /** How many of how many are done. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
};

/**
 * Draws one after the other, and lets the browser do something else in between.
 *
 * @throws the signal's reason, if it is aborted
 */
export const eachInTurn = async <One>(ones: readonly One[], draw: (one: One) => unknown, { signal, onProgress }: Making): Promise<void> => {
  for (const [index, one] of ones.entries()) {
    signal?.throwIfAborted();
    await draw(one);
    onProgress?.(index + 1, ones.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
  signal?.throwIfAborted();
};
