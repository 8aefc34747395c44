/** Names that people could not tell apart are one, whatever the spelling: 11x1 and 11X1. */
export const sameName = (a: string, b: string): boolean => plain(a) === plain(b);

export const isAmong = (names: readonly string[], name: string): boolean => names.some((other) => sameName(other, name));

/** The first that says what one before it says; -1: none. */
export const repeated = (names: readonly string[]): number => {
  const first = new Set<string>();
  return names.findIndex((name) => first.size === first.add(plain(name)).size);
};

const plain = (name: string): string => name.trim().normalize('NFC').toLowerCase();
