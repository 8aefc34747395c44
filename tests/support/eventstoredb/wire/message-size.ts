/** Bytes per message; the server refuses larger ones. */
export const MAX_MESSAGE_SIZE = 16 * 1024 * 1024;

const TOO_LARGE = Symbol('a message above the limit');

/** A message, or the information that it was too large. */
export type Sized<Message> = Message | typeof TOO_LARGE;

export const isTooLarge = <Message>(message: Sized<Message>): message is typeof TOO_LARGE => message === TOO_LARGE;

/** Reads messages up to the limit. The transport's own limit would end the call with another text. */
export const sized =
  <Message>(deserialize: (bytes: Buffer) => Message) =>
  (bytes: Buffer): Sized<Message> =>
    bytes.length > MAX_MESSAGE_SIZE ? TOO_LARGE : deserialize(bytes);
