import type { ChosenFile, CsvRefusal } from '#api/contract/csv/file';
import { refusedUnread } from '#api/contract/csv/file';
import type { Parsed } from './parse.ts';

/** Bytes; larger files are parsed in a worker, so that the page does not freeze. */
const LARGE = 200_000;

/** Reads the chosen CSV file. Files that cannot be one (by name, type, size) are refused unread. */
export const readFile = async <Kind extends keyof Parsed>(kind: Kind, chosen: File): Promise<Parsed[Kind] | CsvRefusal> => {
  const unread = refusedUnread({ name: chosen.name, type: chosen.type, size: chosen.size });
  if (unread) return unread;
  const file = { name: chosen.name, type: chosen.type, bytes: new Uint8Array(await chosen.arrayBuffer()) };
  if (chosen.size > LARGE && typeof Worker === 'function') return readInWorker(kind, file);
  const { parsers } = await import('./parse.ts');
  return parsers[kind](file);
};

const readInWorker = <Kind extends keyof Parsed>(kind: Kind, file: ChosenFile) =>
  new Promise<Parsed[Kind] | CsvRefusal>((resolve, reject) => {
    const worker = new Worker(new URL('./parse.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Parsed[Kind] | CsvRefusal>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The file could not be read.'));
    };
    worker.postMessage({ kind, file });
  });
