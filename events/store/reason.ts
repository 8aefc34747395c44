/** Why a store cannot be used, as a sentence without a full stop, with the cause if the message does not include it. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' || cause === error.message || error.message.endsWith(')') ? error.message : `${error.message} (${cause})`;
};
