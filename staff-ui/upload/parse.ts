import type { ChosenFile, Refused } from '#contract/csv/file';
import type { ParsedResults } from '#contract/csv/results';
import { parseResults } from '#contract/csv/results';
import type { ParsedTotals } from '#contract/csv/totals';
import { parseTotals } from '#contract/csv/totals';

export type Parsed = { readonly totals: ParsedTotals; readonly results: ParsedResults };

/** The parser for each kind of file. Separate from `read-file`, so that page and worker load the CSV reader only once a file is chosen. */
export const parsers: { readonly [Kind in keyof Parsed]: (file: ChosenFile) => Parsed[Kind] | Refused } = {
  totals: parseTotals,
  results: parseResults,
};
