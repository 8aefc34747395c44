/**
 * A log as lines of JSON: a first line that identifies the format, a line for each event, and a closing line. Data and metadata are
 * strings, so that their bytes survive. Each line carries the hash of all events up to it, so that the first line that was edited, removed,
 * duplicated or moved can be named. A file without its closing line is incomplete.
 */
import { hash } from 'node:crypto';
import { type Hash, leafHash, Tree } from '../proof/tree.ts';
import type { StreamEvent } from '../store/port.ts';
import { TransferError, type LogEnd } from './log.ts';
import { createReadStream } from 'node:fs';

export const FIRST_LINE = '{"marktrail":"log","version":1}\n';

/** Makes the lines of consecutive events. */
export class LineWriter {
  #chain: Hash;

  /** @param chain of the last event of an earlier run */
  constructor(chain: Hash = START) {
    this.#chain = chain;
  }

  line({ stream, revision, id, type, data, metadata }: StreamEvent): string {
    this.#chain = linked(this.#chain, leafHash({ stream, revision, id, type, data, metadata }));
    return `${JSON.stringify({ stream, revision: Number(revision), id, type, data, metadata, chain: this.#chain })}\n`;
  }
}

export const closingLine = ({ events, lastId, root }: LogEnd): string => `${JSON.stringify({ events, lastId, root })}\n`;

/**
 * Reads and checks the lines of a file. `until: 'closing line'`: throws unless the file is complete; `'last whole line'`: reads what an
 * interrupted export left, without an incomplete last line.
 *
 * @throws TransferError that names the line
 */
export class LineReader {
  readonly #path: string;
  readonly #until: 'closing line' | 'last whole line';
  readonly #tree = new Tree();
  #lastId: string | null = null;
  #closed = false;
  /** of the last event */
  chain: Hash = START;
  /** the byte after the last event's line */
  end = 0;

  constructor(path: string, until: 'closing line' | 'last whole line') {
    this.#path = path;
    this.#until = until;
  }

  async *events(): AsyncGenerator<readonly StreamEvent[]> {
    const lines = linesOf(this.#path);
    try {
      let step = await lines.next();
      for (; step.done !== true; step = await lines.next()) {
        const events = step.value.map((line) => this.#take(line)).filter((event) => event !== undefined);
        if (events.length > 0) yield events;
        if (this.#closed && this.#until === 'last whole line') return;
      }
      if (this.#until === 'last whole line') return;
      const { text, number } = step.value;
      if (text !== '' || !this.#closed) throw this.#wrong(number, this.#closed ? BEYOND : 'it was truncated here, before its closing line');
    } catch (error) {
      throw error instanceof LineTooLong ? this.#wrong(error.line, 'is longer than any event') : error;
    }
  }

  #take(line: Line): StreamEvent | undefined {
    if (line.number === 1) {
      if (`${line.text}\n` !== FIRST_LINE) throw this.#wrong(1, whyNone(line.text));
      this.end = line.end;
      return undefined;
    }
    if (this.#closed) {
      if (this.#until === 'closing line') throw this.#wrong(line.number, BEYOND);
      return undefined;
    }
    const fields = parsed(line.text);
    if (isClosing(fields)) return this.#close(fields, line);
    const event = eventIn(fields);
    if (!event) throw this.#wrong(line.number, 'is not an event: it was edited or damaged');
    const leaf = leafHash(event);
    const chain = linked(this.chain, leaf);
    if (chain !== fields?.['chain']) throw this.#wrong(line.number, 'was edited, or lines before it are missing, duplicated or moved');
    this.#tree.append(leaf);
    this.#lastId = event.id;
    this.chain = chain;
    this.end = line.end;
    return event;
  }

  #close({ events, lastId, root }: LogEnd, { number }: Line): undefined {
    if (this.#until === 'closing line' && (events !== this.#tree.size || lastId !== this.#lastId || root !== this.#tree.root()))
      throw this.#wrong(number, `closes a log of ${events} events, but is preceded by ${this.#tree.size}, or by others`);
    this.#closed = true;
  }

  #wrong(line: number, what: string): TransferError {
    return new TransferError(`${this.#path}, line ${line}: ${what}. Nothing was changed.`);
  }
}

const START = hash('sha256', FIRST_LINE);
const BEYOND = 'comes after the closing line';

/** What is wrong with a first line: the ways in which files get damaged. */
const whyNone = (text: string): string => {
  if (text.startsWith('\u{1F}\u{FFFD}') || text.startsWith('PK\u{3}\u{4}')) return 'is compressed: unpack the file first';
  if (text.startsWith('\u{FEFF}')) return 'begins with a byte order mark: the file was saved by an editor; use the original export';
  if (text === FIRST_LINE.replace('\n', '\r'))
    return 'has a Windows line ending: the file was saved or sent as text; use the original export';
  return 'is not the first line of a Marktrail log';
};

const linked = (chain: Hash, leaf: Hash): Hash => hash('sha256', chain + leaf);

type Fields = Readonly<Record<string, unknown>>;

const parsed = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const isClosing = (fields: Fields | undefined): fields is Fields & LogEnd =>
  typeof fields?.['events'] === 'number' && typeof fields['root'] === 'string' && 'lastId' in fields;

const eventIn = (fields: Fields | undefined): StreamEvent | undefined => {
  if (!fields) return undefined;
  const { stream, revision, id, type, data, metadata } = fields;
  const texts = { stream, id, type, data, metadata };
  return isTexts(texts) && Number.isSafeInteger(revision) && Number(revision) >= 0
    ? { ...texts, revision: BigInt(Number(revision)) }
    : undefined;
};

const isTexts = (fields: Fields): fields is Record<'stream' | 'id' | 'type' | 'data' | 'metadata', string> =>
  Object.values(fields).every((value) => typeof value === 'string');

type Line = {
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
async function* linesOf(path: string): AsyncGenerator<readonly Line[], Rest> {
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
class LineTooLong extends Error {
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
