import type { ReportWords } from '#api/school/report-words.contract';
import type { jsPDF } from 'jspdf';
import type { Align, Colour, FontReader, Lettered, Lettering } from './fonts.ts';
import { letteringFor } from './fonts.ts';
import { drawLogo } from './logo.ts';
import type { Paper } from './paper.ts';
import type { Making } from './parts.ts';
import { eachInTurn } from './parts.ts';
import type { Tag } from './tags.ts';
import { Tags } from './tags.ts';

export type ReportOptions = {
  readonly school: string;
  readonly paper: Paper;
  /** When it is made. */
  readonly created: Date;
  readonly font: FontReader;
  /** Two: side by side on a page that lies on its side, to cut in the middle. */
  readonly perPage?: 1 | 2;
  /** The school's own. */
  readonly words?: ReportWords | undefined;
};

/** pt */
export const SIZE = { heading: 22, topic: 15, body: 10, foot: 8 } as const;
export const INK: Colour = [27, 36, 20];
export const MUTED: Colour = [86, 98, 76];
export const HAIRLINE: Colour = [200, 208, 188];

/** mm */
const MARGIN = { side: 18, top: 16, foot: 20 } as const;
const LOGO = 12;
/** Of two on a page. */
const SMALLER = 0.75;
const MM_PER_PT = 25.4 / 72;
const LINE_HEIGHT = 1.3;

type Look = {
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
  /** mm from the left margin */
  readonly indent?: number;
  /** mm; all that is left of the line if left out */
  readonly width?: number;
};

export type MadeReport = { readonly file: ArrayBuffer; readonly unprintable: readonly string[] };

/** 'Feedback: Mock 1', and of whom it is if of one only. */
export const titleOf = (what: string, parts: readonly { readonly test: string; readonly student?: string | undefined }[]): string => {
  const [first] = parts;
  return [`${what}: ${first?.test ?? ''}`, ...(first?.student !== undefined && parts.length === 1 ? [first.student] : [])].join(', ');
};

/** A report of these parts, drawn one after the other. */
export const makeReport = async <Part>(
  options: ReportOptions & { readonly title: string },
  parts: readonly Part[],
  draw: (pages: ReportPages, part: Part) => void,
  making: Making = {},
): Promise<MadeReport> => {
  const pages = await openReport(options, JSON.stringify(parts));
  await eachInTurn(parts, (part) => draw(pages, part), making);
  return { file: pages.finish(), unprintable: pages.unprintable };
};

/**
 * A report with nothing on it yet. The library is loaded here, so no page of the apps carries it. `texts`: everything that will be printed, in any
 * order: it decides which font is needed.
 */
export const openReport = async (options: ReportOptions & { readonly title: string }, texts: string): Promise<ReportPages> => {
  const { jsPDF: Pdf } = await import('jspdf');
  const pdf = new Pdf({
    unit: 'mm',
    format: options.paper,
    orientation: options.perPage === 2 ? 'l' : 'p',
    putOnlyUsedFonts: true,
    compress: true,
  });
  const lettering = await letteringFor(pdf, texts + options.school + JSON.stringify(options.words ?? ''), options.font);
  return new ReportPages(pdf, lettering, new Tags(pdf, options.title), options);
};

/**
 * The pages of a report, written from top to bottom: `y` is where the next line goes, in mm. What does not fit is continued on a new page;
 * `room` keeps together what belongs together. A report for several people is one file of parts, whose pages are counted apart.
 */
export class ReportPages {
  readonly pdf: jsPDF;
  readonly left = MARGIN.side;
  readonly width: number;
  y: number = MARGIN.top;
  readonly #lettering: Lettering;
  readonly #tags: Tags;
  readonly #height: number;
  readonly #options: ReportOptions;
  readonly #perPage: 1 | 2;
  /** In their order: on which page of the file each stands, and which of two it is there. */
  readonly #sheets: { readonly page: number; readonly place: number }[] = [];
  /** The first sheet of each part. */
  readonly #parts: number[] = [];

