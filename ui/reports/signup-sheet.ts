import type { jsPDF } from 'jspdf';
import type { FontReader } from './fonts.ts';
import { letteringFor } from './fonts.ts';

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
  const { family } = await letteringFor(pdf, sheet.school + sheet.subject, sheet.font);
  const { modules } = create(sheet.link, { errorCorrectionLevel: 'M' });
  const rows = sheet.stickers / COLUMNS;
  const width = (PAGE.width - 2 * PAGE.margin) / COLUMNS;
  const height = (PAGE.height - 2 * PAGE.margin) / rows;
  for (let page = 0; page < sheet.sheets; page++) {
    if (page > 0) pdf.addPage();
    for (let n = 0; n < sheet.stickers; n++) {
      const place = { x: PAGE.margin + (n % COLUMNS) * width, y: PAGE.margin + Math.floor(n / COLUMNS) * height, width, height };
      drawSticker(pdf, sheet, family, modules, place);
    }
  }
  return pdf.output('arraybuffer');
};

type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Modules = { readonly size: number; readonly data: ArrayLike<number | boolean> };

const drawSticker = (pdf: jsPDF, { school, subject, code, link }: SignupSheet, font: string, modules: Modules, place: Place): void => {
  const { x, y, width, height } = place;
  pdf.setDrawColor(223, 229, 216).setLineWidth(0.2).rect(x, y, width, height);
  const side = Math.min(30, height - 5);
  drawQr(pdf, modules, x + 3, y + (height - side) / 2, side);
  const left = x + side + 7;
  const room = width - side - 9;
  pdf.setFont(font, 'normal').setFontSize(10).setTextColor(27, 36, 20);
  pdf.text(fitting(pdf, school, room), left, y + 8);
  pdf.setFontSize(9).text(fitting(pdf, `Join ${subject}`, room), left, y + 13);
  pdf
    .setFont('courier', 'bold')
    .setFontSize(20)
    .text(code, left, y + 22);
  pdf.setFont('helvetica', 'normal').setFontSize(7);
  pdf.text('Scan it, or enter the code at', left, y + 27);
  pdf.text(fitting(pdf, link.replace(/^https?:\/\//, '').replace(/\?.*$/, ''), room), left, y + 30.5);
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

const fitting = (pdf: jsPDF, text: string, room: number): string => {
  if (pdf.getTextWidth(text) <= room) return text;
  let short = text;
  while (short.length > 1 && pdf.getTextWidth(`${short}…`) > room) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
};
