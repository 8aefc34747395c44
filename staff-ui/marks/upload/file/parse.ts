import type { ChosenFile, CsvRefusal } from '#api/contract/csv/file';
import type { ParsedPrior } from '#api/prior/prior-file.contract';
import { parsePrior } from '#api/prior/prior-file.contract';
import type { ParsedResults } from '#api/marks/upload/results-file.contract';
import { parseResults } from '#api/marks/upload/results-file.contract';
import type { ParsedTotals } from '#api/marks/upload/totals-file.contract';
import { parseTotals } from '#api/marks/upload/totals-file.contract';

export type Parsed = { readonly totals: ParsedTotals; readonly results: ParsedResults; readonly prior: ParsedPrior };

/** The parser for each kind of file. Separate from `read-file`, so that page and worker load the CSV reader only once a file is chosen. */
export const parsers: { readonly [Kind in keyof Parsed]: (file: ChosenFile) => Parsed[Kind] | CsvRefusal } = {
  totals: parseTotals,
  results: parseResults,
  prior: parsePrior,
};
