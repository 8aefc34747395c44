import type { MadeReport, ReportOptions, ReportPages } from './pages.ts';
import { baselineOf, heightOf, INK, makeReport, MUTED, SIZE, stoodOn, titleOf } from './pages.ts';
import type { Making } from './parts.ts';
import { flow, togetherFrom } from './rows.ts';

/** `text`: what the list shows instead of the topic. */
export type RevisionQuestion = { readonly number: number; readonly topic: string; readonly text?: string | null };
export type RevisionPart = {
  readonly test: string;
  /** For one student: 'Dąbrowska, Łucja', and '11X1 · StudentID M0001'. */
  readonly student?: string | undefined;
  readonly of?: string;
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
const INDENT = BOX + 4 + 12;

/** The list of topics to tick, for a class or for each of several students. */
export const revisionListFile = ({ parts, moment, ...options }: RevisionReport, making?: Making): Promise<MadeReport> =>
  makeReport({ ...options, title: titleOf('Revision Checklist', parts) }, parts, (pages, part) => drawPart(pages, part, moment), making);

const drawPart = (pages: ReportPages, { test, student, of, headers }: RevisionPart, moment: Date): void => {
  const about = [student, of].filter((text) => text !== undefined).join(' · ');
  pages.begin(`Revision Checklist: ${test}`, [...(about === '' ? [] : [about]), stoodOn(moment)]);
  pages.text(headers.length > 0 ? pages.sentence(INTRODUCTION) : NOTHING);
  for (const { name, questions } of headers) {
    const rows = questions.map(({ number, topic, text }) => ({ number, lines: pages.linesOf(text ?? topic, { indent: INDENT }) }));
    const heights = rows.map(({ lines }) => Math.max(lines.length * heightOf(SIZE.body), BOX) + 2 * PADDING);
    pages.topic(name, togetherFrom(0, heights));
    pages.within('L', () =>
      flow(
        pages,
        heights,
        () => pages.topic(name),
        (index) => drawQuestion(pages, rows[index], heights[index] ?? 0),
      ),
    );
  }
};

type Row = { readonly number: number; readonly lines: readonly string[] };

/** A row of the table: a box to tick, the number of the question, and its topic. */
const drawQuestion = (pages: ReportPages, { number, lines }: Row = { number: 0, lines: [] }, height: number): void => {
  const top = pages.y + PADDING;
  pages.pdf
    .setDrawColor(...INK)
    .setLineWidth(0.35)
    .rect(pages.left + 0.5, top, BOX, BOX, 'S');
  pages.within('LI', () =>
    pages.within('LBody', () => {
      const baseline = top + baselineOf(SIZE.body);
      pages.write(`Q${number}`, pages.left + BOX + 4, baseline, { colour: MUTED });
      for (const [at, line] of lines.entries()) pages.write(line, pages.left + INDENT, baseline + at * heightOf(SIZE.body));
    }),
  );
  pages.y += height;
  pages.rule();
};
