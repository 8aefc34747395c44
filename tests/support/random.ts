/** Random numbers from a seed, reproducible (mulberry32). */
export const random = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { next, below, one: <T>(list: readonly T[]): T => list[below(list.length)] as T, chance: (p: number): boolean => next() < p };
};
