import { inflateSync } from 'node:zlib';

/** A PDF's source with its streams unpacked: what is drawn on its pages can be read there. */
export const pdfSource = (pdf: Buffer): string =>
  pdf.toString('latin1').replaceAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (whole, stream: string) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      return whole;
    }
  });
