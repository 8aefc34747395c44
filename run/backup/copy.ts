import type { Writable } from 'node:stream';
import { once } from 'node:events';
import pg from 'pg';

/**
 * What `copy ... to stdout` sends, in portions. PostgreSQL is paused while nobody takes them, so that a table of any size needs little memory.
 * The client does nothing else meanwhile; it has to be ended if it is not read to its end.
 */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  const socket = client.connection.stream;
  let portion: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake = Promise.withResolvers<void>();
  const query = new CopyOut(text, (chunk) => {
    portion.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) socket.pause();
    if (bytes > PORTION_BYTES) wake.resolve();
  });
  query.on('end', () => {
    ended = true;
    wake.resolve();
  });
  query.on('error', (error) => {
    failure = error;
    wake.resolve();
  });
  client.query(query);
  while (!ended || portion.length > 0) {
    if (bytes <= PORTION_BYTES) await wake.promise;
    if (failure) throw failure;
    const ready = Buffer.concat(portion);
    portion = [];
    bytes = 0;
    wake = Promise.withResolvers();
    if (ended) wake.resolve();
    socket.resume();
    if (ready.length > 0) yield ready;
  }
}

/** Sends what `copy ... from stdin` takes. */
export const copyIn = (client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new CopyIn(text, source);
    query.on('end', () => resolve());
    query.on('error', (error) => reject(query.failure ?? error));
    client.query(query);
  });

/** pg has the messages of COPY, but no query that takes or sends them. */
class CopyOut extends pg.Query {
  readonly #take: (chunk: Buffer) => void;

  constructor(text: string, take: (chunk: Buffer) => void) {
    super(text);
    this.#take = take;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // It is a view of a buffer that is used again.
    this.#take(Buffer.from(chunk));
  }
}

class CopyIn extends pg.Query {
  readonly #source: AsyncIterable<Buffer>;
  /** of the source */
  failure: unknown;

  constructor(text: string, source: AsyncIterable<Buffer>) {
    super(text);
    this.#source = source;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection).catch((error: unknown) => {
      this.failure = error;
      connection.sendCopyFail('what was to be copied ends early');
    });
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    for await (const chunk of this.#source) {
      if (!stream.writable) return;
      connection.sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    }
    connection.endCopyFrom();
  }
}

type CopyConnection = pg.Connection & {
  readonly stream: Writable;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(why: string): void;
  endCopyFrom(): void;
};

const PORTION_BYTES = 256 * 1024;
const MOST_BYTES = 1024 * 1024;
