import { z } from 'zod';
import { maySeeClass } from '../../actor.ts';
import { invalidInput, notYourSet, ProblemError } from '../../common/problems.ts';
import type { Caller } from '../caller.ts';
import { feedbackMapId } from '../ids.ts';
import { classesOf, tasksSeen } from '../ranking-rows.ts';
import { rankingColumns, rankingDiffers, recording } from '../ranking-writes.ts';
import { belowTwo, checking } from '../status.ts';
import { nothingToDo } from '../step.ts';
import type { Tables } from '../tables.ts';
import { table } from '../tables.ts';

type Map = { readonly taskId: string; readonly setId: string; readonly status: number };

/** What a class sits for a task, by its id. @throws ProblemError `not-found` */
const mapNamed = (caller: Caller, named: string): Promise<Map> =>
  caller.sql(async (query) => {
    const tasks = await tasksSeen(query, caller.actor);
    const sets = await classesOf(
      query,
      tasks.map(({ taskId }) => taskId),
    );
    const found = sets.find(({ taskId, setId, testIds }) => testIds.some((testId) => feedbackMapId(taskId, setId, testId) === named));
    if (!found) throw new ProblemError('not-found', 'There is no such assessment of a class in a feedback task.');
    return { taskId: found.taskId, setId: found.setId, status: found.status ?? 0 };
  });

/** What teachers write of feedback tasks. */
export const taskTables: Tables = {
  ranking: table({
    behind: ['RecordRanking'],
    models: ['tasks'],
    key: 'RankID',
    columns: rankingColumns,
    unique: ['UniqueID', 'YearID'],
    differs: rankingDiffers,
    add: recording,
  }),

  FeedbackMaps: table({
    behind: ['CheckRanking', 'CheckGrades'],
    models: ['tasks'],
    key: 'FeedbackMapID',
    columns: z.strictObject({ Status: z.int().min(0).max(6) }),
    differs:
      'The status is kept for each class of a task: the assessments of the class go together. 3 checks the ranking of the class, 5 its grades, with the rows of the ranking that were sent. 2, 4 and 6 are of the whole task (PUT /leader/{id}). What is there already is accepted, and so are 0 and 1 below 2; what is not allowed is refused with 409 and the reason.',
    change: {
      FeedbackMapID: async (caller, rows) => {
        const [row] = rows;
        if (!row) return [];
        const { key, values } = row;
        const { Status } = values;
        if (Status === undefined) throw invalidInput('values.Status', 'Required.');
        const { taskId, setId, status } = await mapNamed(caller, key);
        if (!maySeeClass(caller.actor, setId)) throw notYourSet();
        if (Status < 2) return belowTwo([{ setId, status }], key);
        if (Status === status) return [nothingToDo([[0, key]])];
        if (Status === 3 || Status === 5) return checking(taskId, [{ setId, status }], Status, key);
        throw new ProblemError('refused', 'This status is set for the whole feedback task, by its leader.');
      },
    },
  }),
};
