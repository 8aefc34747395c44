import type { Flags } from '#api/contract/flags';
import { footnotes, withSigns } from '#api/contract/flags';
import type { Band } from './bands.ts';
import { BANDS_EXPLAINED, drawBar } from './bands.ts';
import type { MadeReport, ReportOptions, ReportPages } from './pages.ts';
import { makeReport, MUTED, titleOf } from './pages.ts';
import type { Making } from './parts.ts';
import type { Head } from './rows.ts';
import { claimText, table } from './rows.ts';

/**
 * A claim about a question of `max` marks: `difference` in points of 100; `weak`: the test is too short or too uneven to say so for sure.
 */
export type Claim = {
  readonly number: number;
  readonly topic: string;
  readonly difference: number;
  readonly max: number;
  readonly weak: boolean;
};

export type StudentPart = {
  readonly student: string;
  /** '11X1 · Mathematics' */
  readonly of: string;
  readonly test: string;
  /** 'As it stood on 25/11/2026, 20:45.' */
  readonly moment: string;
  /** Sentences about the total. */
  readonly total: readonly string[];
  readonly flags?: Flags;
  /** How the total stands beside others. */
  readonly comparison?: string | undefined;
  /** Beside whom the questions are set: the class if left out, or all students. */
  readonly average?: 'all';
  /** None: no marks by question are known. */
  readonly questions: readonly {
    readonly number: number;
    readonly topic: string;
    /** null: left out, which counts 0 */
    readonly mark: number | null;
    readonly flags?: Flags;
    readonly max: number;
    readonly band: Band | null;
    /** '47 %', of those of `average`; null: unknown */
    readonly ofClass: string | null;
  }[];
  readonly strengths: readonly Claim[];
  readonly targets: readonly Claim[];
  /** `estimatedFrom`: the topics that a value comes from, if no question is of the topic itself; else ''. */
  readonly topics: readonly {
    readonly name: string;
    readonly value: number;
    readonly band: Band | null;
    readonly estimatedFrom: string;
  }[];
  /** The year's tests, the first one first: '70.0 %'. */
  readonly progress: readonly { readonly test: string; readonly total: string; readonly flags?: Flags; readonly ofClass: string | null }[];
};
export type StudentReports = ReportOptions & { readonly parts: readonly StudentPart[] };

export const STUDENT_FILE = 'StudentReport.pdf';

/** A report for each student, each from a page of its own. */
export const studentReportFile = ({ parts, ...options }: StudentReports, making?: Making): Promise<MadeReport> =>
  makeReport({ ...options, title: titleOf('Student report', parts) }, parts, drawPart, making);

const drawPart = (pages: ReportPages, part: StudentPart): void => {
  pages.begin(`Student report: ${part.student}`, [part.of, part.moment]);
  pages.topic(part.test);
  drawTotal(pages, part);
  if (part.questions.length === 0) pages.text(NO_QUESTIONS, { colour: MUTED });
  else {
    drawQuestions(pages, part);
    drawClaims(pages, 'What went well', part.strengths, 'No question was above the mean of all students.');
    drawClaims(pages, 'Work on next', part.targets, 'No question was below the mean of all students.');
  }
  drawTopics(pages, part.topics);
  drawProgress(pages, part.progress);
};

export const NO_QUESTIONS = 'No marks by question are known, so nothing can be said about single questions.';

/** The total and how it stands beside others; below, what its signs mean, and those of `more`. */
export const drawTotal = (
  pages: ReportPages,
  { total, flags, comparison }: Pick<StudentPart, 'total' | 'flags' | 'comparison'>,
  more: readonly Flagged[] = [],
): void => {
  for (const sentence of total) pages.text(withSigns(sentence, flags));
  if (comparison !== undefined && pages.comparisons) pages.text(comparison);
  noteFlags(pages, [{ flags }, ...more]);
};

type Flagged = { readonly flags?: Flags };
const noteFlags = (pages: ReportPages, figures: readonly Flagged[]): void => {
  for (const line of footnotes(figures.flatMap(({ flags }) => flags ?? []))) pages.note(line);
};

