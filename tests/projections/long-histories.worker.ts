/**
 * One file of marks, its undo, and another paper, over cells that have been written so often before. Posts how many changes a cell has in the
 * end, and of how many questions a student has marks that count.
 */
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { type Cell, emptyCell, withChange } from '../../events/marks/cell.ts';
import { decodeCell, encodeCell } from '../../events/marks/cell-text.ts';
import { eventId, newId } from '../../events/codec/ids.ts';
import { memoryStore } from '../support/memory-store.ts';
import { Engine } from '../../projections/engine/engine.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import { resultsProjection } from '../../projections/marks/results.ts';
import { decode } from './marks.ts';

const { url, uploads, students, questions } = workerData as { url: string; uploads: number; students: number; questions: number };

const [schoolId, subjectId, testId, accountId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const studentIds = Array.from({ length: students }, () => randomUUID());
const questionIds = Array.from({ length: questions }, () => randomUUID());

const log = memoryStore();
const append = async (stream: string, type: string, commandId: string, data: object): Promise<bigint> => {
  const metadata = { schoolId, commandId, at: '2026-09-01T08:00:00.000Z', actor: { accountId } };
  const event = { id: eventId(commandId, 0), type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  return (await log.append(stream, [event], 'any')).position;
};

const paper = questionIds.map((questionId, at) => ({ questionId, number: at + 1, topic: '', marksAvailable: 9 }));
await append(`assessment-${schoolId}.${testId}`, 'AssessmentCreated', randomUUID(), { subjectId, name: 'Mock' });
await append(`assessment-${schoolId}.${testId}`, 'QuestionsUploaded', randomUUID(), { questions: paper });
const progress = new Progress({ databaseUrl: url });
const engine = new Engine({ databaseUrl: url, store: log, decode, projections: [resultsProjection], progress });
await engine.catchUp();
await progress.start();
engine.start();

const change = (commandId: string, is: number, was: readonly number[]) => ({
  command: commandId,
  event: eventId(commandId, 0),
  entry: newId(commandId, 'entry'),
  is,
  was,
});
let history: Cell = emptyCell;
for (let number = 0; number < uploads; number++) {
  history = withChange(history, change(randomUUID(), number % 2, number === 0 ? [] : [(number - 1) % 2]));
}
const last = (uploads - 1) % 2;
const sql = new pg.Client({ connectionString: url });
await sql.connect();
await sql.query(
  `insert into read.results_v${resultsProjection.version} (school_id, test_id, student_id, kind, item_id, mark, attendance, contested, uploaded, cell)
   select $1, $2, student, 'm', question, $3, null, false, true, $4 from unnest($5::uuid[]) student, unnest($6::uuid[]) question`,
  [schoolId, testId, last, encodeCell(history), studentIds, questionIds],
);

const commandId = randomUUID();
const entryId = newId(commandId, 'entry');
const everywhere = (value: number) => studentIds.map(() => questionIds.map(() => value));
await append(`entry-${schoolId}.${entryId}`, 'MarksUploaded', commandId, {
  subjectId,
  marks: {
    columns: questionIds.map((questionId) => ({ cell: 'mark', testId, questionId })),
    students: studentIds,
    is: everywhere(9),
    was: everywhere(last),
  },
  about: { fileName: 'marks.csv' },
});
const undone = await append(`undo-${schoolId}.${entryId}`, 'CommandUndone', randomUUID(), { entryId, commandId });
await progress.waitFor(['results'], undone, 30_000);
// Another paper counts every mark of its test anew.
const other = await append(`assessment-${schoolId}.${testId}`, 'QuestionsUploaded', randomUUID(), { questions: paper.slice(1) });
await progress.waitFor(['results'], other, 30_000);
const counted = await sql.query('select distinct marks_count from read.markbook');

const { rows } = await sql.query<{ mark: number; cell: never }>('select mark, cell from read.results order by random() limit 20');
parentPort?.postMessage({
  cells: rows.map(({ mark, cell }) => ({ mark, changes: decodeCell(cell).length })),
  onPaper: counted.rows.map((row: { marks_count: number }) => row.marks_count),
});
await engine.stop();
await progress.stop();
await sql.end();
