import { z } from 'zod';

/**
 * An object of values by names that the sender chooses. A name that would be lost on the way is refused instead: JSON can hold `__proto__`, and
 * a record drops it without a word.
 */
export const namedValues = <Value extends z.ZodType>(value: Value, refused: (name: string) => Error) =>
  z.preprocess(
    (sent) => {
      if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, LOST)) throw refused(LOST);
      return sent;
    },
    z.record(z.string(), value),
  );

const LOST = '__proto__';
