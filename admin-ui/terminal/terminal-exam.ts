import type { RaRecord } from 'react-admin';

/** A record of /api/rest/terminalExams. */
export type TerminalExam = RaRecord<string> & {
  readonly subjectId: string;
  readonly name: string;
  /** the school year in which students take it, such as 11 */
  readonly yearSat: number;
};
