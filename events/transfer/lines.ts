import { createReadStream } from 'node:fs';

export type Line = {
  readonly text: string;
  /** from 1 */
  readonly number: number;
  /** the byte of the file after its line feed */
  readonly end: number;
};

/** The text after the last line feed: an incomplete line, or nothing. */
export type Rest = { readonly text: string; readonly number: number };

/**
 * The complete lines of a file, some at a time. Only split at line feeds, because JSON may contain other line separators.
 *
 * @throws LineTooLong
 */
export async function* linesOf(path: string): AsyncGenerator<readonly Line[], Rest> {
  let number = 0;
  let end = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const text = Buffer.concat([...rest, chunk.subarray(from, at)]).toString();
      number += 1;
      end += restBytes + at - from + 1;
      lines.push({ text, number, end });
      rest = [];
      restBytes = 0;
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > LONGEST) throw new LineTooLong(number + 1);
    if (lines.length > 0) yield lines;
  }
  return { text: Buffer.concat(rest).toString(), number: number + 1 };
}

/** Longer than any event can be. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  readonly line: number;
  constructor(line: number) {
    super(`line ${line} is longer than any event`);
    this.line = line;
  }
}

const LINE_FEED = 10;
/** An event's megabyte of data, each character of it escaped, and its metadata. */
const LONGEST = 16 * 1024 * 1024;
