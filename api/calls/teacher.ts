import { writesOf } from './tables.ts';
import { figureReads } from './teacher/figure-reads.ts';
import { markReads } from './teacher/mark-reads.ts';
import { markTables } from './teacher/mark-tables.ts';
import { structureReads } from './teacher/structure-reads.ts';
import { taskReads } from './teacher/task-reads.ts';
import { taskTables } from './teacher/task-tables.ts';

const { post, put } = writesOf({ ...markTables, ...taskTables });

/** What teachers ask and write: reads by number, the writes of marks, rankings and prior scores, and how far a class is in a feedback task. */
export const teacherCalls = {
  ...structureReads,
  ...markReads,
  ...figureReads,
  ...taskReads,
  'POST /teacher': post,
  'PUT /teacher/{id}': put,
};
