import Papa from 'papaparse';

export type CsvCell = string | number | null;

/**
 * The text of a CSV file for a spreadsheet. Texts that a spreadsheet would run as a formula get an apostrophe, which our parser removes
 * again. `mark`: the byte order mark, without which Excel garbles letters outside ASCII; by default only if there are such letters.
 */
export const csvText = (
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  { mark }: { readonly mark?: boolean } = {},
): string => {
  const filled = rows.map((row) => columns.map((_, index) => row[index] ?? ''));
  const text = `${Papa.unparse([[...columns], ...filled], { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
  return (mark ?? /[^\0-\x7f]/.test(text)) ? `\ufeff${text}` : text;
};

/**
 * Excel also takes full-width and small signs for formulas, and ignores blanks and what nobody sees before them. Text with an apostrophe
 * gets another one, because reading removes one; so does a number with an apostrophe.
 */
export const FORMULA =
  /^(?:[\s'\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\u207a\u207b\u207c\u208a\u208b\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]|['’]+\d)/u;
