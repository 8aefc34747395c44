import type { ChosenFile } from '#api/contract/csv/file';
import type { Parsed } from './parse.ts';
import { parsers } from './parse.ts';

self.onmessage = ({ data: { kind, file } }: MessageEvent<{ readonly kind: keyof Parsed; readonly file: ChosenFile }>) => {
  self.postMessage(parsers[kind](file));
};
