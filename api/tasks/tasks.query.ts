import { SAT } from '../marks/staff-total.facts.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import { inOrder } from '../common/in-order.ts';
import { defineCommonQuery } from '../common/query.ts';
import { invalidInput } from '../common/problems.ts';
import type { TaskCardSet, Tasks } from './task.contract.ts';
import { taskQueries } from './task.contract.ts';
import { HAS_TOTAL } from './ranking/flagged-totals.facts.ts';
import type { TaskStatus } from './task-status.contract.ts';
import { lowestStatus, meanStatus, statusOf } from './task-status.contract.ts';

/** The feedback tasks of a year group, for its leader, or of a class. */
export const tasks = defineCommonQuery({
  ...taskQueries.tasks,
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  marks: 'yearGroup',
  async read(query, input, { subjectId }): Promise<Tasks> {
    const { setId } = input;
    if ((setId === undefined) === (input.yearGroupId === undefined)) throw invalidInput('setId', 'Choose a class or a year group.');
    const year = theRow(await query<Year>(YEAR, [input.yearGroupId ?? null, setId ?? null]));
    const listed = await query<Listed>(TASKS, [year.yearGroupId, setId ?? null]);
    const sets = await readSets(
      query,
      listed.map(({ taskId }) => taskId),
      setId,
    );
    return {
      subjectId,
      yearGroupId: year.yearGroupId,
      classes: year.classes,
      tasks: listed.map((one) => {
        const taskSets = sets.filter(({ taskId }) => taskId === one.taskId).map(({ set }) => set);
        return { ...one, status: statusOfSets(taskSets, setId), sets: taskSets };
      }),
    };
  },
});

type Year = { readonly yearGroupId: string; readonly classes: number };
type Listed = Omit<Tasks['tasks'][number], 'status' | 'sets'>;

/** For one class its lowest status, else the mean of all assessments. */
export const statusOfSets = (sets: readonly TaskCardSet[], setId?: string): TaskStatus => {
  const all = sets.flatMap(({ tests }) => tests.map(({ status }) => status));
  return setId === undefined ? meanStatus(all) : lowestStatus(all);
};

type ReadSet<Set> = Omit<Set, 'status' | 'tests'> & {
  readonly taskId: string;
  /** From 2 on; null: below. */
  readonly stored: number | null;
  readonly tests: readonly Omit<TaskCardSet['tests'][number], 'status'>[];
};

/** The classes of tasks, in their order. `setId`: of this class only; `columns`: SQL of more about row `s` of task_sets and `g` of sets. */
export const readSets = async <Set extends TaskCardSet = TaskCardSet>(
  query: RunSql,
  taskIds: readonly string[],
  setId?: string,
  columns?: string,
) => {
  const rows = await query<ReadSet<Set>>(setsWith(columns), [taskIds, setId ?? null]);
  return rows.map(({ taskId, stored, tests, ...set }) => {
    // Below 2 an assessment is at 1 as soon as anybody of the class has a staff total.
    const all = tests.map((test) => ({ ...test, status: statusOf(stored ?? (test.entered > 0 ? 1 : 0)) }));
    return { taskId, set: { ...set, status: lowestStatus(all.map(({ status }) => status)), tests: all } };
  });
};

/** $1 school; $2 year group; $3 class. */
const YEAR = `
select y.year_group_id as "yearGroupId",
  (select count(*)::int4 from sets s where s.school_id = $1 and s.year_group_id = y.year_group_id and not s.deleted) as classes
from year_groups y
where y.school_id = $1
  and y.year_group_id = coalesce($2::uuid, (select s.year_group_id from sets s where s.school_id = $1 and s.set_id = $3::uuid and not s.deleted))`;

/** $1 school; $2 year group; $3 class. */
const TASKS = `
select k.task_id as "taskId", k.name, k.expiry, k.teacher_input as "teacherInput", to_json(k.created_at) #>> '{}' as "createdAt"
from feedback_tasks k
where k.school_id = $1 and not k.deleted
  -- A class that has moved to another year group keeps its tasks.
  and case when $3::uuid is null then k.year_group_id = $2
      else exists (select from task_sets s where s.school_id = $1 and s.task_id = k.task_id and s.set_id = $3) end
order by k.created_at desc, k.task_id`;

/** The assessments of task_sets row `s`, as JSON. As in a ranking, totals of one that is deleted or has no questions do not count. */
const TESTS_OF_SET = `
(select json_agg(json_build_object('testId', x.test_id, 'name', coalesce(t.name, d.name), 'max', coalesce(t.max, d.max),
          'entered', case when t.max > 0 then
            (select count(*) from enrolments e where e.school_id = $1 and e.set_id = s.set_id and ${HAS_TOTAL}) else 0 end,
          'out', (select count(*) from enrolments e join markbook m on m.school_id = $1 and m.test_id = x.test_id and m.student_id = e.student_id
                   where e.school_id = $1 and e.set_id = s.set_id and not ${SAT})) order by x.place)
   from unnest(s.test_ids) with ordinality x (test_id, place)
   left join tests t on t.school_id = $1 and t.test_id = x.test_id
   left join deleted_tests d on d.school_id = $1 and d.test_id = x.test_id)`;

/** $1 school; $2 tasks; $3 class. */
const setsWith = (columns?: string): string => `
select s.task_id as "taskId", s.set_id as "setId", g.name, s.status as stored, to_json(s.since) #>> '{}' as since,
  (select count(*)::int4 from enrolments e where e.school_id = $1 and e.set_id = s.set_id) as students, ${TESTS_OF_SET} as tests
  ${columns === undefined ? '' : `, ${columns}`}
from task_sets s join sets g on g.school_id = $1 and g.set_id = s.set_id
where s.school_id = $1 and s.task_id = any($2::uuid[]) and ($3::uuid is null or s.set_id = $3)
order by ${inOrder('g.name')}, s.set_id`;
