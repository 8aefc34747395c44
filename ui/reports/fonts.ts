import type { jsPDF } from 'jspdf';
import type { Picture } from './picture.ts';
import { advanceOf, canDraw, FROM_THE_RIGHT, pictureOf, SCALE } from './picture.ts';

/** Fetches a font for letters beyond Latin-1, in base 64. */
export type FontReader = () => Promise<string>;
export type Colour = readonly [red: number, green: number, blue: number];
export type Align = 'left' | 'right';
/** `size` in pt */
export type Lettered = { readonly size: number; readonly bold: boolean; readonly colour: Colour };

/** Latin-1, and what the fonts of every PDF reader have besides. */
const IN_STANDARD_FONTS = /^[\s\u0020-\u007e\u00a0-\u00ff‘’‚“”„–—…•€™Œœ]*$/u;

/**
 * How a document with these texts is lettered. The standard fonts of PDF cost nothing, and only have Latin-1; for anything beyond, one is
 * embedded, with the letters that are used; and what that one lacks is drawn from the fonts of the device.
 */
export const letteringFor = async (pdf: jsPDF, texts: string, font: FontReader): Promise<Lettering> => {
  if (IN_STANDARD_FONTS.test(texts)) return new Lettering(pdf, 'helvetica', new Set());
  pdf.addFileToVFS('letters.ttf', await font());
  pdf.addFont('letters.ttf', 'letters', 'normal');
  const has = glyphsOf(pdf);
  const missing = [...new Set(texts)].filter((letter) => !/\s/u.test(letter) && !has(letter.codePointAt(0) ?? 0));
  return new Lettering(pdf, 'letters', new Set(missing));
};

/** Writes into a document: in its font, and words with letters that this lacks as pictures. mm, but for the size of letters. */
export class Lettering {
  readonly #pdf: jsPDF;
  readonly #family: 'helvetica' | 'letters';
  /** Letters that the font lacks. */
  readonly #missing: ReadonlySet<string>;
  readonly #pictures = new Map<string, Picture>();

  constructor(pdf: jsPDF, family: 'helvetica' | 'letters', missing: ReadonlySet<string>) {
    this.#pdf = pdf;
    this.#family = family;
    this.#missing = missing;
  }

  /** Letters that are printed as boxes: the font lacks them, and there is nothing to draw them on. */
  get unprintable(): readonly string[] {
    return canDraw() ? [] : [...this.#missing];
  }

  /** Whether the file has no letters that say so, or in another order: it is drawn, or read from the right. */
  isDrawn(text: string): boolean {
    return FROM_THE_RIGHT.test(text) || [...text].some((letter) => this.#missing.has(letter));
  }

  /** One line with its baseline at y. `align` says what x is. */
  write(text: string, x: number, y: number, look: Lettered, align: Align = 'left'): void {
    const { before, drawn, after } = this.#piecesOf(text);
    if (drawn === '') return this.#print(text, x, y, look, align);
    const left = align === 'left' ? x : x - this.widthOf(text, look);
    const middle = left + this.#printedWidth(before, look);
    this.#print(before, left, y, look);
    this.#draw(drawn, middle, y, look);
    this.#print(after, middle + advanceOf(drawn, look) * MM_PER_PX, y, look);
  }

  widthOf(text: string, look: Lettered): number {
    const { before, drawn, after } = this.#piecesOf(text);
    const advance = drawn === '' ? 0 : advanceOf(drawn, look) * MM_PER_PX;
    return this.#printedWidth(before, look) + advance + this.#printedWidth(after, look);
  }

  /** The text in lines of this width. */
  linesOf(text: string, width: number, look: Lettered): readonly string[] {
    if (this.#piecesOf(text).drawn !== '') return text.split('\n').flatMap((line) => this.#wrapped(line, width, look));
    this.#letter(look);
    const lines: unknown = this.#pdf.splitTextToSize(this.#printable(text), width);
    return Array.isArray(lines) ? lines.map(String) : [text];
  }

  /** The text, with an ellipsis where it is too long for the width. */
  cut(text: string, width: number, look: Lettered): string {
    if (this.widthOf(text, look) <= width) return text;
    const letters = [...text];
    const first = (count: number): string => letters.slice(0, count).join('').trimEnd();
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.widthOf(`${first(middle)}…`, look) <= width) low = middle;
      else high = middle - 1;
    }
    return `${first(low)}…`;
  }

  #wrapped(text: string, width: number, look: Lettered): readonly string[] {
    const lines: string[] = [];
    let line = '';
    for (const part of text.split(BREAKS)) {
      if (line !== '' && this.widthOf((line + part).trimEnd(), look) > width) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += part;
    }
    return [...lines, line];
  }

