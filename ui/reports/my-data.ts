import type { ReportOptions, ReportPages } from './pages.ts';
import { MUTED, openReport, stoodOn } from './pages.ts';
import type { MadeReport } from './revision-list.ts';

export const MY_DATA_FILE = 'my-data.pdf';
/** `lines` in pairs: what, and when or where. */
export type DataPart = { readonly title: string; readonly lines: readonly (readonly [what: string, more: string])[] };

/** What is stored about somebody, part by part. */
export const myDataFile = async ({
  name,
  parts,
  moment,
  ...options
}: Omit<ReportOptions, 'texts'> & {
  readonly name: string;
  readonly parts: readonly DataPart[];
  /** Of the log, as of which it is. */
  readonly moment: Date;
}): Promise<MadeReport> => {
  const pages = await openReport({ ...options, texts: JSON.stringify([name, parts]) });
  pages.begin('My data', [name, stoodOn(moment)]);
  for (const part of parts) drawPart(pages, part);
  return { file: pages.finish(), unprintable: pages.unprintable };
};

const drawPart = (pages: ReportPages, { title, lines }: DataPart): void => {
  pages.topic(title);
  if (lines.length === 0) pages.text('Nothing.', { colour: MUTED });
  for (const [what, more] of lines) pages.text(more === '' ? what : `${what} (${more})`);
};
