import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../apps.ts';

/** The names under which components have kept that a request is on its way. */
const BUSY = /const \[(?:is)?(busy|pending|(?:sav|send|stor|submitt|committ|post|upload)ing), \w+\] = (?:React\.)?useState\b/giu;

/** States of React that say what a `Sending` says: flags by hand, forgotten by some error or pressed twice. */
export const flagsByHand = (text: string): string[] => [...text.matchAll(BUSY)].flatMap(([, name]) => name ?? []);

/** The components that keep a busy flag by hand. */
export const busyByHand = (files: Iterable<string>): string[] =>
  [...files]
    .filter((file) => /^(ui|(staff|student|admin)-ui)\//.test(file))
    .flatMap((file) =>
      flagsByHand(readFileSync(join(root, file), 'utf8')).map(
        (name) => `${file} keeps ${name} by hand: send with useSend or useCommand (ui/api), before the log-in with useSending`,
      ),
    );
