import { sayable } from './postgres/without-values.ts';

/** Why a store cannot be used, as a sentence without a full stop, with the cause if the message does not include it. */
export const reasonOf = (error: unknown): string => {
  const message = sayable(error);
  const cause = error instanceof Error && error.cause instanceof Error ? sayable(error.cause) : '';
  return cause === '' || cause === message || message.endsWith(')') ? message : `${message} (${cause})`;
};
