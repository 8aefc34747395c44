import { z } from 'zod';
import { invalidInput, ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import type { Caller } from './caller.ts';
import { rankId } from './ids.ts';
import type { RankingRow, Said, TaskOfYear } from './ranking-rows.ts';
import { countsOf, rankingRows, studentsOf, tasksOfYear, tasksSeen } from './ranking-rows.ts';
import type { Step } from './step.ts';
import { step, stepOfRows } from './step.ts';
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
/** A row whose task and student are known. */
type Meant = Sent & { readonly taskId: string; readonly studentId: string };

export const rankingDiffers =
  'A new row goes to the newest open feedback task of the year group, a row with its RankID to the task that it was read from. Rows of a ranking count once the status is set to 2 (Ranking, Score), 3 (Trank, Tflag, Comment), 4 (Grade) and 5 (Tflag, Comment); what is sent after these steps is decided, or checked again, at once. They are never shown as a ranking by the formula of Marktrail. A comment counts with its flag only.';

/**
 * Rows of a ranking as they are sent. Where the task is past the step by which they would count, the leader decides by hand with them, and the
 * teacher checks again.
 *
 * @throws ProblemError `not-found`, `refused`, `invalid-input`
 */
export const recording = async (caller: Caller, rows: readonly Added<Columns>[]): Promise<readonly Step[]> => {
  const meant = await meantBy(caller, rows);
  const steps: Step[] = [];
  for (const [taskId, own] of Map.groupBy(meant, (row) => row.taskId)) {
    const standing = await caller.sql((query) => rankingRows(query, taskId));
    steps.push(
      stepOfRows(
        own.map(({ place, studentId }) => [place, rankId(taskId, studentId)] as const),
        'RecordRanking',
        { taskId, rows: own.map(recorded) },
      ),
    );
    steps.push(...deciding(caller, taskId, own, standing), ...checkingAgain(taskId, own, standing));
  }
  return steps;
};

const recorded = ({ place, studentId, values: { Ranking, Score, Trank, Tests, Tflag, Comment, Grade } }: Meant) => ({
  studentId,
  ...(Tests !== undefined && { testIds: testIdsIn(Tests, place) }),
  ...(Ranking !== undefined && { ranking: Ranking }),
  ...(Score !== undefined && { score: Score }),
  ...(Grade !== undefined && { grade: Grade === '' ? null : Grade }),
  ...(Trank !== undefined && { teacherRank: Trank }),
  ...(Tflag !== undefined && { flag: Tflag === 1 }),
  ...(Comment !== undefined && { comment: Comment ?? '' }),
});

/** A list of ids held as text: as JSON, or with commas. @throws ProblemError `invalid-input` */
const testIdsIn = (text: string | null, place: number): string[] => {
  const read = id.array().safeParse((text ?? '').match(/[^\s,"'[\]]+/gu) ?? []);
  if (read.success) return read.data;
  throw invalidInput(`data.${place}.values.Tests`, 'This is not a list of TestIDs.');
};

/** @throws ProblemError `not-found`, `refused`, `invalid-input` */
const meantBy = async (caller: Caller, rows: readonly Sent[]): Promise<readonly Meant[]> => {
  const openOf = new Map<string, TaskOfYear>();
  const meant: Meant[] = [];
  const keyed = await tasksByRankId(
    caller,
    rows.flatMap(({ key }) => key ?? []),
  );
  for (const row of rows) {
    const { YearID, UniqueID } = row.values;
    if (row.key !== null) {
      const found = keyed.get(row.key);
      if (!found) throw new ProblemError('not-found', 'There is no such row of a ranking.', { errors: [wrong(row, 'RankID')] });
      if (YearID !== undefined && YearID !== found.yearGroupId) throw invalidInput(at(row, 'YearID'), 'The row is of another year group.');
      if (UniqueID !== undefined && UniqueID !== found.studentId) throw invalidInput(at(row, 'UniqueID'), 'The row is of another student.');
      meant.push({ ...row, taskId: found.taskId, studentId: found.studentId });
    } else {
      if (YearID === undefined) throw invalidInput(at(row, 'YearID'), 'Required.');
      if (UniqueID === undefined) throw invalidInput(at(row, 'UniqueID'), 'Required.');
      const open = openOf.get(YearID) ?? (await newestOpen(caller, YearID));
      openOf.set(YearID, open);
      meant.push({ ...row, taskId: open.taskId, studentId: UniqueID });
    }
  }
  await inTheirClasses(caller, meant);
  return meant;
};

const at = ({ place }: Sent, column: string): string => `data.${place}.values.${column}`;
const wrong = ({ place }: Sent, column: string) => ({ path: `data.${place}.keyval.${column}`, message: 'There is no such row.' });

/** @throws ProblemError `refused`: there is none */
const newestOpen = async (caller: Caller, yearGroupId: string): Promise<TaskOfYear> => {
  await caller.sees('yearGroup', yearGroupId);
  const tasks = await caller.sql((query) => tasksOfYear(query, yearGroupId));
  const open = tasks.find(({ complete }) => !complete);
  if (!open) throw new ProblemError('refused', 'This year group has no open feedback task.');
  return open;
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
        const [own, task] = [rankId(taskId, studentId), some.get(taskId)];
        if (wanted.has(own) && task) found.set(own, { taskId, yearGroupId: task.yearGroupId, studentId });
      }
    }
    return found;
  });
};

