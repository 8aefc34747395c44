import type { Writable } from 'node:stream';
import { once } from 'node:events';
import pg from 'pg';
import { inPortions } from '../../events/transfer/portions.ts';

/** What `copy ... to stdout` sends, in portions. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  for await (const chunks of inPortions<Buffer>(client, (take) => new CopyOut(text, (chunk) => take(chunk, chunk.length))))
    yield Buffer.concat(chunks);
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
