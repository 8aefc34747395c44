import type { Facts } from '../common/facts.ts';
import type { GradeShares } from '../../events/tasks/grade-profile.ts';
import type { TaskMap } from '../../events/tasks/feedback-task.ts';
import type { FlaggedTotal } from '../contract/total-flag.ts';
import type { RankCheck, TaughtSet } from './checks.rules.ts';
import { flaggedTotalsJson } from './ranking/flagged-totals.facts.ts';
import type { Coverage } from './task-fields.contract.ts';

/** The classes and assessments that a task names, as far as there are such. */
export type MapFacts = {
  readonly sets: ReadonlyMap<string, { readonly subjectId: string; readonly yearGroupId: string }>;
  /** by assessment: its subject */
  readonly tests: ReadonlyMap<string, string>;
};

export type NewTaskFacts = MapFacts & {
  /** of the terminal exam that covers most of the year group */
  readonly prior: Coverage;
};

type NewTask = { readonly subjectId: string; readonly yearGroupId: string; readonly maps: readonly TaskMap[] };

export const newTaskFacts: Facts<NewTask, NewTaskFacts> = {
  models: ['structure', 'assessments', 'roster', 'prior'],
  waits: true,
  async load(query, { subjectId, yearGroupId, maps }) {
    const [read] = await query<{ scores: number; students: number } & ReadMaps>(
      `select ${MAPS},
              c.students, coalesce((
                select max(covered.scores) from terminal_exams x
                 cross join lateral (
                   select count(*)::int4 as scores from prior_scores p
                    where p.school_id = $1 and p.terminal_exam_id = x.terminal_exam_id and p.score is not null and p.student_id = any(c.ids)) covered
                 where x.school_id = $1 and x.subject_id = $4), 0) as scores
         from (select coalesce(array_agg(e.student_id), '{}') as ids, count(*)::int4 as students
                 from sets t join enrolments e on e.school_id = $1 and e.set_id = t.set_id
                where t.school_id = $1 and t.subject_id = $4 and t.year_group_id = $5 and not t.deleted) c`,
      [...idsIn(maps), subjectId, yearGroupId],
    );
    const { scores = 0, students = 0 } = read ?? {};
    return { prior: { scores, students }, ...mapFacts(read) };
  },
};

/** The same for a task without assessments, or with one more. */
export const emptyTaskFacts: Facts<Omit<NewTask, 'maps'>, NewTaskFacts> = {
  models: newTaskFacts.models,
  waits: true,
  load: (query, input, about) => newTaskFacts.load(query, { ...input, maps: [] }, about),
};
export const addedMapFacts: Facts<TaskMap, MapFacts> = {
  models: ['structure', 'assessments'],
  waits: true,
  load: (query, { setId, testId }, about) => editedMapsFacts.load(query, { maps: [{ setId, testId }] }, about),
};

export const editedMapsFacts: Facts<{ readonly maps?: readonly TaskMap[] | undefined }, MapFacts> = {
  models: ['structure', 'assessments'],
  waits: true,
  async load(query, { maps = [] }) {
    const [read] = await query<ReadMaps>(`select ${MAPS}`, [...idsIn(maps)]);
    return mapFacts(read);
  },
};

type ReadMaps = {
  readonly sets: readonly { readonly setId: string; readonly subjectId: string; readonly yearGroupId: string }[];
  readonly tests: readonly { readonly testId: string; readonly subjectId: string }[];
};

/** $1 school; $2 sets; $3 assessments. */
const MAPS = `
  (select coalesce(json_agg(json_build_object('setId', set_id, 'subjectId', subject_id, 'yearGroupId', year_group_id)), '[]')
     from sets where school_id = $1 and set_id = any($2::uuid[]) and not deleted) as sets,
  (select coalesce(json_agg(json_build_object('testId', test_id, 'subjectId', subject_id)), '[]')
     from tests where school_id = $1 and test_id = any($3::uuid[])) as tests`;

const idsIn = (maps: readonly TaskMap[]) =>
  [[...new Set(maps.map(({ setId }) => setId))], [...new Set(maps.map(({ testId }) => testId))]] as const;

const mapFacts = (read: ReadMaps | undefined): MapFacts => ({
  sets: new Map((read?.sets ?? []).map(({ setId, ...of }) => [setId, of])),
  tests: new Map((read?.tests ?? []).map(({ testId, subjectId }) => [testId, subjectId])),
});

export type CheckFacts = {
  /** of the class, also of a deleted one; undefined: there is no such class */
  readonly subjectId: string | undefined;
  /** What stands about students of the class. Not in the state of the task: a comment that is forgotten is here no more. */
  readonly stands: readonly RankCheck[];
  /** The comments that were sent about its students, by student. */
  readonly sent: ReadonlyMap<string, string>;
};

