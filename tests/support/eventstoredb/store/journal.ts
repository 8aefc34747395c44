import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Entry } from './store.ts';

/** The entries of the store in a file, each preceded by its length, so that an entry torn by a SIGKILL is recognised. */
export class Journal {
  readonly #file: number;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#file = openSync(join(directory, 'journal'), 'a+');
  }

  /** The stored entries; a torn last one is cut off. */
  *entries(): Iterable<Entry> {
    let whole = 0;
    let rest: Buffer = Buffer.alloc(0);
    for (const chunk of chunksOf(this.#file)) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      while (rest.length - at >= 4 && rest.length - at - 4 >= rest.readUInt32LE(at)) {
        const end = at + 4 + rest.readUInt32LE(at);
        yield deserialize(rest.subarray(at + 4, end)) as Entry;
        at = end;
      }
      whole += at;
      rest = rest.subarray(at);
    }
    ftruncateSync(this.#file, whole);
  }

  /** Reaches the page cache, which outlives the process, but not the disk. */
  write(entries: readonly Entry[]): void {
    const blocks = entries.flatMap((entry) => {
      const body = serialize(entry);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(body.length);
      return [length, body];
    });
    const bytes = Buffer.concat(blocks);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function* chunksOf(file: number): Iterable<Buffer> {
  for (;;) {
    const chunk = Buffer.alloc(4 * 1024 * 1024);
    const count = readSync(file, chunk);
    if (count === 0) return;
    yield chunk.subarray(0, count);
  }
}
