import { MAX_LEVELS, MAX_TREE_TOPICS } from '../../contract/limits.ts';
import { cellsText } from '../../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal, FileProblem } from '../../contract/csv/file.ts';
import { fileMessages, refused } from '../../contract/csv/file.ts';
import { exactly, readTable } from '../../contract/csv/table.ts';

export const topicTreeColumns = Array.from({ length: MAX_LEVELS }, (_, index) => `Level ${index + 1}`);

/** `path`: the names from the top down to the topic of this row. */
export type TopicTreeRow = { readonly line: number; readonly path: readonly string[] };

/** in characters, of one name */
const LONGEST_NAME = 200;

/**
 * A topic tree: the columns Level 1, Level 2 and Level 3, a row for each topic with the names of its ancestors. Topics in between need no
 * separate row.
 */
export const parseTopicTree = (file: ChosenFile): { readonly ok: true; readonly rows: readonly TopicTreeRow[] } | CsvRefusal => {
  const table = readTable(file, exactly(topicTreeColumns), fileMessages.wrongFormat);
  if (!table.ok) return table;
  const problems: FileProblem[] = [];
  const rows = table.lines.map(({ line, cells }) => {
    const depth = cells.findLastIndex((cell) => cell !== '') + 1;
    const path = cells.slice(0, depth);
    for (const [level, value] of path.entries()) {
      if (value === '' || value.length > LONGEST_NAME) problems.push({ line, column: topicTreeColumns[level] ?? '', value });
    }
    return { line, path };
  });
  const gaps = problems.filter(({ value }) => value === '');
  if (gaps.length > 0) return refused(fileMessages.wrongFormat, `A level is empty with another one after it. ${cellsText(gaps)}`, gaps);
  if (problems.length > 0)
    return refused(fileMessages.wrongFormat, `A name has more than 200 characters. ${cellsText(problems)}`, problems);
  const twice = repeated(rows);
  if (twice.length > 0) return refused(fileMessages.wrongFormat, `A topic is listed twice. ${cellsText(twice)}`, twice);
  if (rows.length > MAX_TREE_TOPICS) return refused(fileMessages.tooManyRows(MAX_TREE_TOPICS));
  return { ok: true, rows };
};

const repeated = (rows: readonly TopicTreeRow[]): FileProblem[] => {
  const seen = new Set<string>();
  return rows.flatMap(({ line, path }) => {
    const key = JSON.stringify(path.map((name) => name.normalize('NFC').toLowerCase()));
    const problem = seen.has(key) ? [{ line, column: topicTreeColumns[path.length - 1] ?? '', value: path.at(-1) ?? '' }] : [];
    seen.add(key);
    return problem;
  });
};