  constructor(pdf: jsPDF, lettering: Lettering, tags: Tags, options: ReportOptions) {
    this.pdf = pdf;
    this.#lettering = lettering;
    this.#tags = tags;
    this.#options = options;
    this.#perPage = options.perPage ?? 1;
    const { pageSize } = pdf.internal;
    const scale = this.#perPage === 2 ? SMALLER : 1;
    this.width = pageSize.getWidth() / this.#perPage / scale - 2 * MARGIN.side;
    this.#height = pageSize.getHeight() / scale;
  }

  /** Letters that are printed as boxes. */
  get unprintable(): readonly string[] {
    return this.#lettering.unprintable;
  }

  /** Whether students are compared with others. */
  get comparisons(): boolean {
    return this.#options.words?.comparisons ?? true;
  }

  /** The school's own words in place of this sentence, if it has any. */
  sentence(standard: string): string {
    return this.#options.words?.sentence || standard;
  }

  /** Where the last line of a page may end. */
  get bottom(): number {
    return this.#height - MARGIN.foot;
  }

  /** A new part on a page of its own: the logo and a heading, and under it lines of what it is about. */
  begin(heading: string, about: readonly string[] = []): void {
    this.#parts.push(this.#sheets.length);
    this.#turn();
    drawLogo(this.pdf, this.left, this.y, LOGO);
    this.#tags.open('Sect', 'document');
    this.within('H1', () => this.text(heading, { size: SIZE.heading, bold: true, indent: LOGO + 5 }));
    for (const line of about) this.text(line, { colour: MUTED, indent: LOGO + 5 });
    this.y = Math.max(this.y, MARGIN.top + LOGO) + 4;
  }

  /** The heading of what stands under it, with room for at least `below` mm of that on the same page. */
  topic(text: string, below = 12): void {
    this.y += 3;
    this.room(this.linesOf(text, { size: SIZE.topic, bold: true }).length * heightOf(SIZE.topic) + below);
    this.within('H2', () => this.text(text, { size: SIZE.topic, bold: true }));
    this.y += 1;
  }

  /** What `draw` writes is this to a screen reader. */
  within(tag: Tag, draw: () => void): void {
    this.#tags.within(tag, draw);
  }

  /** What `draw` writes is nothing to a screen reader, which has been told it. */
  silently(draw: () => void): void {
    this.#tags.silently(draw);
  }

