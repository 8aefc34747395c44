import type { MadeReport, ReportOptions, ReportPages } from './pages.ts';
import { makeReport, MUTED, stoodOn } from './pages.ts';

export const MY_DATA_FILE = 'my-data.pdf';
/** `lines` in pairs: what, and when or where. */
export type DataPart = { readonly title: string; readonly lines: readonly (readonly [what: string, more: string])[] };

/** `moment`: of the log, as of which it is. */
type MyData = { readonly name: string; readonly parts: readonly DataPart[]; readonly moment: Date };

/** What is stored about somebody, part by part. */
export const myDataFile = ({ name, parts, moment, ...options }: ReportOptions & MyData): Promise<MadeReport> =>
  makeReport({ ...options, title: `My data: ${name}` }, [{ name, parts }], (pages) => {
    pages.begin('My data', [name, stoodOn(moment)]);
    for (const part of parts) drawPart(pages, part);
  });

const drawPart = (pages: ReportPages, { title, lines }: DataPart): void => {
  pages.topic(title);
  if (lines.length === 0) pages.text('Nothing.', { colour: MUTED });
  for (const [what, more] of lines) pages.text(more === '' ? what : `${what} (${more})`);
};
