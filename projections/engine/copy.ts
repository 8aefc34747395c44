import pg, { type ClientBase } from 'pg';
import { isFreeText, toText } from './column-text.ts';
import type { AnyRow, ColumnSpec } from './table.ts';

/**
 * `copy <into> from stdin` with these rows: bytes as `CopyText` makes them. PostgreSQL takes new rows so in half the time of an
 * `insert ... on conflict` (measured), because it need not look for what is there.
 */
export const copyInto = (client: ClientBase, into: string, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // pg has the messages of COPY, and no query that sends them.
    client.query(new CopyQuery(`copy ${into} from stdin`, rows, (error) => (error ? reject(error) : resolve())));
  });

/** Rows in PostgreSQL's text format. Each value goes straight to its bytes (measured: a third of the time of putting strings together). */
export class CopyText {
  #bytes = Buffer.allocUnsafe(128 * 1024);
  #end = 0;

  add(columns: readonly ColumnSpec[], row: AnyRow): void {
    for (const column of columns) {
      const text = toText(column, row[column.name]);
      this.#write(text === null ? '\\N' : isFreeText(column) ? escaped(text) : text);
      this.#bytes[this.#end++] = TAB;
    }
    this.#bytes[this.#end - 1] = LINE_FEED;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  #write(text: string): void {
    this.#makeRoom(text.length * MOST_BYTES + 1);
    if (text.length > SHORT) this.#end += this.#bytes.write(text, this.#end);
    else this.#end = this.#writeShort(text);
  }

  /** The call into Buffer would cost more than the characters one by one. */
  #writeShort(text: string): number {
    let end = this.#end;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > ASCII) return this.#end + this.#bytes.write(text, this.#end);
      this.#bytes[end++] = code;
    }
    return end;
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const TAB = 9;
const LINE_FEED = 10;
const ASCII = 127;
const SHORT = 8;
/** of a character in UTF-8, where a string counts it once */
const MOST_BYTES = 3;

/** PostgreSQL has no character 0 in a text; what somebody pasted must not stop a projection. */
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\n\r\t\0]/g, (found) => ESCAPES.get(found) ?? found) : text;
const SPECIAL = /[\\\n\r\t\0]/;
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
