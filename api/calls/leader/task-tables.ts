import { z } from 'zod';
import { isoDate, id } from '../../contract/fields.ts';
import { oneLine } from '../../contract/rules.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { gradeProfiles } from '../admin/look-up.ts';
import type { Caller } from '../caller.ts';
import { feedbackMapId } from '../ids.ts';
import { taskRead, tasksOfYear } from '../ranking-rows.ts';
import { rankingColumns, rankingDiffers, recording } from '../ranking-writes.ts';
import { movingTask } from '../status.ts';
import { nothingToDo, step, stepOfRows } from '../step.ts';
import type { Added, Tables } from '../tables.ts';
import { table } from '../tables.ts';
import { gradesAfter, keyOf, keysAfter } from '../../tasks/grades/grade-keys.rules.ts';
import { gradeId } from './task-reads.ts';

const text = z.string();

/** @throws ProblemError `not-found` */
const profileOf = async (caller: Caller, gradeProfileId: string) => {
  const profile = (await gradeProfiles(caller)).find((one) => one.gradeProfileId === gradeProfileId);
  if (!profile) throw new ProblemError('not-found', 'There is no such grade profile.');
  return profile;
};

const gradeColumns = z.strictObject({ GPID: id, Label: text, Perc: z.number() });
type Grade = Omit<Added<unknown>, 'values'> & { readonly values: Partial<z.output<typeof gradeColumns>> };

/** The profiles, by GID, of grades that the caller may see. */
const profilesOfGrades = async (
  caller: Caller,
): Promise<ReadonlyMap<string, { readonly gradeProfileId: string; readonly label: string }>> => {
  const profiles = await gradeProfiles(caller);
  return new Map(
    profiles.flatMap(({ gradeProfileId, grades, keys }) =>
      grades.map(({ label }) => [gradeId(gradeProfileId, keyOf({ keys }, label)), { gradeProfileId, label }] as const),
    ),
  );
};

