/**
 * Positions in the log, for reading one's own writes: the highest that any answer to a command or live message named, and the lowest that
 * any query was read at.
 */
export const trackPositions = () => {
  let highest: bigint | undefined;
  let lowestRead: bigint | undefined;

  return {
    /** Later queries answer nothing older than this position. */
    seen: (at: string | null | undefined): void => {
      if (at === null || at === undefined) return;
      const position = BigInt(at);
      if (highest === undefined || position > highest) highest = position;
    },

    readAt: (headers: Headers): void => {
      const at = headers.get('X-Read-Position');
      if (at === null) return;
      const position = BigInt(at);
      if (lowestRead === undefined || position < lowestRead) lowestRead = position;
    },

    /** Whether any answer so far was read before that position. */
    hasReadBefore: (at: string): boolean => lowestRead !== undefined && lowestRead < BigInt(at),

    /** Headers of a query, for answers that are not older than what was seen. */
    headers: (): Record<string, string> => (highest === undefined ? {} : { 'X-Min-Position': highest.toString() }),

    forget: (): void => {
      highest = undefined;
      lowestRead = undefined;
    },
  };
};