  /** Wraps the text to its width, on new pages if need be. */
  text(text: string, look: Look = {}): void {
    const height = heightOf(look.size ?? SIZE.body);
    this.#tags.paragraph(() => {
      for (const line of this.linesOf(text, look)) {
        this.room(height);
        this.write(line, this.left + (look.indent ?? 0), this.y + baselineOf(look.size ?? SIZE.body), look);
        this.y += height;
      }
    });
  }

  /** An explanation in small letters, on one page. */
  note(text: string): void {
    const look = { size: SIZE.foot, colour: MUTED };
    this.room(this.linesOf(text, look).length * heightOf(SIZE.foot));
    this.text(text, look);
  }

  /** One line with its baseline at y, not wrapped. `align` says what x is. */
  write(text: string, x: number, y: number, look: Look = {}, align: Align = 'left'): void {
    this.#tags.text(() => this.#lettering.write(text, x, y, lettered(look), align), this.#lettering.isDrawn(text) ? text : undefined);
  }

  linesOf(text: string, look: Look = {}): readonly string[] {
    return this.#lettering.linesOf(text, look.width ?? this.width - (look.indent ?? 0), lettered(look));
  }

  widthOf(text: string, look: Look = {}): number {
    return this.#lettering.widthOf(text, lettered(look));
  }

  /** The text, with an ellipsis where it is too long for the width. */
  cut(text: string, width: number, look: Look = {}): string {
    return this.#lettering.cut(text, width, lettered(look));
  }

  /** Goes on to a new page unless the rest of this one has so many mm; whether it did. */
  room(height: number): boolean {
    if (this.y + height <= this.bottom) return false;
    this.#turn();
    return true;
  }

  /** Goes on to the next sheet. */
  #turn(): void {
    const count = this.#sheets.length;
    const place = count % this.#perPage;
    if (count > 0) this.#leave();
    if (count > 0 && place === 0) this.pdf.addPage();
    const sheet = { page: this.pdf.getNumberOfPages(), place };
    this.#sheets.push(sheet);
    this.#enter(sheet);
    this.y = MARGIN.top;
  }

  /** What is drawn from now on is drawn on this sheet. */
  #enter({ page, place }: { readonly page: number; readonly place: number }): void {
    this.pdf.setPage(page);
    if (this.#perPage === 1) return;
    // In the file's units, which count from the foot of the page.
    const [left, up] = [place * (this.width + 2 * MARGIN.side), this.#height].map((mm) => (mm * SMALLER) / MM_PER_PT);
    this.pdf.saveGraphicsState();
    this.pdf.setCurrentTransformationMatrix(this.pdf.Matrix(SMALLER, 0, 0, SMALLER, left ?? 0, (up ?? 0) * (1 - SMALLER)));
  }

  #leave(): void {
    if (this.#perPage === 2) this.pdf.restoreGraphicsState();
  }

  /** A thin line across the page, under what was written last. */
  rule(): void {
    this.pdf.setDrawColor(...HAIRLINE).setLineWidth(0.2);
    this.pdf.line(this.left, this.y, this.left + this.width, this.y);
  }

  /** The file, with its feet. */
  finish(): ArrayBuffer {
    this.#leave();
    this.#tags.silently(() => {
      for (const [part, first] of this.#parts.entries()) {
        const sheets = this.#sheets.slice(first, this.#parts[part + 1]);
        for (const [index, sheet] of sheets.entries()) {
          this.#enter(sheet);
          this.#foot(sheets.length > 1 ? `Page ${index + 1} of ${sheets.length}` : '');
          this.#leave();
        }
      }
    });
    return this.pdf.output('arraybuffer');
  }

  #foot(number: string): void {
    const { school, created, words } = this.#options;
    const schoolFoot = words && words.foot !== '' ? ` · ${words.foot}` : '';
    const foot = `Created on ${dayOf(created)} · Licensed to ${school} · Made with Marktrail${schoolFoot}`;
    const y = this.#height - 10;
    const look = { size: SIZE.foot, colour: MUTED };
    const lines = this.linesOf(foot, { ...look, width: this.width - (number === '' ? 0 : this.widthOf(number, look) + 4) });
    for (const [index, line] of lines.entries()) {
      this.write(line, this.left, y - (lines.length - 1 - index) * heightOf(SIZE.foot), look);
    }
    if (number !== '') this.write(number, this.left + this.width, y, look, 'right');
  }
}

const lettered = ({ size = SIZE.body, bold = false, colour = INK }: Look): Lettered => ({ size, bold, colour });

/** mm of a line of text of this size */
export const heightOf = (size: number): number => size * MM_PER_PT * LINE_HEIGHT;
/** mm from the top of a line to its baseline */
export const baselineOf = (size: number): number => size * MM_PER_PT;

/** The moment of the school's log that a report shows, where the device is: 'As it stood on 25/11/2026, 20:45.' */
export const stoodOn = (moment: Date): string => {
  const time = [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return `As it stood on ${dayOf(moment)}, ${time}.`;
};

/** DD/MM/YYYY where the device is */
export const dayOf = (date: Date): string =>
  [String(date.getDate()).padStart(2, '0'), String(date.getMonth() + 1).padStart(2, '0'), date.getFullYear()].join('/');
