/** The warning about letters that no font has; undefined: there are none. */
export const unprintableText = (letters: readonly string[]): string | undefined =>
  letters.length === 0 ? undefined : `These letters cannot be printed: ${letters.join(' ')}`;
