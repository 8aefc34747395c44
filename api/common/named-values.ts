import { z } from 'zod';

/**
 * An object of values by names that the sender chooses. `__proto__` is refused: JSON can hold it, but a record would silently drop it.
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