/** The class that a row names is the student's own. @throws ProblemError `not-found` */
const inTheirClasses = async (caller: Caller, rows: readonly Meant[]): Promise<void> => {
  const naming = rows.filter(({ values: { SetID } }) => typeof SetID === 'string');
  if (naming.length === 0) return;
  const students = await caller.sql((query) => studentsOf(query, [...new Set(naming.map(({ taskId }) => taskId))]));
  // The first is the one that counts.
  const classes = new Map(students.toReversed().map(({ taskId, studentId, setId }) => [`${taskId} ${studentId}`, setId]));
  const other = naming.find(({ taskId, studentId, values: { SetID } }) => classes.get(`${taskId} ${studentId}`) !== SetID);
  if (other)
    throw new ProblemError('not-found', 'This student is not in this class of the feedback task.', {
      errors: [{ path: at(other, 'SetID'), message: 'The student is not in this class.' }],
    });
};

/** After grades are allocated: what a leader sends otherwise than it stands is decided by hand. */
const deciding = ({ actor }: Caller, taskId: string, rows: readonly Meant[], standing: readonly RankingRow[]): readonly Step[] => {
  if (actor.role === 'teacher') return [];
  const stands = new Map(standing.map((row) => [row.studentId, row]));
  const decided = rows.flatMap(({ place, studentId, values: { Ranking, Score, Grade } }) => {
    const row = stands.get(studentId);
    const counts = row && countsOf(row);
    if (!row?.computed || !counts || (row.status ?? 0) < 4) return [];
    const wanted = {
      ranking: Ranking === undefined ? counts.ranking : Ranking,
      score: Score === undefined ? counts.score : Score,
      grade: Grade === undefined ? counts.grade : Grade === '' ? null : Grade,
    };
    if (wanted.ranking === counts.ranking && wanted.score === counts.score && wanted.grade === counts.grade) return [];
    const { computed, exempt } = row;
    return [
      {
        place,
        studentId,
        ranking: wanted.ranking === computed.ranking ? null : wanted.ranking,
        score: wanted.score === computed.score ? null : wanted.score,
        grade: wanted.grade === computed.grade ? null : wanted.grade,
        exempt,
      },
    ];
  });
  const [first] = decided;
  if (!first) return [];
  return [
    step(first.place, 'DecideResults', { taskId, rows: decided.map(({ place: _place, ...row }) => row) }, rankId(taskId, first.studentId)),
  ];
};

/** In classes that are checked already: what is said otherwise than it stands is said in the check, the whole of which is saved again. */
const checkingAgain = (taskId: string, rows: readonly Meant[], standing: readonly RankingRow[]): readonly Step[] => {
  const sent = new Map(rows.map((row) => [row.studentId, row]));
  return [...Map.groupBy(standing, ({ setId }) => setId)].flatMap(([setId, students]) => {
    const [one] = students;
    const isOfGrades = one?.status === 5 && one.gradesChecked;
    if (!one || !(isOfGrades || (one.status === 3 && one.rankingChecked))) return [];
    const said = students.map((row) => {
      const stands: Said = isOfGrades
        ? { teacherRank: row.teacherRank, flag: row.gradeFlag, comment: row.gradeComment }
        : { teacherRank: row.teacherRank, flag: row.rankingFlag, comment: row.rankingComment };
      const { Trank, Tflag, Comment } = sent.get(row.studentId)?.values ?? {};
      const now: Said = {
        teacherRank: Trank === undefined || isOfGrades ? stands.teacherRank : Trank,
        flag: Tflag === undefined ? stands.flag : Tflag === 1,
        comment: Comment === undefined ? stands.comment : Comment,
      };
      return { studentId: row.studentId, stands, now };
    });
    const changed = said.find(({ stands, now }) => textOf(stands) !== textOf(now));
    const place = changed && sent.get(changed.studentId)?.place;
    if (place === undefined) return [];
    const saying = said.map(({ studentId, now }) => ({ studentId, said: now }));
    return [
      checkStep({ taskId, setId, of: isOfGrades ? 'grades' : 'ranking', row: place }, saying, [
        [place, rankId(taskId, changed?.studentId ?? '')],
      ]),
    ];
  });
};

/** A comment counts with a flag only. */
const textOf = ({ teacherRank, flag, comment }: Said): string => JSON.stringify([teacherRank, flag, flag ? (comment ?? '') : '']);

/** The check of a class, with all that is said in it. */
export const checkStep = (
  { taskId, setId, of, row }: { readonly taskId: string; readonly setId: string; readonly of: 'ranking' | 'grades'; readonly row: number },
  students: readonly { readonly studentId: string; readonly said: Said }[],
  ids: readonly (readonly [row: number, id: string])[],
): Step => {
  const flagged = ({ flag, comment }: Said) => ({ flag, ...(flag && comment ? { comment } : {}) });
  const body =
    of === 'grades'
      ? { taskId, setId, rows: students.flatMap(({ studentId, said }) => (said.flag ? [{ studentId, ...flagged(said) }] : [])) }
      : {
          taskId,
          setId,
          rows: students.flatMap(({ studentId, said }) =>
            said.flag || said.teacherRank !== null ? [{ studentId, teacherRank: said.teacherRank, ...flagged(said) }] : [],
          ),
        };
  return { command: of === 'grades' ? 'CheckGrades' : 'CheckRanking', body, row, ids: () => ids };
};
