import { withSigns } from '#api/contract/flags';
import { BANDS_EXPLAINED, drawBar } from './bands.ts';
import type { MadeReport, ReportOptions, ReportPages } from './pages.ts';
import { baselineOf, HAIRLINE, heightOf, INK, makeReport, MUTED, SIZE, titleOf } from './pages.ts';
import type { Making } from './parts.ts';
import type { RevisionPart } from './revision-list.ts';
import { signed } from './rows.ts';
import type { Claim, StudentPart } from './student-report.ts';
import { drawTotal, NO_QUESTIONS } from './student-report.ts';

/** Of a student and a test: a page with the marks, what went well, what to do next, and room for a comment. */
export type FeedbackPart = Omit<StudentPart, 'topics' | 'progress'> & { readonly headers: RevisionPart['headers'] };
export type FeedbackSheets = ReportOptions & { readonly parts: readonly FeedbackPart[] };

export const FEEDBACK_FILE = 'FeedbackSheet.pdf';

export const feedbackSheetFile = ({ parts, ...options }: FeedbackSheets, making?: Making): Promise<MadeReport> =>
  makeReport({ ...options, title: titleOf('Feedback', parts) }, parts, drawSheet, making);

/** pt: as large as it fits on one page. */
const SIZES = [SIZE.body, 9, 8, 7, 6];
/** mm */
const COMMENT = { least: 26, most: 62 };
const GAP = 3;
const GUTTER = 8;
/** More questions stand in two columns. */
const ONE_COLUMN = 18;

/** What stands on the sheet, in letters of a size. Lines are cut and not wrapped, so that heights are known. */
type Plan = {
  readonly size: number;
  readonly lineHeight: number;
  readonly head: number;
  readonly columns: 1 | 2;
  readonly listed: readonly Item[];
};
/** A line of the revision list: a header, or a topic under it. */
type Item = { readonly text: string; readonly number?: number };

const drawSheet = (pages: ReportPages, part: FeedbackPart): void => {
  pages.begin(`Feedback: ${part.test}`, [`${part.student} · ${part.of}`, part.moment]);
  drawTotal(pages, part, part.questions);
  if (part.questions.length === 0) pages.text(NO_QUESTIONS, { colour: MUTED });
  const items = part.headers.flatMap(({ name, questions }): Item[] => [
    { text: name },
    ...questions.map(({ topic, text, number }) => ({ text: text ?? topic, number })),
  ]);
  const room = pages.bottom - pages.y - COMMENT.least;
  const plans = SIZES.map((size) => planOf(part, size, items));
  const plan = plans.find((one) => heightOfAll(part, one) <= room) ?? cutToFit(part, plans.at(-1), items, room);
  if (part.questions.length > 0) {
    drawQuestions(pages, part, plan);
    drawClaims(pages, part, plan);
  }
  if (plan.listed.length > 0) drawList(pages, plan, items.filter(({ number }) => number !== undefined).length);
  drawComment(pages, plan);
};

const planOf = ({ questions }: FeedbackPart, size: number, listed: readonly Item[]): Plan => ({
  size,
  lineHeight: heightOf(size) + 0.9,
  head: GAP + heightOf(size + 3) + 1,
  columns: questions.length <= ONE_COLUMN ? 1 : 2,
  listed,
});

/** The list as far as there is room for it. */
const cutToFit = (part: FeedbackPart, last: Plan | undefined, items: readonly Item[], room: number): Plan => {
  const plan = last ?? planOf(part, SIZES[0] ?? SIZE.body, items);
  const rows = Math.floor((room - heightOfAll(part, { ...plan, listed: [] }) - plan.head - plan.lineHeight) / plan.lineHeight);
  return { ...plan, listed: items.slice(0, Math.max(0, 2 * rows)) };
};

const heightOfAll = (part: FeedbackPart, plan: Plan): number => {
  const { lineHeight, head, columns, listed } = plan;
  const { questions, strengths, targets } = part;
  const claims = Math.max(1, strengths.length, targets.length);
  const ofQuestions =
    questions.length === 0 ? 0 : head + (Math.ceil(questions.length / columns) + 1) * lineHeight + head + (claims + 1) * lineHeight;
  return ofQuestions + (listed.length === 0 ? 0 : head + Math.ceil(listed.length / 2) * lineHeight + lineHeight);
};

const heading = (pages: ReportPages, text: string, { size, head }: Plan): void => {
  pages.within('H2', () => pages.write(text, pages.left, pages.y + GAP + baselineOf(size + 3), { size: size + 3, bold: true }));
  pages.y += head;
};

/** In smaller letters if it is too long for a line. */
const note = (pages: ReportPages, text: string, { size, lineHeight }: Plan): void => {
  const look = { size: (size - 1) * Math.min(1, pages.width / pages.widthOf(text, { size: size - 1 })), colour: MUTED };
  pages.write(text, pages.left, pages.y + 0.6 + baselineOf(size - 1), look);
  pages.y += lineHeight;
};

/** Draws in so many columns of `rows`, from the top of each; `draw` is given the left edge, the baseline and the width. */
const inColumns = <One>(
  pages: ReportPages,
  ones: readonly One[],
  { size, lineHeight }: Plan,
  columns: number,
  rows: number,
  draw: (one: One, x: number, y: number, width: number) => void,
): void => {
  const width = (pages.width - (columns - 1) * GUTTER) / columns;
  items(pages, ones, (one, index) => {
    const x = pages.left + Math.floor(index / rows) * (width + GUTTER);
    const top = pages.y + (index % rows) * lineHeight;
    draw(one, x, top + 0.45 + baselineOf(size), width);
    pages.pdf.setDrawColor(...HAIRLINE).setLineWidth(0.15);
    pages.pdf.line(x, top + lineHeight - 0.1, x + width, top + lineHeight - 0.1);
  });
  pages.y += rows * lineHeight;
};

