import { inflateSync } from 'node:zlib';

/** The source of a PDF with its streams unpacked, so that the drawn text can be read. */
export const pdfSource = (pdf: Buffer): string =>
  pdf.toString('latin1').replaceAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (whole, stream: string) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      return whole;
    }
  });
