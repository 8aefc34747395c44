import type { RecordOf } from '../../data/record.ts';

/** A record of /api/rest/terminalExams. */
export type TerminalExam = RecordOf<'terminalExams'>;
