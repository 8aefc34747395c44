import { readFile } from 'node:fs/promises';
import { create } from 'qrcode';
import { describe, expect, test } from 'vitest';
import type { SignupSheet } from '../../../ui/reports/signup-sheet.ts';
import { pdfSource } from '../../support/pdf.ts';
import { signupSheet } from '../../../ui/reports/signup-sheet.ts';

const link = 'https://marks.school.example/code?code=aB3xY9z';
const sheet: SignupSheet = {
  school: 'Greenfield Academy',
  subject: 'Mathematics',
  code: 'aB3xY9z',
  link,
  stickers: 14,
  sheets: 1,
  font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
};

const textOf = async (asked: Partial<SignupSheet>): Promise<string> => pdfSource(Buffer.from(await signupSheet({ ...sheet, ...asked })));
const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length;

/** The dark squares of the first QR code, from the pieces that it is drawn of: points of a page from its foot. */
const drawn = (pdf: string): string => {
  const pieces = [...pdf.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) -?([\d.]+) re\nf$/gm)].map((one) => one.slice(1).map(Number));
  const side = pieces[0]?.[3] ?? 1;
  const [left, top] = [Math.min(...pieces.map(([x = 0]) => x)), Math.max(...pieces.map(([, y = 0]) => y))];
  const { size } = create(link, { errorCorrectionLevel: 'M' }).modules;
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'));
  for (const [x = 0, y = 0, width = 0] of pieces) {
    const [row, column] = [Math.round((top - y) / side), Math.round((x - left) / side)];
    for (let n = 0; n < Math.round(width / side); n++) {
      const line = rows[row];
      if (line && column + n < size) line[column + n] = '#';
    }
  }
  return rows.map((row) => row.join('')).join('\n');
};

describe('the sheet of stickers', () => {
  test('has 14 of them with the code, on one page of A4; 16 on request, and as many sheets as are asked for', async () => {
    const one = await textOf({});
    expect([count(one, /\(aB3xY9z\)/g), count(one, /\(Greenfield Academy\)/g), count(one, /\/Type \/Page\b(?!s)/g)]).toEqual([14, 14, 1]);
    expect(one).toContain('marks.school.example/code');
    const more = await textOf({ stickers: 16, sheets: 2 });
    expect([count(more, /\(aB3xY9z\)/g), count(more, /\/Type \/Page\b(?!s)/g)]).toEqual([32, 2]);
    expect(/\/MediaBox \[0 0 595\.\d+ 841\.\d+\]/.test(one)).toBe(true);
  });

  test('has the QR code of the link on each', async () => {
    const { data, size } = create(link, { errorCorrectionLevel: 'M' }).modules;
    const right = Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_unused, column) => (data[row * size + column] ? '#' : '.')).join(''),
    ).join('\n');
    expect(drawn(await textOf({}))).toBe(right);
  });

  test('writes the name of a school in any script', async () => {
    const pdf = await textOf({ school: 'Szkoła Podstawowa w Łodzi' });
    expect(pdf).toContain('/FontFile2');
    expect(count(pdf, /\(aB3xY9z\)/g)).toBe(14);
  });
});
