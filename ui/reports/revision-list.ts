import type { MadeReport, ReportOptions, ReportPages } from './pages.ts';
import { baselineOf, heightOf, HAIRLINE, INK, makeReport, MUTED, SIZE, stoodOn } from './pages.ts';
import type { Making } from './parts.ts';

/** `text`: what the list shows instead of the topic. */
export type RevisionQuestion = { readonly number: number; readonly topic: string; readonly text?: string | null };
export type RevisionPart = {
  readonly test: string;
  /** For one student: 'Dabrowska, Lucja · 11X1'. */
  readonly student?: string | undefined;
  /** In their order; only those with questions. */
  readonly headers: readonly { readonly name: string; readonly questions: readonly RevisionQuestion[] }[];
};
export type RevisionReport = ReportOptions & {
  /** Of the log, as of which the list is. */
  readonly moment: Date;
  readonly parts: readonly RevisionPart[];
};

export const REVISION_FILE = 'Revisionlist.pdf';
export const INTRODUCTION = 'Tick each topic when you have revised it.';
const NOTHING = 'No marks were lost on a topic of this list.';

/** mm */
const BOX = 4;
const PADDING = 1.4;

/** The list of topics to tick, for a class or for each of several students. */
export const revisionListFile = ({ parts, moment, ...options }: RevisionReport, making?: Making): Promise<MadeReport> =>
  makeReport(options, parts, (pages, part) => drawPart(pages, part, moment), making);

const drawPart = (pages: ReportPages, { test, student, headers }: RevisionPart, moment: Date): void => {
  pages.begin(`Revision Checklist: ${test}`, [...(student === undefined ? [] : [student]), stoodOn(moment)]);
  pages.text(headers.length > 0 ? pages.sentence(INTRODUCTION) : NOTHING);
  for (const { name, questions } of headers) {
    pages.topic(name);
    for (const question of questions) drawQuestion(pages, question);
  }
};

/** A row of the table: a box to tick, the number of the question, and its topic. */
const drawQuestion = (pages: ReportPages, { number, topic, text }: RevisionQuestion): void => {
  const indent = BOX + 4 + 12;
  const lines = pages.linesOf(text ?? topic, { indent });
  const height = heightOf(SIZE.body);
  const row = Math.max(lines.length * height, BOX) + 2 * PADDING;
  pages.room(Math.min(row, 40));
  const top = pages.y + PADDING;
  pages.pdf
    .setDrawColor(...INK)
    .setLineWidth(0.35)
    .rect(pages.left + 0.5, top, BOX, BOX, 'S');
  pages.write(`Q${number}`, pages.left + BOX + 4, top + baselineOf(SIZE.body), { colour: MUTED });
  pages.y = top;
  for (const line of lines) {
    pages.room(height);
    pages.write(line, pages.left + indent, pages.y + baselineOf(SIZE.body));
    pages.y += height;
  }
  pages.y = Math.max(pages.y, top + BOX) + PADDING;
  pages.pdf.setDrawColor(...HAIRLINE).setLineWidth(0.2);
  pages.pdf.line(pages.left, pages.y, pages.left + pages.width, pages.y);
};
