/**
 * A function that returns what `make` answers, and keeps it for `ms` (Infinity: for good). Calls meanwhile share it, also while it is being made.
 * A failure is not kept.
 */
export const heldFor = <Made>(ms: number, make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  let until = 0;
  return () => {
    if (made && performance.now() < until) return made;
    until = Infinity;
    made = make().then(
      (now) => {
        until = performance.now() + ms;
        return now;
      },
      (error: unknown) => {
        until = 0;
        throw error;
      },
    );
    return made;
  };
};
