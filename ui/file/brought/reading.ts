import type { CsvRefusal } from '#api/contract/csv/file';
import { fileMessages, MAX_FILE_BYTES, refused } from '#api/contract/csv/file';
import type { Opened, Opening } from './open-bytes.ts';
import { openBytes } from './open-bytes.ts';

/** Loaded once a file is chosen: all that it takes to read one. */
export { broughtOf } from './brought.ts';
export { withRole } from '../layout/layout.ts';
export { asRemembered, rememberColumns } from './remembered-columns.ts';

/** Bytes; larger files are read in a worker, so that the page does not freeze. */
const LARGE = 200_000;

/** Opens a file that was chosen. One that is too large is refused unread. */
export const openFile = async (chosen: File, columns: readonly string[], opening: Opening): Promise<Opened | CsvRefusal> => {
  if (chosen.size > MAX_FILE_BYTES) return refused(fileMessages.wrongTemplate, fileMessages.tooLarge);
  const file = { name: chosen.name, type: chosen.type, bytes: new Uint8Array(await chosen.arrayBuffer()) };
  if (chosen.size <= LARGE || typeof Worker !== 'function') return openBytes(file, columns, opening);
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./open.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Opened | CsvRefusal>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The file could not be read.'));
    };
    worker.postMessage({ file, columns, opening });
  });
};
