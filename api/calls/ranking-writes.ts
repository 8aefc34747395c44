import { z } from 'zod';
import { invalidInput, ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import type { Caller } from './caller.ts';
import { rankId } from './ids.ts';
import { studentsOf, tasksOfYear, tasksSeen } from './ranking-rows.ts';
import type { Step } from './step.ts';
import { entry } from './step.ts';
import type { Added } from './tables.ts';

/** The columns of the table `ranking`, as they are written. A row with a key may name some of them. */
export const rankingColumns = z.strictObject({
  YearID: id,
  UniqueID: id,
  SetID: id.nullable().optional(),
  Ranking: z.number().nullable().optional(),
  Score: z.number().nullable().optional(),
  Trank: z.number().nullable().optional(),
  Tests: z.string().nullable().optional(),
  Tflag: z.literal([0, 1]).optional(),
  Comment: z.string().nullable().optional(),
  Grade: z.string().nullable().optional(),
});
type Columns = z.output<typeof rankingColumns>;
type Sent = Omit<Added<Columns>, 'values'> & { readonly values: Partial<Columns> };

export const rankingDiffers =
  'A new row goes to the newest open feedback task of the year group, a row with its RankID to the task that it was read from. Rows of a ranking count once the status is set to 2 (Ranking, Score), 3 (Trank, Tflag, Comment), 4 (Grade) and 5 (Tflag, Comment); what is sent after these steps is decided, or checked again, at once. They are never shown as a ranking by the formula of Marktrail. A comment counts with its flag only.';

/** Rows of a ranking as they are sent. @throws ProblemError `not-found`, `refused`, `invalid-input` */
export const recording = async (caller: Caller, rows: readonly Sent[]): Promise<readonly Step[]> => {
  const keyed = await tasksByRankId(
    caller,
    rows.flatMap(({ key }) => key ?? []),
  );
  const newest = new Map<string, string>();
  const steps: Step[] = [];
  for (const row of rows) {
    const { YearID, UniqueID } = row.values;
    if (row.key !== null) {
      const found = keyed.get(row.key);
      if (!found) throw new ProblemError('not-found', 'There is no such row of a ranking.', { errors: [wrong(row, 'RankID')] });
      if (YearID !== undefined && YearID !== found.yearGroupId) throw invalidInput(at(row, 'YearID'), 'The row is of another year group.');
      if (UniqueID !== undefined && UniqueID !== found.studentId) throw invalidInput(at(row, 'UniqueID'), 'The row is of another student.');
      steps.push(stepOf(row, found.taskId, found.studentId));
    } else {
      if (YearID === undefined) throw invalidInput(at(row, 'YearID'), 'Required.');
      if (UniqueID === undefined) throw invalidInput(at(row, 'UniqueID'), 'Required.');
      const taskId = newest.get(YearID) ?? (await newestOpen(caller, YearID));
      newest.set(YearID, taskId);
      steps.push(stepOf(row, taskId, UniqueID));
    }
  }
  return steps;
};

const stepOf = ({ place, values }: Sent, taskId: string, studentId: string): Step => {
  const { SetID, Ranking, Score, Trank, Tests, Tflag, Comment, Grade } = values;
  const row = {
    studentId,
    ...(typeof SetID === 'string' && { setId: SetID }),
    ...(Tests !== undefined && { testIds: testIdsIn(Tests, place) }),
    ...(Ranking !== undefined && { ranking: Ranking }),
    ...(Score !== undefined && { score: Score }),
    ...(Grade !== undefined && { grade: Grade === '' ? null : Grade }),
    ...(Trank !== undefined && { teacherRank: Trank }),
    ...(Tflag !== undefined && { flag: Tflag === 1 }),
    ...(Comment !== undefined && { comment: Comment ?? '' }),
  };
  return entry(place, 'RecordRanking', { taskId, rows: [] }, ['rows', row], rankId(taskId, studentId));
};

/** A list of ids held as text: as JSON, or with commas. @throws ProblemError `invalid-input` */
const testIdsIn = (text: string | null, place: number): string[] => {
  const read = id.array().safeParse((text ?? '').match(/[^\s,"'[\]]+/gu) ?? []);
  if (read.success) return read.data;
  throw invalidInput(`data.${place}.values.Tests`, 'This is not a list of TestIDs.');
};

const at = ({ place }: Sent, column: string): string => `data.${place}.values.${column}`;
const wrong = ({ place }: Sent, column: string) => ({ path: `data.${place}.keyval.${column}`, message: 'There is no such row.' });

/** @throws ProblemError `refused`: there is none */
const newestOpen = async (caller: Caller, yearGroupId: string): Promise<string> => {
  await caller.sees('yearGroup', yearGroupId);
  const tasks = await caller.sql((query) => tasksOfYear(query, yearGroupId));
  const open = tasks.find(({ complete }) => !complete);
  if (!open) throw new ProblemError('refused', 'This year group has no open feedback task.');
  return open.taskId;
};

type OfTask = { readonly taskId: string; readonly yearGroupId: string; readonly studentId: string };

/** By RankID. */
const tasksByRankId = async (caller: Caller, rankIds: readonly string[]): Promise<ReadonlyMap<string, OfTask>> => {
  if (rankIds.length === 0) return new Map();
  const wanted = new Set(rankIds);
  return caller.sql(async (query) => {
    const tasks = await tasksSeen(query, caller.actor);
    const found = new Map<string, OfTask>();
    // Those that are open first: rows are seldom of any other.
    for (const complete of [false, true]) {
      if (found.size === wanted.size) break;
      const some = new Map(tasks.flatMap((task) => (task.complete === complete ? [[task.taskId, task] as const] : [])));
      for (const { taskId, studentId } of await studentsOf(query, [...some.keys()])) {
        const [key, task] = [rankId(taskId, studentId), some.get(taskId)];
        if (wanted.has(key) && task) found.set(key, { taskId, yearGroupId: task.yearGroupId, studentId });
      }
    }
    return found;
  });
};
