import pg, { type ClientBase } from 'pg';

/**
 * `copy <into> from stdin` with these rows: each a text as `copyLine` makes it. PostgreSQL takes new rows so in half the time of an
 * `insert ... on conflict` (measured), because it need not look for what is there.
 */
export const copyInto = (client: ClientBase, into: string, rows: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // pg has the messages of COPY, and no query that sends them.
    client.query(new CopyQuery(`copy ${into} from stdin`, Buffer.from(rows), (error) => (error ? reject(error) : resolve())));
  });

/** One row in PostgreSQL's text format. It has no character 0 in a text; what somebody pasted must not stop a projection. */
export const copyLine = (texts: readonly (string | null)[]): string => {
  let line = field(texts[0] ?? null);
  for (let at = 1; at < texts.length; at++) line += `\t${field(texts[at] ?? null)}`;
  return `${line}\n`;
};

const field = (text: string | null): string => (text === null ? '\\N' : SPECIAL.test(text) ? escaped(text) : text);
const SPECIAL = /[\\\n\r\t\0]/;
const escaped = (text: string): string => text.replace(/[\\\n\r\t\0]/g, (found) => ESCAPES.get(found) ?? found);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\ufffd'],
]);

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
