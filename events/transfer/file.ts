import { existsSync } from 'node:fs';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TransferError, type LogSource, type LogTarget } from './log.ts';
import { closingLine, FIRST_LINE, LineReader, LineWriter } from './ndjson.ts';

/** A complete file of an exported log. */
export const fileSource = (path: string): LogSource => ({
  name: path,
  events: () => new LineReader(path, 'closing line').events(),
  async check() {
    if (!existsSync(path)) throw new TransferError(`There is no file ${path}.`);
    if ((await stat(path)).isDirectory()) throw new TransferError(`${path} is a directory: name the file.`);
    const portions = new LineReader(path, 'closing line').events();
    while ((await portions.next()).done !== true);
  },
});

/**
 * A file to export to. It is written as `<path>.part` and renamed when it is complete. A `.part` of an interrupted export is checked, loses
 * its incomplete last line, and is continued.
 */
export const fileTarget = (path: string): LogTarget => {
  const part = `${path}.part`;
  let file: FileHandle | undefined;
  let writer: LineWriter | undefined;

  /** In a loop: a nearly full disk takes only a part, and reports the error at the next write. */
  const write = async (text: string): Promise<void> => {
    if (!file) throw new TypeError('what the file holds was not read yet');
    const bytes = Buffer.from(text);
    const { size } = await file.stat();
    try {
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done, bytes.length - done, size + done)).bytesWritten;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TransferError(`${part} cannot be written: ${why}. Run the same command again to resume.`);
    }
  };

  return {
    name: part,

    async *events() {
      if (existsSync(path)) throw new TransferError(`${path} exists: choose another name, or remove it first. Nothing was changed.`);
      file ??= await open(part, existsSync(part) ? 'r+' : 'wx+', 0o600);
      const reader = new LineReader(part, 'last whole line');
      yield* reader.events();
      await file.truncate(reader.end);
      if (reader.end === 0) await write(FIRST_LINE);
      writer = new LineWriter(reader.chain);
    },

    async append(events) {
      if (!writer) throw new TypeError('what the file holds was not read yet');
      const lines = writer;
      await write(events.map((event) => lines.line(event)).join(''));
    },

    async finish(end) {
      await write(closingLine(end));
      await file?.sync();
      await rename(part, path);
    },

    close: async () => file?.close(),
  };
};

/** A stream to export to, such as the standard output: always from the beginning, and not read back. */
export const streamTarget = (stream: Writable, name: string): LogTarget => {
  const writer = new LineWriter();
  const write = (text: string): Promise<void> => pipeline([text], stream, { end: false });
  return {
    name,
    passing: true,
    async *events() {
      await write(FIRST_LINE);
      yield [];
    },
    append: (events) => write(events.map((event) => writer.line(event)).join('')),
    finish: (end) => write(closingLine(end)),
  };
};
