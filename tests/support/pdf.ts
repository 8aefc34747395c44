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

type Node = { readonly role: string; readonly children: readonly (Node | object)[] };

/** What a screen reader is told of the file: its title and language, and page by page its elements, such as 'Table(TR(TH,TH),TR(TD,TD))'. */
export const pdfTags = async (file: ArrayBuffer) => {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(file.slice(0)));
  const { info } = await pdf.getMetadata();
  const pages = Array.from({ length: pdf.numPages }, async (_, index) => written(await (await pdf.getPage(index + 1)).getStructTree()));
  const { Title: title, Language: language } = info as { readonly Title?: string; readonly Language?: string };
  return { title, language, pages: await Promise.all(pages) };
};

const written = ({ role, children }: Node): string => {
  const inner = children.filter((child) => 'role' in child).map(written);
  return `${role}${inner.length > 0 ? `(${inner.join(',')})` : ''}`;
};
