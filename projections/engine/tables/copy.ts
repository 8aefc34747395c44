import pg, { type ClientBase } from 'pg';

/**
 * `copy <into> from stdin` with these rows: bytes as `CopyRows` makes them. PostgreSQL takes new rows so in half the time of an
 * `insert ... on conflict` (measured), because it need not look for what is there.
 */
export const copyInto = (client: ClientBase, into: string, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // pg has the messages of COPY, and no query that sends them.
    client.query(new CopyQuery(`copy ${into} from stdin (format binary)`, rows, (error) => (error ? reject(error) : resolve())));
  });

class CopyQuery extends pg.Query {
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer, done: (error: Error | null) => void) {
    super({ text }, done as never);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}

type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };
