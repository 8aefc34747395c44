import type { ChosenFile, Refused } from '#contract/csv/file';
import type { ParsedResults } from '#contract/csv/results';
import { parseResults } from '#contract/csv/results';
import type { ParsedTotals } from '#contract/csv/totals';
import { parseTotals } from '#contract/csv/totals';

export type Parsed = { readonly totals: ParsedTotals; readonly results: ParsedResults };

/** What reads each kind of file. Apart from `read-file`, so that the page and its worker fetch the CSV reader only when a file was chosen. */
export const parsers: { readonly [Kind in keyof Parsed]: (file: ChosenFile) => Parsed[Kind] | Refused } = {
  totals: parseTotals,
  results: parseResults,
};
