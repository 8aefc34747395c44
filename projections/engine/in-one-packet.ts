import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/**
 * Sends everything that `ask` writes in this turn of the event loop in one packet: each packet wakes the server, which costs more than most queries.
 * What is asked first prepares its values, and so writes a few microtasks later.
 */
export const inOnePacket = <Result>(client: ClientBase, ask: () => Result): Result => {
  const stream = streamOf(client);
  stream.cork();
  try {
    return ask();
  } finally {
    setImmediate(() => stream.uncork());
  }
};

const streamOf = (client: ClientBase): Writable => (client as unknown as { connection: { stream: Writable } }).connection.stream;