const drawQuestions = (pages: ReportPages, { questions, average }: StudentPart): void => {
  const right = pages.width - (pages.comparisons ? 32 : 0);
  const bar = right - 54;
  table(pages, {
    heading: 'Question by question',
    columns: [{ text: 'Question', x: 0 }, { text: 'Mark', x: right, right: true }, ...ofClassHead(pages, average)],
    width: bar - 16,
    rows: questions.map(({ number, topic, mark, flags, max, band, ofClass }) => ({
      text: topic,
      number,
      draw: (y) => {
        pages.within('TD', () => {
          drawBar(pages, band, (mark ?? 0) / max, { x: pages.left + bar, y: y - 3.2, width: 36, height: 4 });
          pages.write(withSigns(`${mark ?? '–'} / ${max}`, flags), pages.left + right, y, {}, 'right');
        });
        writeClass(pages, ofClass, y);
      },
    })),
  });
  pages.y += 0.8;
  const blank = questions.some(({ band }) => band === null) ? '; one without a letter has no mark of anybody in the class' : '';
  pages.note(`${BANDS_EXPLAINED} A question that was left out counts 0${blank}.`);
  noteFlags(pages, questions);
};

const drawClaims = (pages: ReportPages, heading: string, claims: readonly Claim[], none: string): void => {
  if (claims.length === 0) {
    pages.topic(heading);
    return pages.text(none, { colour: MUTED });
  }
  table(pages, {
    heading,
    width: pages.width - 66,
    rows: claims.map(({ number, topic, ...claim }) => ({
      text: topic,
      number,
      draw: (y) => pages.write(claimText(claim, pages.comparisons), pages.left + pages.width, y, {}, 'right'),
    })),
  });
  const against = pages.comparisons ? 'Against the mean of all students, in points of 100. ' : '';
  pages.y += 0.8;
  pages.note(`${against}Weak evidence: so few questions of a topic say little.`);
};

const drawTopics = (pages: ReportPages, topics: StudentPart['topics']): void => {
  if (topics.length === 0) return;
  table(pages, {
    heading: 'Topics of the scheme of work',
    columns: [
      { text: 'Topic', x: 0 },
      { text: 'Marks', x: pages.width, right: true },
    ],
    width: pages.width - 90,
    rows: topics.map(({ name, value, band, estimatedFrom }) => ({
      text: estimatedFrom === '' ? name : `${name} (estimated from ${estimatedFrom})`,
      draw: (y) =>
        pages.within('TD', () => {
          drawBar(pages, band, value / 100, { x: pages.left + pages.width - 86, y: y - 3.2, width: 66, height: 4 });
          pages.write(`${value} %`, pages.left + pages.width, y, {}, 'right');
        }),
    })),
  });
};

const drawProgress = (pages: ReportPages, progress: StudentPart['progress']): void => {
  if (progress.length === 0) return;
  const right = pages.width - (pages.comparisons ? 28 : 0);
  table(pages, {
    heading: 'Progress over the year',
    columns: [{ text: 'Assessment', x: 0 }, { text: 'Total', x: right, right: true }, ...ofClassHead(pages)],
    width: right - 24,
    rows: progress.map(({ test, total, flags, ofClass }) => ({
      text: test,
      draw: (y) => {
        pages.write(withSigns(total, flags), pages.left + right, y, {}, 'right');
        writeClass(pages, ofClass, y);
      },
    })),
  });
  noteFlags(pages, progress);
};

const ofClassHead = (pages: ReportPages, average?: 'all'): readonly Head[] =>
  pages.comparisons ? [{ text: average === 'all' ? 'All' : 'Class', x: pages.width, right: true }] : [];

const writeClass = (pages: ReportPages, ofClass: string | null, y: number): void => {
  if (pages.comparisons) pages.write(ofClass ?? '–', pages.left + pages.width, y, { colour: MUTED }, 'right');
};
