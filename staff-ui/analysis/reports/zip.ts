import type { Zippable } from 'fflate';

/** The files in one archive. Two of the same name are told apart by a number. PDFs are packed already: they are only stored. */
export const zipOf = async (files: readonly { readonly name: string; readonly file: ArrayBuffer }[]): Promise<ArrayBuffer> => {
  const { zipSync } = await import('fflate');
  const contents: Zippable = {};
  for (const { name, file } of files) {
    let free = name;
    for (let number = 2; Object.hasOwn(contents, free); number++) free = name.replace(/(?=\.\w+$)/u, ` ${number}`);
    contents[free] = [new Uint8Array(file), { level: 0 }];
  }
  return zipSync(contents).slice().buffer;
};

/** Without what names of files may not hold. */
export const safeName = (name: string): string =>
  name
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