const checkFacts = (kind: string, rank: string): Facts<{ readonly taskId: string; readonly setId: string }, CheckFacts> => ({
  models: ['structure', 'tasks'],
  waits: true,
  async load(query, { taskId, setId }) {
    const [read] = await query<{
      subjectId: string;
      stands: readonly (Omit<RankCheck, 'comment'> & { comment: string | null })[];
      sent: readonly { studentId: string; comment: string }[];
    }>(
      `select g.subject_id as "subjectId",
              (select coalesce(json_agg(json_build_object('studentId', r.student_id, 'teacherRank', ${rank},
                                          'flag', r.${kind}_flag, 'comment', r.${kind}_comment)), '[]')
                 from task_students r
                where r.school_id = $1 and r.task_id = $3 and r.set_id = $2 and (r.${kind}_flag or ${rank} is not null)) as stands,
              (select coalesce(json_agg(json_build_object('studentId', w.student_id, 'comment', w.comment)), '[]')
                 from task_recorded w where w.school_id = $1 and w.task_id = $3 and w.comment is not null) as sent
         from sets g where g.school_id = $1 and g.set_id = $2`,
      [setId, taskId],
    );
    return {
      subjectId: read?.subjectId,
      stands: (read?.stands ?? []).map((row) => ({ ...row, comment: row.comment ?? '' })),
      sent: new Map((read?.sent ?? []).map(({ studentId, comment }) => [studentId, comment])),
    };
  },
});

export const rankingCheckFacts = checkFacts('ranking', 'r.teacher_rank');
export const gradesCheckFacts = checkFacts('grade', 'null::int4');

export type ProfileFacts = {
  /** undefined: there is no such profile */
  readonly profile: { readonly yearGroupId: string; readonly grades: Readonly<GradeShares> } | undefined;
  readonly setName: (setId: string) => string;
};

export const profileFacts: Facts<{ readonly gradeProfileId: string }, ProfileFacts> = {
  models: ['structure', 'grade_profiles'],
  waits: true,
  async load(query, { gradeProfileId }) {
    const [profile] = await query<NonNullable<ProfileFacts['profile']> & Names>(
      `select p.year_group_id as "yearGroupId", p.grades, ${namesOfSets('p.year_group_id')} as "setNames"
         from grade_profiles p where p.school_id = $1 and p.grade_profile_id = $2 and not p.deleted`,
      [gradeProfileId],
    );
    return { profile, setName: setNameIn(profile) };
  },
};

type Names = { readonly setNames: Readonly<Record<string, string>> };
/** SQL: the names of a year group's sets by id, including deleted ones. */
const namesOfSets = (yearGroupId: string): string =>
  `(select coalesce(json_object_agg(g.set_id, g.name), '{}') from sets g where g.school_id = $1 and g.year_group_id = ${yearGroupId})`;
const setNameIn =
  (names: Names | undefined) =>
  (setId: string): string =>
    names?.setNames[setId] ?? 'a class';

export type RemainingFacts = {
  /** Students of the cohort who are no longer on roll in the subject. */
  readonly left: ReadonlySet<string>;
  /** Flags of the cohort's totals in the tests of the ranking. */
  readonly flaggedTotals: readonly FlaggedTotal[];
  readonly setName: (setId: string) => string;
};

export const remainingFacts: Facts<{ readonly taskId: string }, RemainingFacts> = {
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  waits: true,
  async load(query, { taskId }) {
    const [read] = await query<Names & { left: readonly string[]; flaggedTotals: readonly FlaggedTotal[] }>(
      `select ${namesOfSets('k.year_group_id')} as "setNames",
              (select coalesce(array_agg(r.student_id), '{}') from task_students r
                where r.school_id = $1 and r.task_id = k.task_id
                  and not exists (select from enrolments e
                                   where e.school_id = $1 and e.subject_id = k.subject_id and e.student_id = r.student_id
                                     and e.set_id is not null)) as left,
              ${flaggedTotalsJson({
                students: 'array(select r.student_id from task_students r where r.school_id = $1 and r.task_id = k.task_id)',
                tests: `array(select (n ->> 'testId')::uuid from json_array_elements(k.ranking -> 'norms' -> 'tests') n)`,
              })} as "flaggedTotals"
         from feedback_tasks k where k.school_id = $1 and k.task_id = $2`,
      [taskId],
    );
    return { left: new Set(read?.left), flaggedTotals: read?.flaggedTotals ?? [], setName: setNameIn(read) };
  },
};

/** The classes of a task with the accounts of their teachers that are in use. */
export const teacherFacts: Facts<{ readonly taskId: string }, ReadonlyMap<string, TaughtSet>> = {
  models: ['structure', 'accounts', 'tasks'],
  waits: true,
  async load(query, { taskId }) {
    const sets = await query<{ setId: string } & TaughtSet>(
      `select g.set_id as "setId", g.name,
              (select coalesce(array_agg(distinct a.account_id), '{}')
                 from teachers t
                 join accounts a on a.school_id = $1 and a.activated and not a.closed
                 cross join lateral json_array_elements(a.teachers) r
                where t.school_id = $1 and t.subject_id = g.subject_id and s.set_id = any(t.set_ids)
                  and (r ->> 'teacherId')::uuid = t.teacher_id) as "accountIds"
         from task_sets s join sets g on g.school_id = $1 and g.set_id = s.set_id
        where s.school_id = $1 and s.task_id = $2
        order by g.name, g.set_id`,
      [taskId],
    );
    return new Map(sets.map(({ setId, ...set }) => [setId, set]));
  },
};
