import type { ReportPages } from './pages.ts';
import { baselineOf, heightOf, MUTED, SIZE } from './pages.ts';
import type { Tag } from './tags.ts';

export type Head = { readonly text: string; readonly x: number; readonly right?: boolean };
type Row = { readonly text: string; readonly number?: number; readonly draw: (baseline: number) => void };
type Table = {
  readonly heading: string;
  /** None: a list. */
  readonly columns?: readonly Head[];
  /** mm of the texts, which are wrapped to it */
  readonly width: number;
  readonly rows: readonly Row[];
};

/** Ruled rows under a heading; `draw` is given the baseline of their first line, and what it writes is cells right of the text. */
export const table = (pages: ReportPages, { heading, columns = [], width, rows }: Table): void => {
  const lines = rows.map(({ text }) => pages.linesOf(text, { width }));
  const heights = lines.map(({ length }) => rowHeight(length));
  const head = (): void => {
    if (columns.length > 0) drawHeads(pages, columns);
  };
  const isList = columns.length === 0;
  pages.topic(heading, togetherFrom(0, heights) + (isList ? 0 : rowHeight(1)));
  pages.within(isList ? 'L' : 'Table', () => {
    head();
    flow(pages, heights, head, (index) => {
      const { number, draw } = rows[index] ?? NO_ROW;
      row(pages, isList ? 'LI' : 'TR', heights[index] ?? 0, (y) => {
        const cells = (): void => {
          pages.within(isList ? 'Span' : 'TD', () => {
            if (number !== undefined) pages.write(`Q${number}`, pages.left, y, { colour: MUTED });
            const left = pages.left + (number === undefined ? 0 : 12);
            for (const [at, line] of (lines[index] ?? []).entries()) pages.write(line, left, y + at * heightOf(SIZE.body));
          });
          draw(y);
        };
        if (isList) pages.within('LBody', cells);
        else cells();
      });
    });
  });
};

const NO_ROW: Row = { text: '', draw: () => undefined };

const drawHeads = (pages: ReportPages, columns: readonly Head[]): void =>
  row(pages, 'TR', rowHeight(1), (y) => {
    for (const { text, x, right = false } of columns) {
      pages.within('TH', () => pages.write(text, pages.left + x, y, { size: 9, colour: MUTED }, right ? 'right' : 'left'));
    }
  });

const rowHeight = (lines: number): number => lines * heightOf(SIZE.body) + 1.6;

/** Ruled below; `draw` is given the baseline of its first line. */
const row = (pages: ReportPages, tag: Tag, height: number, draw: (baseline: number) => void): void => {
  pages.within(tag, () => draw(pages.y + 0.8 + baselineOf(SIZE.body)));
  pages.y += height;
  pages.rule();
};

/** Fewer rows do not stand alone on a page. */
const FEWEST = 3;

/** mm of the rows that stay together with this one. */
export const togetherFrom = (index: number, heights: readonly number[]): number => {
  const isLast = index === heights.length - FEWEST || heights.length <= 2 * FEWEST;
  const end = isLast ? heights.length : index === 0 ? FEWEST : index + 1;
  return heights.slice(index, end).reduce((sum, height) => sum + height, 0);
};

/** Draws rows of these heights one below the other, and `head` again on each further page. */
export const flow = (pages: ReportPages, heights: readonly number[], head: () => void, draw: (index: number) => void): void => {
  for (const index of heights.keys()) {
    if (pages.room(togetherFrom(index, heights))) pages.silently(head);
    draw(index);
  }
};

/** '+20', '-5', '0' */
export const signed = (difference: number): string => {
  const whole = Math.round(Math.abs(difference));
  return `${whole === 0 ? '' : difference < 0 ? '-' : '+'}${whole}`;
};

/** '+53 points on 2 marks: weak evidence'; without the points: 'weak evidence', ''. */
export const claimText = ({ difference, max, weak }: Rests, withPoints: boolean): string => {
  const points = withPoints ? [`${pointsText(difference)} on ${max} ${max === 1 ? 'mark' : 'marks'}`] : [];
  return [...points, ...(weak ? ['weak evidence'] : [])].join(': ');
};

type Rests = { readonly difference: number; readonly max: number; readonly weak: boolean };

/** '+20 points', 'less than 1 point'; `difference` in points of 100. */
const pointsText = (difference: number): string => {
  const whole = Math.round(Math.abs(difference));
  if (whole === 0) return 'less than 1 point';
  return `${signed(difference)} ${whole === 1 ? 'point' : 'points'}`;
};