export const taskTables: Tables = {
  FeedbackTasks: table({
    behind: ['OpenFeedbackTask', 'EditFeedbackTask', 'DeleteFeedbackTask'],
    models: ['tasks'],
    key: 'TaskID',
    columns: z.strictObject({ TaskName: text, Expiry: isoDate, TeacherInput: z.literal([0, 1]), YeargroupID: id }),
    differs:
      'A task begins without assessments, and tells nobody: see POST /feedback. DELETE takes it away in any state, with its ranking.',
    add: async (caller, rows) => {
      const steps = [];
      for (const { place, key: taskId, values } of rows) {
        const { TaskName: name, Expiry: expiry, TeacherInput, YeargroupID: yearGroupId } = values as Partial<typeof values>;
        const teacherInput = TeacherInput === undefined ? undefined : TeacherInput === 1;
        if (taskId === null) {
          const { subjectId } = await caller.sees('yearGroup', values.YeargroupID);
          const input = { subjectId, yearGroupId: values.YeargroupID, name: values.TaskName, expiry: values.Expiry };
          steps.push(step(place, 'OpenFeedbackTask', { ...input, teacherInput: values.TeacherInput === 1 }, (result) => result.taskId));
        } else {
          const task = await caller.query('task', { taskId });
          if (yearGroupId !== undefined && yearGroupId !== task.yearGroupId)
            throw invalidInput(`data.${place}.values.YeargroupID`, 'It cannot move to another year group.');
          const edit = {
            ...(name === undefined ? {} : { name }),
            ...(expiry === undefined ? {} : { expiry }),
            ...(teacherInput === undefined ? {} : { teacherInput }),
          };
          steps.push(step(place, 'EditFeedbackTask', { taskId, ...edit }, taskId));
        }
      }
      return steps;
    },
    remove: {
      TaskID: async (_caller, rows) => rows.map(({ place, key: taskId }) => step(place, 'DeleteFeedbackTask', { taskId }, taskId)),
    },
  }),

  FeedbackMaps: table({
    behind: ['AddTaskMap', 'AdoptRanking', 'CheckRanking', 'AssignRecordedGrades', 'ReopenGrades', 'CheckGrades', 'CompleteTask'],
    models: ['tasks'],
    key: 'FeedbackMapID',
    columns: z.strictObject({
      TaskID: id,
      SetID: id,
      TestID: id,
      Status: z.int().min(0).max(6).optional(),
      TeacherID: id.nullable().optional(),
    }),
    differs:
      'FeedbackMapID is the id of its task, class and assessment. A new one begins at 0, or at 1 if there are totals, whatever its Status; the teachers of a class are those of its own, whatever its TeacherID. A PUT sets the status of all classes of the task, as the steps of a task allow it: 2 ranks by the rows that were sent, 3 checks the ranking in place of the teachers (from 4 and 5 it takes the grades back), 4 allocates the grades that were sent, 5 checks these, 6 ends the task. A step that is not allowed is refused with 409 and the reason. The status that is there already is accepted, and so are 0 and 1 while nothing is ranked: they follow from the totals. Status is kept for each class of a task: two assessments that a class sits for it go together.',
    add: async (_caller, rows) =>
      rows.map(({ place, key, values }) => {
        const { TaskID: taskId, SetID: setId, TestID: testId } = values as Partial<typeof values>;
        if (taskId === undefined || setId === undefined || testId === undefined)
          throw invalidInput(`data.${place}.values`, 'TaskID, SetID and TestID are required.');
        const mapId = feedbackMapId(taskId, setId, testId);
        if (key !== null && key !== mapId)
          throw invalidInput(`data.${place}.keyval.FeedbackMapID`, 'This is the id of what another class sits, or for another task.');
        if ((values.Status ?? 0) > 1) throw new ProblemError('refused', 'A class begins at 0. Set the status by a PUT.');
        return step(place, 'AddTaskMap', { taskId, setId, testId }, mapId);
      }),
    change: {
      TaskID: async (caller, rows) => {
        const [row] = rows;
        if (!row) return [];
        const { Status, ...others } = row.values;
        const [other] = Object.keys(others);
        if (other !== undefined) throw invalidInput(`values.${other}`, 'Of all classes of a task only the Status changes.');
        if (Status === undefined) throw invalidInput('values.Status', 'Required.');
        return movingTask(caller, row.key, Status);
      },
    },
  }),

  ranking: table({
    behind: ['RecordRanking', 'RemoveRanking'],
    models: ['tasks'],
    key: 'RankID',
    columns: rankingColumns,
    unique: ['UniqueID', 'YearID'],
    differs: `${rankingDiffers} DELETE by YearID removes the ranking of the year group's newest open task; once grades are allocated it is refused.`,
    add: recording,
    remove: {
      YearID: async (caller, rows) => {
        const steps = [];
        for (const { place, key: yearGroupId } of rows) {
          await caller.sees('yearGroup', yearGroupId);
          const tasks = await caller.sql((query) => tasksOfYear(query, yearGroupId));
          const open = tasks.find(({ complete }) => !complete);
          // Once a new task is begun, the rankings of others stay with them.
          const removed = open ? (open.hasRanking ? open : undefined) : taskRead(tasks);
          steps.push(removed ? step(place, 'RemoveRanking', { taskId: removed.taskId }, yearGroupId) : nothingToDo([[place, yearGroupId]]));
        }
        return steps;
      },
    },
  }),

  GradeProfileName: table({
    behind: ['OpenGradeProfile', 'EditGradeProfile'],
    models: ['grade_profiles'],
    key: 'GPID',
    columns: z.strictObject({ Name: text, YearID: id }),
    differs: 'A profile begins without grades.',
    add: async (caller, rows) => {
      const steps = [];
      for (const { place, key: gradeProfileId, values } of rows) {
        const { Name: name } = values;
        if (gradeProfileId === null) {
          const { subjectId } = await caller.sees('yearGroup', values.YearID);
          const input = { subjectId, yearGroupId: values.YearID, name };
          steps.push(step(place, 'OpenGradeProfile', input, (result) => result.gradeProfileId));
        } else {
          const stands = await profileOf(caller, gradeProfileId);
          steps.push(
            name === undefined || name === stands.name
              ? nothingToDo([[place, gradeProfileId]])
              : step(place, 'EditGradeProfile', { gradeProfileId, name, grades: [...stands.grades] }, gradeProfileId),
          );
        }
      }
      return steps;
    },
  }),

  GradeProfileScores: table({
    behind: ['SaveGrades'],
    models: ['grade_profiles'],
    key: 'GID',
    columns: gradeColumns,
    differs:
      'GID stays the same when the label changes. A profile whose percentages do not add up to 100 is kept, and cannot be allocated. All grades of one profile are stored, or none; new ones come last.',
    add: async (caller, all) => {
      const rows: readonly Grade[] = all;
      const profiles = rows.some(({ key }) => key !== null) ? await profilesOfGrades(caller) : new Map<string, never>();
      const meant = rows.map(({ place, key, values: { GPID, Label, Perc } }) => {
        const was = key === null ? undefined : profiles.get(key);
        if (key !== null && !was) throw new ProblemError('not-found', 'There is no such grade in this profile.');
        const gradeProfileId = was?.gradeProfileId ?? GPID ?? '';
        if (GPID !== undefined && GPID !== gradeProfileId) throw invalidInput(`data.${place}.values.GPID`, 'It is of another profile.');
        return { place, gradeProfileId, was: was?.label ?? null, Label, Perc };
      });
      const steps = [];
      for (const [gradeProfileId, of] of Map.groupBy(meant, (row) => row.gradeProfileId)) {
        const profile = await profileOf(caller, gradeProfileId);
        const sent = of.map(({ was, Label, Perc }) => ({
          was,
          label: oneLine(Label ?? was ?? ''),
          percent: Perc ?? profile.grades.find(({ label }) => label === was)?.percent ?? 0,
        }));
        const keys = keysAfter(profile, gradesAfter(profile, sent));
        steps.push(
          stepOfRows(
            of.map(({ place }, index) => [place, gradeId(gradeProfileId, keys.get(sent[index]?.label ?? '') ?? '')] as const),
            'SaveGrades',
            { gradeProfileId, rows: sent },
          ),
        );
      }
      return steps;
    },
  }),
};