/** A list to a screen reader. */
const items = <One>(pages: ReportPages, ones: readonly One[], draw: (one: One, index: number) => void): void => {
  if (ones.length === 0) return;
  pages.within('L', () => ones.forEach((one, index) => pages.within('LI', () => pages.within('LBody', () => draw(one, index)))));
};

const drawQuestions = (pages: ReportPages, { questions, average }: FeedbackPart, plan: Plan): void => {
  const { size, columns } = plan;
  heading(pages, 'Your marks', plan);
  const em = size / SIZE.body;
  const hasClass = pages.comparisons;
  const right = hasClass ? 14 * em : 0;
  inColumns(
    pages,
    questions,
    plan,
    columns,
    Math.ceil(questions.length / columns),
    ({ number, topic, mark, flags = [], max, band, ofClass }, x, y, width) => {
      const bar = { x: x + width - right - 34 * em, width: 18 * em + 4 - (flags.length > 0 ? 4 * em : 0), height: 3.4 * em };
      pages.write(`Q${number}`, x, y, { size, colour: MUTED });
      pages.write(pages.cut(topic, bar.x - x - 13 * em, { size }), x + 10 * em, y, { size });
      drawBar(pages, band, (mark ?? 0) / max, { ...bar, y: y - 2.9 * em, size: size - 1 });
      pages.write(withSigns(`${mark ?? '–'} / ${max}`, flags), x + width - right, y, { size }, 'right');
      if (hasClass) pages.write(ofClass ?? '–', x + width, y, { size, colour: MUTED }, 'right');
    },
  );
  const last = hasClass ? ` Last column: ${average === 'all' ? 'all students' : 'the class'}.` : '';
  const blank = questions.some(({ band }) => band === null) ? ' No letter: nobody in the class has a mark.' : '';
  note(pages, `${BANDS_EXPLAINED}${last} Left out counts 0.${blank}`, plan);
};

const drawClaims = (pages: ReportPages, { strengths, targets }: FeedbackPart, plan: Plan): void => {
  const { size, lineHeight } = plan;
  const width = (pages.width - GUTTER) / 2;
  const top = pages.y;
  const sides = [
    { title: 'What went well', claims: strengths, none: 'Nothing stands out above the average.' },
    { title: 'Work on next', claims: targets, none: 'Nothing stands out below the average.' },
  ];
  for (const [side, { title, claims, none }] of sides.entries()) {
    const x = pages.left + side * (width + GUTTER);
    pages.within('H2', () => pages.write(title, x, top + GAP + baselineOf(size + 3), { size: size + 3, bold: true }));
    const first = top + plan.head + 0.45 + baselineOf(size);
    if (claims.length === 0) pages.write(none, x, first, { size, colour: MUTED });
    items(pages, claims, (claim, index) => {
      const y = first + index * lineHeight;
      const text = claimText(pages, claim);
      const room = width - pages.widthOf(text, { size }) - 12;
      pages.write(`Q${claim.number}`, x, y, { size, colour: MUTED });
      pages.write(pages.cut(claim.topic, room, { size }), x + (10 * size) / SIZE.body, y, { size });
      pages.write(text, x + width, y, { size }, 'right');
    });
  }
  pages.y = top + plan.head + Math.max(1, strengths.length, targets.length) * lineHeight;
  if (strengths.length + targets.length > 0) {
    note(pages, `${pages.comparisons ? 'Points of 100, against all students. ' : ''}Weak: so few questions of a topic say little.`, plan);
  }
};

/** '+20', '+20, weak'; without comparisons only whether it is weak. */
const claimText = (pages: ReportPages, { difference, weak }: Claim): string =>
  [...(pages.comparisons ? [signed(difference)] : []), ...(weak ? ['weak'] : [])].join(', ');

const drawList = (pages: ReportPages, plan: Plan, topics: number): void => {
  const { size, listed } = plan;
  heading(pages, 'To revise', plan);
  const em = size / SIZE.body;
  // A header is not the last of its column.
  const half = Math.ceil(listed.length / 2);
  const rows = listed[half - 1]?.number === undefined ? Math.min(half + 1, listed.length) : half;
  inColumns(pages, listed, plan, 2, rows, ({ text, number }, x, y, width) => {
    if (number === undefined) {
      pages.write(pages.cut(text, width, { size, bold: true }), x, y, { size, bold: true });
      return;
    }
    pages.pdf
      .setDrawColor(...INK)
      .setLineWidth(0.25)
      .rect(x + 0.3, y - 2.7 * em, 2.9 * em, 2.9 * em, 'S');
    pages.write(`Q${number}`, x + 5 * em, y, { size, colour: MUTED });
    pages.write(pages.cut(text, width - 15 * em, { size }), x + 14 * em, y, { size });
  });
  const shown = listed.filter(({ number }) => number !== undefined).length;
  note(pages, shown < topics ? `${topics - shown} more are on the revision list.` : 'Tick each topic when you have revised it.', plan);
};

const drawComment = (pages: ReportPages, plan: Plan): void => {
  heading(pages, 'Comment', plan);
  const height = Math.min(COMMENT.most, pages.bottom - pages.y);
  pages.pdf
    .setDrawColor(...MUTED)
    .setLineWidth(0.2)
    .rect(pages.left, pages.y, pages.width, height, 'S');
  pages.pdf.setDrawColor(...HAIRLINE).setLineWidth(0.15);
  for (let y = pages.y + 8; y < pages.y + height - 1; y += 8) pages.pdf.line(pages.left + 3, y, pages.left + pages.width - 3, y);
  pages.y += height;
};
