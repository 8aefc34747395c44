import { existsSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TransferError, type LogSource, type LogTarget } from './log.ts';
import { closingLine, FIRST_LINE, LineReader, LineWriter } from './ndjson.ts';

/** A whole file of an exported log. */
export const fileSource = (path: string): LogSource => ({
  name: path,
  events: () => new LineReader(path, 'closing line').events(),
  async check() {
    if (!existsSync(path)) throw new TransferError(`There is no file ${path}.`);
    const portions = new LineReader(path, 'closing line').events();
    while ((await portions.next()).done !== true);
  },
});

/**
 * A file to export to. It is written as `<path>.part`, closed, and then renamed: a file of this name is whole. A `.part` that an
 * interrupted export left is checked, loses the line that was cut, and is gone on with.
 */
export const fileTarget = (path: string): LogTarget => {
  const part = `${path}.part`;
  let file: FileHandle | undefined;
  let writer: LineWriter | undefined;

  return {
    name: part,

    async *events() {
      if (existsSync(path)) throw new TransferError(`${path} exists: choose another name, or remove it first. Nothing was changed.`);
      file ??= await open(part, existsSync(part) ? 'r+' : 'wx+', 0o600);
      const reader = new LineReader(part, 'last whole line');
      yield* reader.events();
      await file.truncate(reader.end);
      if (reader.end === 0) await file.write(FIRST_LINE, 0);
      writer = new LineWriter(reader.chain);
    },

    async append(events) {
      if (!file || !writer) throw new TypeError('what the file holds was not read yet');
      const lines = Buffer.from(events.map((event) => writer?.line(event) ?? '').join(''));
      await file.write(lines, 0, lines.length, (await file.stat()).size);
    },

    async finish(end) {
      if (!file) throw new TypeError('what the file holds was not read yet');
      await file.write(closingLine(end), (await file.stat()).size);
      await file.sync();
      await rename(part, path);
    },

    close: async () => file?.close(),
  };
};

/** A stream to export to, such as the standard output: begun anew each time, and not read back. */
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
