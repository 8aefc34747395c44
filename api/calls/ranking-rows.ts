import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import { inOrder } from '../common/in-order.ts';
import { id } from '../contract/fields.ts';
import { inTheirSubjects } from '../pipeline/about.ts';
import { rankId } from './ids.ts';

/** A student's row in the ranking of a task: what counts, and what was sent and does not count yet. */
export type RankingRow = {
  readonly studentId: string;
  readonly name: string | null;
  readonly setId: string;
  readonly setName: string | null;
  /** of the class; null: below 2 */
  readonly status: number | null;
  readonly rankingChecked: boolean;
  readonly gradesChecked: boolean;
  /** null: not ranked */
  readonly computed: Result | null;
  readonly decided: Result | null;
  readonly exempt: boolean;
  readonly teacherRank: number | null;
  readonly rankingFlag: boolean;
  readonly rankingComment: string | null;
  readonly gradeFlag: boolean;
  readonly gradeComment: string | null;
  /** the assessments that it was made by */
  readonly testIds: readonly string[];
  /** null: nothing was */
  readonly sent:
    | (Result & {
        readonly testIds: readonly string[];
        readonly teacherRank: number | null;
        readonly flag: boolean;
        readonly comment: string | null;
      })
    | null;
};
export type Result = { readonly ranking: number | null; readonly score: number | null; readonly grade: string | null };
export type Said = { readonly teacherRank: number | null; readonly flag: boolean; readonly comment: string | null };

const NOTHING: Result = { ranking: null, score: null, grade: null };

/** What the leader decided, else what was computed; null: not ranked. */
export const countsOf = ({ computed, decided }: RankingRow): Result | null =>
  computed && {
    ranking: decided?.ranking ?? computed.ranking,
    score: decided?.score ?? computed.score,
    grade: decided?.grade ?? computed.grade,
  };

/** What the teacher has said: of the grades once these are checked, of the ranking before; else what was sent of it. */
export const saidOf = (row: RankingRow): Said => {
  const { teacherRank, sent, status } = row;
  if (row.gradesChecked) return { teacherRank, flag: row.gradeFlag, comment: row.gradeComment };
  // What is sent of grades waits for their check.
  if (sent && (!row.rankingChecked || status === 4)) return sent;
  return { teacherRank, flag: row.rankingFlag, comment: row.rankingComment };
};

/** By ranking, then by name; of the class only, if one is named. */
export const rankingRows = (query: RunSql, taskId: string, setId?: string): Promise<readonly RankingRow[]> =>
  query<RankingRow>(ROWS, [taskId, setId ?? null]);

/** The columns of the table `ranking`, as they are read. */
export const rankingRow = z.object({
  RankID: id,
  YearID: id,
  SetID: id,
  SetName: z.string().nullable(),
  UniqueID: id,
  LastFirst: z.string().nullable().describe('null: forgotten.'),
  Ranking: z.int().nullable(),
  Score: z.number().nullable(),
  Trank: z.int().nullable(),
  Tests: z.string().describe('A list of TestIDs, as JSON.'),
  Tflag: z.literal([0, 1]),
  Comment: z.string().nullable(),
  Grade: z.string().nullable(),
});

/** What counts; what does not count yet is as it was sent. */
export const asRankingRow = (row: RankingRow, { taskId, yearGroupId }: Pick<TaskOfYear, 'taskId' | 'yearGroupId'>) => {
  const counts = row.exempt ? NOTHING : countsOf(row);
  const sent = row.exempt ? NOTHING : (row.sent ?? NOTHING);
  const check = saidOf(row);
  return {
    RankID: rankId(taskId, row.studentId),
    YearID: yearGroupId,
    SetID: row.setId,
    SetName: row.setName,
    UniqueID: row.studentId,
    LastFirst: row.name,
    Ranking: counts?.ranking ?? sent.ranking,
    Score: counts?.score ?? sent.score,
    Trank: check.teacherRank,
    Tests: JSON.stringify(row.testIds.length > 0 ? row.testIds : (row.sent?.testIds ?? [])),
    Tflag: check.flag ? (1 as const) : (0 as const),
    Comment: check.comment === '' ? null : check.comment,
    Grade: counts?.grade ?? sent.grade,
  };
};

export type TaskOfYear = {
  readonly taskId: string;
  readonly yearGroupId: string;
  readonly subjectId: string;
  readonly complete: boolean;
  /** Students are ranked, or rows of a ranking were sent. */
  readonly hasRanking: boolean;
  /** Somebody of the ranking is on roll in the year group. */
  readonly isShown: boolean;
  readonly rankedAt: string | null;
};

/** The feedback tasks of a year group that are not deleted, the newest first; of the class only, if one is named. */
export const tasksOfYear = (query: RunSql, yearGroupId: string, setId?: string): Promise<readonly TaskOfYear[]> =>
  query<TaskOfYear>(`${TASKS} and k.year_group_id = $2 and ($3::uuid is null or ${HAS_CLASS}) order by k.created_at desc, k.task_id`, [
    yearGroupId,
    setId ?? null,
  ]);

