import { MAX_LABEL, MAX_SCHEME_TOPICS } from '../contract/limits.ts';
import { blame, tooLong } from '../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal } from '../contract/csv/file.ts';
import { fileMessages, refused } from '../contract/csv/file.ts';
import { among, readTable } from '../contract/csv/table.ts';

export const schemeColumns = ['SoW_Topic'];

export type TopicRow = { readonly line: number; readonly topic: string };

/** The topics of a scheme of work: the column SoW_Topic, in the file's order. */
export const parseScheme = (file: ChosenFile): { readonly ok: true; readonly rows: readonly TopicRow[] } | CsvRefusal => {
  const table = readTable(file, among(schemeColumns), fileMessages.wrongFormat);
  if (!table.ok) return table;
  const wrong =
    blame(fileMessages.wrongFormat, table.lines, schemeColumns, (text) => text === '') ??
    tooLong(table.lines, schemeColumns, { SoW_Topic: MAX_LABEL }, fileMessages.wrongFormat) ??
    (table.lines.length > MAX_SCHEME_TOPICS
      ? refused(`A scheme of work has ${MAX_SCHEME_TOPICS} topics at most.`, `The file has ${table.lines.length}.`)
      : undefined);
  return wrong ?? { ok: true, rows: table.lines.map(({ line, cells: [topic = ''] }) => ({ line, topic })) };
};
