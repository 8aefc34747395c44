/** COPY from this process into a table. */
import type pg from 'pg';

/** One row in PostgreSQL's text format; no value is null. */
export const copyLine = (values: readonly string[]): string => `${values.map(escaped).join('\t')}\n`;

/** `into`: a table and its columns; `lines`: see copyLine. */
export const copyInto = (client: pg.Client, into: string, lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined;
    // The interface that pg requires of a custom query.
    client.query({
      submit: (connection: Connection) => connection.query(`copy ${into} from stdin`),
      handleCopyInResponse(connection: Connection) {
        for (let from = 0; from < lines.length; from += 500)
          connection.sendCopyFromChunk(Buffer.from(lines.slice(from, from + 500).join('')));
        connection.endCopyFrom();
      },
      handleError: (error: Error) => (failure = error),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    } as never);
  });

type Connection = pg.Connection & { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

const escaped = (text: string): string =>
  text.replace(/[\\\n\r\t]/g, (found) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r' })[found] ?? '\\t');
