import { randomUUID } from 'node:crypto';
import type { RankedStudent, RankedTest } from '../../api/tasks/ranking/ranking.formula.ts';
import { rank } from '../../api/tasks/ranking/ranking.formula.ts';
import { streamOf } from '../../events/aggregate.ts';
import type { Role } from '../../events/codec/event.ts';
import type { FeedbackTaskEvent } from '../../events/tasks/feedback-task.ts';
import type { Ranking } from '../../events/tasks/ranking.ts';
import { openCodec } from './log.ts';
import type { RoleName, School } from './school.ts';

/** What somebody did to a task, written to the log without the command. */
export type Written = { readonly by?: RoleName; readonly at?: string; readonly event: FeedbackTaskEvent };

/** Appends to a task's stream; the read model shows it when this returns. @returns the id of each event's command */
export const writeTask = async (school: School, taskId: string, written: readonly Written[]): Promise<readonly string[]> => {
  const { store, progress } = school.backend;
  const { codec, close } = openCodec(school.databaseUrl);
  const commandIds: string[] = [];
  try {
    for (const { by = 'leader', at = new Date().toISOString(), event } of written) {
      const commandId = randomUUID();
      const events = await codec.encode(school.schoolId, [event], [randomUUID()], {
        commandId,
        correlationId: commandId,
        causationId: commandId,
        actor: { accountId: school.accounts[by], role: roleOf(by), right: { by: 'role' } },
        at,
        bodyTag: 'test',
      });
      await store.append(streamOf('task', school.schoolId, taskId), events, 'any');
      commandIds.push(commandId);
    }
  } finally {
    await close();
  }
  await progress.waitFor(['tasks'], await store.head(), 8_000);
  return commandIds;
};

const roleOf = (name: RoleName): Role =>
  name === 'teacherA' || name === 'teacherB' ? 'teacher' : name === 'scienceLeader' ? 'leader' : name;

/** The data of TaskRanked for these students, by the formula. */
export const rankingOf = (
  terminalExamId: string,
  students: readonly (RankedStudent & { readonly setId: string; readonly priorScore?: string })[],
  tests: readonly RankedTest[],
): Ranking => {
  const { norms, rows } = rank(students, tests);
  const by = new Map(students.map((student) => [student.studentId, student]));
  const totals = new Map(tests.map((test) => [test.testId, test.totals]));
  return {
    formula: 'R3',
    terminalExamId,
    norms: { prior: norms.prior, tests: norms.tests.map((test) => ({ ...test, counted: { events: 1, last: null } })) },
    rows: rows.map(({ studentId, prior, score, ranking, residual }) => ({
      studentId,
      setId: by.get(studentId)?.setId ?? '',
      priorScore: prior === null ? null : (by.get(studentId)?.priorScore ?? String(prior)),
      prior,
      totals: norms.tests.map(({ testId }) => totals.get(testId)?.get(studentId) ?? null),
      score,
      ranking,
      residual,
    })),
  };
};

/** A feedback task of 11A, in which A1 is ranked. */
export const writeRankedTask = async (school: School, taskId: string, year: number): Promise<void> => {
  const { ids } = school;
  await writeTask(school, taskId, [
    {
      event: {
        type: 'FeedbackTaskCreated',
        data: {
          subjectId: ids.maths,
          yearGroupId: ids.year,
          about: { name: 'Spare' },
          expiry: `${year}-12-31`,
          teacherInput: true,
          maps: [{ setId: ids.setA, testId: ids.mock }],
        },
      },
    },
    {
      event: {
        type: 'TaskRanked',
        data: rankingOf(
          ids.terminalExam,
          [{ studentId: ids.students['A1'] ?? '', setId: ids.setA, prior: 40 }],
          [{ testId: ids.mock, max: 20, totals: new Map([[ids.students['A1'] ?? '', 12]]) }],
        ),
      },
    },
  ]);
};
