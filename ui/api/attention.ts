/** A person who reads moves the page or the pointer now and then. */
const PRESENT_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'focus'] as const;

/** Whether somebody has been in front of the page within the last minute. While pages are built there is no window, and nobody. */
export const watchAttention = (page: Pick<Window, 'addEventListener'> | undefined = globalThis.window): (() => boolean) => {
  let last = performance.now();
  const seen = () => {
    last = performance.now();
  };
  for (const sign of SIGNS) page?.addEventListener(sign, seen, { passive: true, capture: true });
  return () => performance.now() - last < PRESENT_MS;
};