/** Those that the caller may see, the newest first. */
export const tasksSeen = async (query: RunSql, actor: Actor): Promise<readonly TaskOfYear[]> =>
  inTheirSubjects(actor, await query<TaskOfYear>(`${TASKS} order by k.created_at desc, k.task_id`));

/** What the classes of tasks sit. `status`: of the class; null: below 2. */
export const classesOf = (query: RunSql, taskIds: readonly string[]) =>
  query<{ readonly taskId: string; readonly setId: string; readonly testIds: readonly string[]; readonly status: number | null }>(
    `select task_id as "taskId", set_id as "setId", test_ids as "testIds", status from task_sets
      where school_id = $1 and task_id = any($2::uuid[])`,
    [taskIds],
  );

/** Who is in tasks: those who are ranked in them, or on roll in their classes. */
export const studentsOf = (query: RunSql, taskIds: readonly string[]) =>
  query<{ readonly taskId: string; readonly studentId: string }>(
    `select task_id as "taskId", student_id as "studentId" from task_students where school_id = $1 and task_id = any($2::uuid[])
     union
     select task_id, student_id from task_recorded where school_id = $1 and task_id = any($2::uuid[])
     union
     select s.task_id, e.student_id from task_sets s join enrolments e on e.school_id = $1 and e.set_id = s.set_id
      where s.school_id = $1 and s.task_id = any($2::uuid[])`,
    [taskIds],
  );

/**
 * The task whose ranking is read: the newest open one, if it has any; else the one whose ranking the markbook shows.
 * @param tasks newest first
 */
export const taskRead = (tasks: readonly TaskOfYear[]): TaskOfYear | undefined => {
  const open = tasks.find(({ complete }) => !complete);
  if (open?.hasRanking) return open;
  return tasks
    .filter(({ rankedAt, isShown }) => rankedAt !== null && isShown)
    .toSorted((a, b) => ((a.rankedAt ?? '') < (b.rankedAt ?? '') ? 1 : -1))[0];
};

const HAS_CLASS = `exists (select from task_sets s where s.school_id = $1 and s.task_id = k.task_id and s.set_id = $3::uuid)`;

/** $1 school. */
const TASKS = `
select k.task_id as "taskId", k.year_group_id as "yearGroupId", k.subject_id as "subjectId", lpad(k.ranked_position::text, 20, '0') as "rankedAt",
  coalesce((select bool_and(coalesce(s.status, 0) = 6) from task_sets s where s.school_id = $1 and s.task_id = k.task_id), false) as complete,
  (k.ranked_at is not null
    or exists (select from task_recorded r where r.school_id = $1 and r.task_id = k.task_id)) as "hasRanking",
  exists (select from task_students r
            join enrolments e on e.school_id = $1 and e.subject_id = k.subject_id and e.student_id = r.student_id
            join sets g on g.school_id = $1 and g.set_id = e.set_id and g.year_group_id = k.year_group_id and not g.deleted
           where r.school_id = $1 and r.task_id = k.task_id) as "isShown"
from feedback_tasks k
join subjects b on b.school_id = $1 and b.subject_id = k.subject_id
where k.school_id = $1 and not k.deleted`;

/** $1 school; $2 task; $3 class. */
const ROWS = `
select coalesce(r.student_id, w.student_id) as "studentId", p.name, coalesce(r.set_id, w.set_id) as "setId", g.name as "setName", t.status,
  t.ranking_checked_at is not null as "rankingChecked", t.grades_checked_at is not null as "gradesChecked",
  case when r.task_id is not null then json_build_object('ranking', r.ranking, 'score', r.score, 'grade', r.grade) end as computed,
  case when r.task_id is not null
    then json_build_object('ranking', r.decided_ranking, 'score', r.decided_score, 'grade', r.decided_grade) end as decided,
  coalesce(r.exempt, false) as exempt, r.teacher_rank as "teacherRank",
  coalesce(r.ranking_flag, false) as "rankingFlag", r.ranking_comment as "rankingComment",
  coalesce(r.grade_flag, false) as "gradeFlag", r.grade_comment as "gradeComment",
  (select coalesce(json_agg(n ->> 'testId'), '[]') from json_array_elements(k.ranking -> 'norms' -> 'tests') n) as "testIds",
  case when w.task_id is not null
    then json_build_object('testIds', w.test_ids, 'ranking', w.ranking, 'score', w.score, 'grade', w.grade, 'teacherRank', w.teacher_rank,
                           'flag', w.flag, 'comment', w.comment) end as sent
from (select * from task_students where school_id = $1 and task_id = $2) r
full join (select * from task_recorded where school_id = $1 and task_id = $2) w using (student_id)
join feedback_tasks k on k.school_id = $1 and k.task_id = $2
left join task_sets t on t.school_id = $1 and t.task_id = $2 and t.set_id = coalesce(r.set_id, w.set_id)
left join students p on p.school_id = $1 and p.student_id = coalesce(r.student_id, w.student_id)
left join sets g on g.school_id = $1 and g.set_id = coalesce(r.set_id, w.set_id)
where $3::uuid is null or coalesce(r.set_id, w.set_id) = $3
order by coalesce(r.decided_ranking, r.ranking, w.ranking) nulls last, ${inOrder('p.name')}, p.student_id`;
