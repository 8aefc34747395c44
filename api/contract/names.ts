/** Names that differ only in capitals, surrounding space or Unicode form count as the same: 11x1 and 11X1. */
export const sameName = (a: string, b: string): boolean => plain(a) === plain(b);

export const isAmong = (names: readonly string[], name: string): boolean => names.some((other) => sameName(other, name));

/** Index of the first name that repeats an earlier one, or -1. */
export const repeated = (names: readonly string[]): number => {
  const first = new Set<string>();
  return names.findIndex((name) => first.size === first.add(plain(name)).size);
};

/** Each name once, as it comes first. */
export const distinctNames = (names: readonly string[]): readonly string[] => {
  const first = new Map<string, string>();
  for (const name of names) if (!first.has(plain(name))) first.set(plain(name), name);
  return [...first.values()];
};

const plain = (name: string): string => name.trim().normalize('NFC').toLowerCase();
