import type { ChosenFile } from '#api/contract/csv/file';
import type { Opening } from './open-bytes.ts';
import { openBytes } from './open-bytes.ts';

type Asked = { readonly file: ChosenFile; readonly columns: readonly string[]; readonly opening: Opening };

self.onmessage = ({ data: { file, columns, opening } }: MessageEvent<Asked>) => {
  void openBytes(file, columns, opening).then((opened) => self.postMessage(opened));
};
