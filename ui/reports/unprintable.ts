/** What is said of a report with letters that no font of ours has; undefined: it has none. */
export const unprintableText = (letters: readonly string[]): string | undefined =>
  letters.length === 0 ? undefined : `These letters cannot be printed: ${letters.join(' ')}`;
