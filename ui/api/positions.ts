/** The highest position in the log that any answer to a command or live message named, for reading one's own writes. */
export const trackPositions = () => {
  let highest: bigint | undefined;

  return {
    /** Later queries answer nothing older than this position. */
    seen: (at: string | null | undefined): void => {
      if (at === null || at === undefined) return;
      const position = BigInt(at);
      if (highest === undefined || position > highest) highest = position;
    },

    /** Headers of a query, for answers that are not older than what was seen. */
    headers: (): Record<string, string> => (highest === undefined ? {} : { 'X-Min-Position': highest.toString() }),

    highest: (): bigint => highest ?? 0n,

    forget: (): void => {
      highest = undefined;
    },
  };
};
