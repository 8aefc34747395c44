/** Bytes of one message; the server refuses what is larger. */
export const MAX_MESSAGE_SIZE = 16 * 1024 * 1024;

const TOO_LARGE = Symbol('a message above the limit');

/** A message, or that it was too large to be read. */
export type Sized<Message> = Message | typeof TOO_LARGE;

export const isTooLarge = <Message>(message: Sized<Message>): message is typeof TOO_LARGE => message === TOO_LARGE;

/** Reads messages up to the limit: the transport's own limit ends the call with another text. */
export const sized =
  <Message>(deserialize: (bytes: Buffer) => Message) =>
  (bytes: Buffer): Sized<Message> =>
    bytes.length > MAX_MESSAGE_SIZE ? TOO_LARGE : deserialize(bytes);
