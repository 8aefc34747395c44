import type { ReportPages } from './pages.ts';
import { baselineOf, heightOf, MUTED, SIZE } from './pages.ts';

/** Ruled rows, as tables of reports have them. */
export type Head = { readonly text: string; readonly x: number; readonly right?: boolean };

export const heads = (pages: ReportPages, columns: readonly Head[]): void =>
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

/** A row with a text that is wrapped to its width, after a number if there is one; `draw` is given the baseline of its first line. */
export const textRow = (
  pages: ReportPages,
  { text, width, number }: { readonly text: string; readonly width: number; readonly number?: number },
  draw: (baseline: number) => void,
): void => {
  const lines = pages.linesOf(text, { width });
  const left = pages.left + (number === undefined ? 0 : 12);
  row(pages, lines.length, (y) => {
    if (number !== undefined) pages.write(`Q${number}`, pages.left, y, { colour: MUTED });
    for (const [index, line] of lines.entries()) pages.write(line, left, y + index * heightOf(SIZE.body));
    draw(y);
  });
};

/** '+20', '-5', '0' */
const signed = (difference: number): string => {
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
export const pointsText = (difference: number): string => {
  const whole = Math.round(Math.abs(difference));
  if (whole === 0) return 'less than 1 point';
  return `${signed(difference)} ${whole === 1 ? 'point' : 'points'}`;
};
