/** Names that people could not tell apart are one, whatever the spelling: 11x1 and 11X1. */
export const sameName = (a: string, b: string): boolean => plain(a) === plain(b);

export const isAmong = (names: readonly string[], name: string): boolean => names.some((other) => sameName(other, name));

const plain = (name: string): string => name.trim().normalize('NFC').toLowerCase();