  #print(text: string, x: number, y: number, look: Lettered, align: Align = 'left'): void {
    if (text === '') return;
    const { size, bold, colour } = look;
    this.#letter(look);
    this.#pdf.setTextColor(...colour);
    const outlined = bold && !this.#hasBold;
    if (outlined) this.#pdf.setDrawColor(...colour).setLineWidth(size * 0.012);
    // Names in Arabic are given in the order in which they are read.
    const options = { align, isInputVisual: false, isOutputVisual: true, ...(outlined && { renderingMode: 'fillThenStroke' as const }) };
    this.#pdf.text(this.#printable(text), x, y, options);
  }

  #printedWidth(text: string, look: Lettered): number {
    this.#letter(look);
    return this.#pdf.getTextWidth(this.#printable(text));
  }

  /** `drawn`: from the first word that is to be drawn to the last. Words that are read from the right stay together with them. */
  #piecesOf(text: string): { readonly before: string; readonly drawn: string; readonly after: string } {
    const isLacked = (word: string): boolean => [...word].some((letter) => this.#missing.has(letter));
    if (this.#missing.size === 0 || !canDraw() || !isLacked(text)) return { before: text, drawn: '', after: '' };
    const words = [...text.matchAll(/\S+/gu)].filter(([word]) => isLacked(word) || FROM_THE_RIGHT.test(word));
    const [first, last] = [words[0]?.index ?? 0, words.at(-1)];
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
    return { before: text.slice(0, first), drawn: text.slice(first, end), after: text.slice(end) };
  }

  #draw(text: string, x: number, y: number, look: Lettered): void {
    // The same picture is stored once.
    const key = `${look.size} ${look.bold} ${look.colour.join(' ')} ${text}`;
    const picture = this.#pictures.get(key) ?? pictureOf(text, look);
    this.#pictures.set(key, picture);
    const { canvas, left, top } = picture;
    const place = [x + left * MM_PER_PX, y + top * MM_PER_PX, canvas.width * MM_PER_PX, canvas.height * MM_PER_PX] as const;
    this.#pdf.addImage(canvas, 'PNG', ...place, key, 'FAST');
  }

  /**
   * A box for each letter that cannot be printed. Before Arabic punctuation a letter has its final form, which the library gives it only
   * before something that is not Arabic: a mark of no width.
   */
  #printable(text: string): string {
    if (this.#hasBold) return text;
    const boxes = this.#missing.size === 0 ? text : [...text].map((letter) => (this.#missing.has(letter) ? BOX : letter)).join('');
    return boxes.replaceAll(/(?<!\u200c)(?=[\u060c\u061b\u061f])/gu, '\u200c');
  }

  #letter({ size, bold }: Lettered): void {
    this.#pdf.setFont(this.#family, bold && this.#hasBold ? 'bold' : 'normal').setFontSize(size);
  }

  /** Without a bold face, bold text is drawn with an outline. */
  get #hasBold(): boolean {
    return this.#family === 'helvetica';
  }
}

const BOX = '\u25a1';
const MM_PER_PX = 25.4 / 72 / SCALE;
/** After a blank, and after a letter of a script that is written without blanks. */
const BREAKS = /(?<=[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])/u;

/** The library keeps the font's table of letters to itself; its types do not name it. */
const glyphsOf = (pdf: jsPDF): ((codePoint: number) => boolean) => {
  const font: unknown = pdf.setFont('letters', 'normal').getFont();
  const { characterToGlyph } = (font as { metadata: { characterToGlyph: (codePoint: number) => number } }).metadata;
  const { metadata } = font as { metadata: object };
  return (codePoint) => characterToGlyph.call(metadata, codePoint) > 0;
};
