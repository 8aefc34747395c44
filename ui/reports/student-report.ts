import type { Band } from './bands.ts';
import { BANDS_EXPLAINED, drawBar } from './bands.ts';
import type { ReportOptions, ReportPages } from './pages.ts';
import { baselineOf, heightOf, MUTED, openReport, SIZE } from './pages.ts';
import type { Making } from './parts.ts';
import { eachInTurn } from './parts.ts';
import type { MadeReport } from './revision-list.ts';

/** A claim about a question; `weak`: the test is too short or too uneven to say so for sure. */
export type Claim = { readonly number: number; readonly topic: string; readonly difference: number; readonly weak: boolean };

export type StudentPart = {
  readonly student: string;
  /** '11X1 · Mathematics' */
  readonly of: string;
  readonly test: string;
  /** 'As it stood on 25/11/2026, 20:45.' */
  readonly moment: string;
  /** Sentences about the total; the last one compares. */
  readonly total: readonly string[];
  readonly questions: readonly {
    readonly number: number;
    readonly topic: string;
    /** null: left out, which counts 0 */
    readonly mark: number | null;
    readonly max: number;
    readonly band: Band | null;
    /** per cent of the class; null: unknown */
    readonly ofClass: number | null;
  }[];
  /** Why there are no questions. */
  readonly noQuestions: string | undefined;
  readonly strengths: readonly Claim[];
  readonly targets: readonly Claim[];
  readonly topics: readonly { readonly name: string; readonly value: number; readonly band: Band | null; readonly predicted: boolean }[];
  /** The year's tests, the first one first, in per cent. */
  readonly progress: readonly { readonly test: string; readonly own: number; readonly ofClass: number | null }[];
};
export type StudentReports = Omit<ReportOptions, 'texts'> & { readonly parts: readonly StudentPart[] };

export const STUDENT_FILE = 'StudentReport.pdf';

/** A report for each student, each from a page of its own. */
export const studentReportFile = async ({ parts, ...options }: StudentReports, making: Making = {}): Promise<MadeReport> => {
  const pages = await openReport({ ...options, texts: JSON.stringify(parts) });
  await eachInTurn(parts, (part) => drawPart(pages, part), making);
  return { file: pages.finish(), unprintable: pages.unprintable };
};

const drawPart = (pages: ReportPages, part: StudentPart): void => {
  pages.begin(`Student report: ${part.student}`, [part.of, part.moment]);
  pages.topic(part.test);
  for (const sentence of part.total) pages.text(sentence);
  if (part.noQuestions === undefined) drawQuestions(pages, part);
  else pages.text(part.noQuestions, { colour: MUTED });
  drawClaims(pages, 'What went well', part.strengths, 'No question was above the mean of all students.');
  drawClaims(pages, 'Work on next', part.targets, 'No question was below the mean of all students.');
  drawTopics(pages, part.topics);
  drawProgress(pages, part.progress);
};

const drawQuestions = (pages: ReportPages, { questions }: StudentPart): void => {
  pages.topic('Question by question');
  const [bar, mark, klass] = [pages.width - 86, pages.width - 32, pages.width];
  heads(pages, [
    { text: 'Question', x: 0 },
    { text: 'Mark', x: mark, right: true },
    { text: 'Class', x: klass, right: true },
  ]);
  for (const { number, topic, mark: own, max, band, ofClass } of questions) {
    const lines = pages.linesOf(topic, { width: bar - 16 });
    row(pages, lines.length, (y) => {
      pages.write(`Q${number}`, pages.left, y, { colour: MUTED });
      for (const [index, line] of lines.entries()) pages.write(line, pages.left + 12, y + index * heightOf(SIZE.body));
      drawBar(pages, band, (own ?? 0) / max, { x: pages.left + bar, y: y - 3.2, width: 36, height: 4 });
      pages.write(`${own ?? '–'} / ${max}`, pages.left + mark, y, {}, 'right');
      pages.write(ofClass === null ? '–' : `${ofClass.toFixed(0)} %`, pages.left + klass, y, { colour: MUTED }, 'right');
    });
  }
  pages.text(`${BANDS_EXPLAINED} A question that was left out counts 0.`, { size: SIZE.foot, colour: MUTED });
};

const drawClaims = (pages: ReportPages, heading: string, claims: readonly Claim[], none: string): void => {
  pages.topic(heading);
  if (claims.length === 0) pages.text(none, { colour: MUTED });
  for (const { number, topic, difference, weak } of claims) {
    const points = `${difference < 0 ? '-' : '+'}${Math.abs(100 * difference).toFixed(0)} points`;
    const lines = pages.linesOf(topic, { width: pages.width - 66 });
    row(pages, lines.length, (y) => {
      pages.write(`Q${number}`, pages.left, y, { colour: MUTED });
      for (const [index, line] of lines.entries()) pages.write(line, pages.left + 12, y + index * heightOf(SIZE.body));
      pages.write(weak ? `${points} (weak evidence)` : points, pages.left + pages.width, y, {}, 'right');
    });
  }
  if (claims.length > 0) {
    pages.text('Against the mean of all students, in points of 100. Weak evidence: one question of this test says little.', {
      size: SIZE.foot,
      colour: MUTED,
    });
  }
};

const drawTopics = (pages: ReportPages, topics: StudentPart['topics']): void => {
  if (topics.length === 0) return;
  pages.topic('Topics of the scheme of work');
  for (const { name, value, band, predicted } of topics) {
    const lines = pages.linesOf(predicted ? `${name} (from its pre-requisites)` : name, { width: pages.width - 90 });
    row(pages, lines.length, (y) => {
      for (const [index, line] of lines.entries()) pages.write(line, pages.left, y + index * heightOf(SIZE.body));
      drawBar(pages, band, value / 100, { x: pages.left + pages.width - 86, y: y - 3.2, width: 66, height: 4 });
      pages.write(`${value} %`, pages.left + pages.width, y, {}, 'right');
    });
  }
};

const drawProgress = (pages: ReportPages, progress: StudentPart['progress']): void => {
  if (progress.length === 0) return;
  pages.topic('Progress over the year');
  const [own, klass] = [pages.width - 28, pages.width];
  heads(pages, [
    { text: 'Assessment', x: 0 },
    { text: 'Total', x: own, right: true },
    { text: 'Class', x: klass, right: true },
  ]);
  for (const { test, own: mine, ofClass } of progress) {
    const lines = pages.linesOf(test, { width: own - 24 });
    row(pages, lines.length, (y) => {
      for (const [index, line] of lines.entries()) pages.write(line, pages.left, y + index * heightOf(SIZE.body));
      pages.write(`${mine.toFixed(1)} %`, pages.left + own, y, {}, 'right');
      pages.write(ofClass === null ? '–' : `${ofClass.toFixed(1)} %`, pages.left + klass, y, { colour: MUTED }, 'right');
    });
  }
};

type Head = { readonly text: string; readonly x: number; readonly right?: boolean };

const heads = (pages: ReportPages, columns: readonly Head[]): void =>
  row(pages, 1, (y) => {
    for (const { text, x, right = false } of columns) {
      pages.write(text, pages.left + x, y, { size: 9, colour: MUTED }, right ? 'right' : 'left');
    }
  });

/** A row of so many lines, ruled below; `draw` is given the baseline of the first. */
const row = (pages: ReportPages, lines: number, draw: (baseline: number) => void): void => {
  const height = lines * heightOf(SIZE.body) + 1.6;
  pages.room(height);
  draw(pages.y + 0.8 + baselineOf(SIZE.body));
  pages.y += height;
  pages.rule();
};
