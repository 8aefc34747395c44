/** A file chosen in a browser or given to a command, and the answer if it cannot be used. */
export type ChosenFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

export type CsvRefusal = {
  readonly ok: false;
  /** What went wrong, in the sentence that pages show. */
  readonly message: string;
  /** What exactly, and what to do. Shown after the message. */
  readonly detail?: string;
  /** Every wrong cell, in the file's order. */
  readonly problems: readonly FileProblem[];
};
/** `line`: counted from 1, as in an editor. `column`: its heading. */
export type FileProblem = { readonly line: number; readonly column: string; readonly value: string };

export const MAX_FILE_BYTES = 5 * 1024 * 1024;

export const fileMessages = {
  wrongTemplate: 'The upload file is invalid. Please check you have uploaded using the correct template.',
  wrongFormat: 'The upload file does not meet the required format.',
  duplicateIds: 'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.',
  blanks: (columns: readonly string[]) => `Blank rows were found in the following columns: ${columns.join(', ')}`,
  notCsv: 'Please choose a CSV file. In a spreadsheet, save the sheet as "CSV UTF-8".',
  noTable: 'Please choose a CSV file or an Excel workbook (.xlsx).',
  nul: (line: number) => `Line ${line} holds a NUL byte, which no text has. Save the file again as "CSV UTF-8".`,
  tooLarge: 'The file is larger than 5 MB.',
  empty: 'The file is empty.',
  noRows: 'The upload file has a header line, but no rows beneath it.',
  tooManyRows: (most: number) => `The upload file has more than ${most.toLocaleString('en-GB')} rows. Please split it into smaller files.`,
} as const;

export const refused = (message: string, detail?: string, problems: readonly FileProblem[] = []): CsvRefusal =>
  detail === undefined ? { ok: false, message, problems } : { ok: false, message, detail, problems };

/** Refuses a file without reading it: not a CSV, or too large. Undefined: no reason to refuse. */
export const refusedUnread = (
  file: { readonly name: string; readonly type: string; readonly size: number },
  message: string = fileMessages.wrongTemplate,
): CsvRefusal | undefined => {
  if (!isCsv(file)) return refused(message, fileMessages.notCsv);
  if (file.size > MAX_FILE_BYTES) return refused(message, fileMessages.tooLarge);
  return undefined;
};

/** An Excel file, of today's format or another, by its name or type. */
export const isWorkbook = ({ name, type }: { readonly name: string; readonly type: string }): boolean =>
  /\.(?:xlsx|xlsm|xls|xlsb)$/i.test(name) || /spreadsheetml|ms-excel\.sheet/i.test(type);

/** text/csv under any name, or `.csv` with one of the types that browsers give it, most often Excel's. */
const isCsv = ({ name, type }: { readonly name: string; readonly type: string }): boolean => {
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return mediaType === 'text/csv' || (/\.csv$/i.test(name) && typesOfCsv.includes(mediaType));
};

const typesOfCsv = [
  '',
  'application/vnd.ms-excel',
  'text/plain',
  'application/csv',
  'text/x-csv',
  'text/comma-separated-values',
  'application/octet-stream',
];
