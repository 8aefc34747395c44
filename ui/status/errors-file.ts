import type { LoggedError } from '#api/contract/errors';
import { saveFile } from '../file/save-file.ts';

/** Hands the errors out as a CSV file. */
export const saveErrors = async (errors: readonly LoggedError[]): Promise<void> => {
  const { csvText } = await import('#api/contract/csv/write');
  const rows = errors.map(({ id, at, name, role, message, file, line, status, statusText }) =>
    [id, at, name, role, message, file, line, status, statusText].map((cell) => cell ?? null),
  );
  saveFile(
    'errors.csv',
    csvText(['Number', 'When', 'Who', 'Role', 'What', 'File', 'Line', 'Status', 'Status text'], rows, { mark: true }),
    'text/csv',
  );
};
