import { constants, inflateSync } from 'node:zlib';

/** The source of a PDF with its streams unpacked, so that the drawn text can be read. */
export const pdfSource = (pdf: Buffer): string =>
  pdf.toString('latin1').replaceAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (whole, stream: string) => {
    try {
      // The last byte of its checksum may be a carriage return, which is then taken for the end of the line.
      return inflateSync(Buffer.from(stream, 'latin1'), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
    } catch {
      return whole;
    }
  });

/** What a reader of the file reads, page by page, the lines as they are drawn. */
export const pdfPages = async (file: ArrayBuffer | Uint8Array): Promise<readonly string[]> => {
  const { extractText } = await import('unpdf');
  // The reader takes the bytes away from whoever gave them.
  return (await extractText(new Uint8Array(file.slice(0)))).text;
};
