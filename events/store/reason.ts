/** Why a store cannot be used, as a sentence without its end: with the cause, where the message does not tell it itself. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' || cause === error.message || error.message.endsWith(')') ? error.message : `${error.message} (${cause})`;
};
