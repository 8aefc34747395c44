import Papa from 'papaparse';
import { questionColumns } from './questions.ts';
import { resultsColumns } from './results.ts';
import { schemeColumns } from './schemes.ts';
import { studentColumns } from './students.ts';
import { totalsColumns } from './totals.ts';

const templates = {
  totals: { fileName: 'totals_upload.csv', columns: totalsColumns },
  results: { fileName: 'results_upload.csv', columns: resultsColumns },
  students: { fileName: 'student_upload.csv', columns: studentColumns },
  questions: { fileName: 'assessment_upload.csv', columns: questionColumns },
  scheme: { fileName: 'sow_upload.csv', columns: schemeColumns },
} as const;

export type TemplateKind = keyof typeof templates;

/** Under which name the template is offered. */
export const templateName = (kind: TemplateKind): string => templates[kind].fileName;

/**
 * The text of a template file: its header line, and rows filled in beforehand if there are any (a class list, say).
 * Texts that a spreadsheet would run as a formula get an apostrophe, which reading takes away again. With letters outside ASCII the file
 * begins with a byte order mark, without which Excel would garble them.
 */
export const template = (kind: TemplateKind, rows: readonly (readonly (string | number | null)[])[] = []): string => {
  const columns = templates[kind].columns;
  const filled = rows.map((row) => columns.map((_, index) => row[index] ?? ''));
  const text = `${Papa.unparse([[...columns], ...filled], { newline: '\r\n', escapeFormulae: true })}\r\n`;
  return /[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text;
};
