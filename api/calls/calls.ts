import type { CallName } from '../access.ts';
import { accountsCalls } from './accounts.ts';
import { adminCalls } from './admin.ts';
import type { Call } from './call.ts';
import { leaderCalls } from './leader.ts';
import { studentCalls } from './student.ts';
import { teacherCalls } from './teacher.ts';
import { topicsCalls } from './topics.ts';

/** The documented calls by area, in the order of docs/calls.md: method, and path below /api. */
export const areas = {
  accounts: accountsCalls,
  admin: adminCalls,
  topics: topicsCalls,
  leader: leaderCalls,
  teacher: teacherCalls,
  student: studentCalls,
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
