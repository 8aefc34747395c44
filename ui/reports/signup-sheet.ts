import type { jsPDF } from 'jspdf';
import type { FontReader, Lettering } from './fonts.ts';
import { letteringFor } from './fonts.ts';
import { INK } from './pages.ts';
import { Tags } from './tags.ts';

export type SignupSheet = {
  readonly school: string;
  readonly subject: string;
  readonly code: string;
  /** Target of the QR code; contains the joining code. */
  readonly link: string;
  /** Stickers per A4 sheet, in two columns. */
  readonly stickers: 14 | 16;
  /** Number of sheets. */
  readonly sheets: number;
  /** Fetches a font for names beyond Latin-1, in base 64. */
  readonly font: FontReader;
};

/** mm, A4 */
const PAGE = { width: 210, height: 297, margin: 8 } as const;
const COLUMNS = 2;

/** A PDF of stickers with a subject's joining code. The PDF library is loaded on demand. */
export const signupSheet = async (sheet: SignupSheet): Promise<ArrayBuffer> => {
  const [{ jsPDF: Pdf }, { create }] = await Promise.all([import('jspdf'), import('qrcode')]);
  const pdf = new Pdf({ unit: 'mm', format: 'a4', putOnlyUsedFonts: true, compress: true });
  const lettering = await letteringFor(pdf, sheet.school + sheet.subject, sheet.font);
  const tags = new Tags(pdf, `Stickers to join ${sheet.subject}`);
  const { modules } = create(sheet.link, { errorCorrectionLevel: 'M' });
  const rows = sheet.stickers / COLUMNS;
  const width = (PAGE.width - 2 * PAGE.margin) / COLUMNS;
  const height = (PAGE.height - 2 * PAGE.margin) / rows;
  for (let page = 0; page < sheet.sheets; page++) {
    if (page > 0) pdf.addPage();
    for (let n = 0; n < sheet.stickers; n++) {
      const place = { x: PAGE.margin + (n % COLUMNS) * width, y: PAGE.margin + Math.floor(n / COLUMNS) * height, width, height };
      tags.within('Sect', () => drawSticker(pdf, tags, sheet, lettering, modules, place));
    }
  }
  return pdf.output('arraybuffer');
};

type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Modules = { readonly size: number; readonly data: ArrayLike<number | boolean> };

const drawSticker = (
  pdf: jsPDF,
  tags: Tags,
  { school, subject, code, link }: SignupSheet,
  lettering: Lettering,
  modules: Modules,
  place: Place,
): void => {
  const { x, y, width, height } = place;
  pdf.setDrawColor(223, 229, 216).setLineWidth(0.2).rect(x, y, width, height);
  const side = Math.min(30, height - 5);
  drawQr(pdf, modules, x + 3, y + (height - side) / 2, side);
  const left = x + side + 7;
  const room = width - side - 9;
  const write = (text: string, size: number, down: number): void => {
    const look = { size, bold: false, colour: INK };
    tags.text(() => lettering.write(lettering.cut(text, room, look), left, y + down, look), lettering.isDrawn(text) ? text : undefined);
  };
  write(school, 10, 8);
  write(`Join ${subject}`, 9, 13);
  tags.text(() =>
    pdf
      .setFont('courier', 'bold')
      .setFontSize(20)
      .text(code, left, y + 22),
  );
  write('Scan it, or enter the code at', 7, 27);
  write(link.replace(/^https?:\/\//, '').replace(/\?.*$/, ''), 7, 30.5);
};

const drawQr = (pdf: jsPDF, { data, size }: Modules, x: number, y: number, side: number): void => {
  const module = side / size;
  pdf.setFillColor(0, 0, 0);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      // A run of dark modules in one rectangle: no seams between them, and a smaller file.
      let length = 0;
      while (column + length < size && data[row * size + column + length]) length++;
      if (length > 0) pdf.rect(x + column * module, y + row * module, length * module, module, 'F');
      column += length;
    }
  }
};
