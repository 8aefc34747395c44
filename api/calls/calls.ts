import type { CallName } from '../access.ts';
import { accountsCalls } from './accounts.ts';
import { linkTables } from './admin/link-tables.ts';
import { paperReads as adminPapers } from './admin/paper-reads.ts';
import { paperTables } from './admin/paper-tables.ts';
import { revisionTables } from './admin/revision-tables.ts';
import { structureReads as adminStructure } from './admin/structure-reads.ts';
import { structureTables } from './admin/structure-tables.ts';
import { studentReads } from './admin/student-reads.ts';
import { studentTables } from './admin/student-tables.ts';
import type { Call } from './call.ts';
import { paperReads as leaderPapers } from './leader/paper-reads.ts';
import { revisionTables as leaderRevision } from './leader/revision-tables.ts';
import { structureReads as leaderStructure } from './leader/structure-reads.ts';
import { taskReads as leaderTasks } from './leader/task-reads.ts';
import { taskTables as leaderTaskTables } from './leader/task-tables.ts';
import { cardReads } from './student/card-reads.ts';
import { submitting } from './student/submitting.ts';
import { topicReads } from './student/topic-reads.ts';
import { writesOf } from './tables.ts';
import { figureReads } from './teacher/figure-reads.ts';
import { markReads } from './teacher/mark-reads.ts';
import { markTables } from './teacher/mark-tables.ts';
import { structureReads as teacherStructure } from './teacher/structure-reads.ts';
import { taskReads as teacherTasks } from './teacher/task-reads.ts';
import { taskTables as teacherTaskTables } from './teacher/task-tables.ts';
import { topicsCalls } from './topics.ts';

const admin = writesOf({ ...structureTables, ...paperTables, ...studentTables, ...linkTables, ...revisionTables });
const leader = writesOf({ ...leaderRevision, ...leaderTaskTables });
const teacher = writesOf({ ...markTables, ...teacherTaskTables });

/** The documented calls by area, in the order of docs/calls.md: method, and path below /api. */
export const areas = {
  accounts: accountsCalls,
  /** The administration. */
  admin: {
    ...adminStructure,
    ...adminPapers,
    ...studentReads,
    'POST /admin': admin.post,
    'PUT /admin/{id}': admin.put,
    'DELETE /admin/{id}': admin.delete,
  },
  topics: topicsCalls,
  /** Averages, prior data, feedback tasks with their rankings and grades, and revision lists. */
  leader: {
    ...leaderPapers,
    ...leaderStructure,
    ...leaderTasks,
    'POST /leader': leader.post,
    'PUT /leader/{id}': leader.put,
    'DELETE /leader/{id}': leader.delete,
  },
  /** Marks, rankings and prior scores, and how far a class is in a feedback task. */
  teacher: {
    ...teacherStructure,
    ...markReads,
    ...figureReads,
    ...teacherTasks,
    'POST /teacher': teacher.post,
    'PUT /teacher/{id}': teacher.put,
  },
  /** What students ask about themselves, and staff who view as one of them, which is recorded; and the marks that students confirm. */
  student: { ...topicReads, ...cardReads, ...submitting },
} satisfies Record<string, Readonly<Record<string, Call>>>;

/** Every documented call. One without a line in api/access.ts does not compile, and neither does a line without a call. */
export const calls: Readonly<Record<CallName, Call>> = {
  ...areas.accounts,
  ...areas.admin,
  ...areas.topics,
  ...areas.leader,
  ...areas.teacher,
  ...areas.student,
} satisfies Record<CallName, Call>;
