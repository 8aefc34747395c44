import { paperReads } from './leader/paper-reads.ts';
import { revisionTables } from './leader/revision-tables.ts';
import { structureReads } from './leader/structure-reads.ts';
import { taskReads } from './leader/task-reads.ts';
import { taskTables } from './leader/task-tables.ts';
import { writesOf } from './tables.ts';

const { post, put, delete: remove } = writesOf({ ...revisionTables, ...taskTables });

/** What leaders ask and write: averages, prior data, feedback tasks with their rankings and grades, and revision lists. */
export const leaderCalls = {
  ...paperReads,
  ...structureReads,
  ...taskReads,
  'POST /leader': post,
  'PUT /leader/{id}': put,
  'DELETE /leader/{id}': remove,
};
