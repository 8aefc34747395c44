import { writesOf } from './tables.ts';
import { figureReads } from './teacher/figure-reads.ts';
import { markReads } from './teacher/mark-reads.ts';
import { structureReads } from './teacher/structure-reads.ts';
import { markTables } from './teacher/tables.ts';
import { taskReads } from './teacher/task-reads.ts';

const { post } = writesOf(markTables);

/** What teachers ask and write: reads by number, and the writes of marks. */
export const teacherCalls = {
  ...structureReads,
  ...markReads,
  ...figureReads,
  ...taskReads,
  'POST /teacher': post,
};
