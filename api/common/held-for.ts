/**
 * What `make` answers, made anew when the last one is `ms` old: whoever asks before gets the same, also while it is being made. Infinity: once.
 * What has failed is made again.
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
