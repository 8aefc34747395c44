import type { Actor } from '../actor.ts';
import { mayReadSubject, maySeeClass, readsWholeSchool } from '../actor.ts';
import type { About, Thing } from '../common/about.ts';
import { IDS, noSuch, taskDeleted } from '../common/about.ts';
import type { RunSql } from '../common/facts.ts';
import { notYourSet, notYourSubject, ProblemError } from '../common/problems.ts';
import type { RuleAbout } from '../common/rule.ts';

/**
 * The one place that looks up what a request is about (`of` in api/access.ts) and decides whether its user may see it:
 *
 * - A named subject that is not one of the user's is refused with 403, whether it exists or not; whoever may see all subjects gets 404.
 * - Anything else is answered with 404 if it does not exist, belongs to another subject than the first thing, or to a subject that the user
 *   may not see.
 * - Within the user's subjects, a class that is not theirs is refused with 403.
 *
 * For students, the query itself finds what is their own.
 */
export type Found = About & {
  readonly first: Thing | undefined;
  /** What does not exist, or belongs to another subject than the first: then nothing is read. */
  readonly missing: Thing | undefined;
  readonly deletedTask: { readonly by: string | null } | undefined;
};

/** Looks it up by one statement. */
export const aboutOf = async (query: RunSql, of: readonly Thing[], input: unknown): Promise<Found> => {
  const named = of.flatMap((thing): (readonly [Thing, string])[] => {
    const id = idOf(input, thing);
    return id === undefined ? [] : [[thing, id]];
  });
  const [first] = named;
  if (!first) return NOTHING;
  const rows = await query<Row>(
    statement(named.map(([thing]) => thing)),
    named.map(([, id]) => id),
  );
  const found = new Map(rows.map((row) => [row.thing, row]));
  const subjectId = found.get(first[0])?.subjectId;
  const task = found.get('task');
  return {
    subjectId: subjectId ?? '',
    missing: named.find(([thing]) => subjectId === undefined || found.get(thing)?.subjectId !== subjectId)?.[0],
    yearGroupId: (found.get('yearGroup') ?? found.get('class') ?? task)?.yearGroupId ?? undefined,
    testId: idOf(input, 'assessment'),
    setId: (found.get('class') ?? found.get('student'))?.setIds?.[0],
    setIds: found.get('yearGroup')?.setIds ?? [],
    first: first[0],
    deletedTask: task?.isDeleted ? { by: task.deletedBy } : undefined,
  };
};

/** The things of which a request names one. */
export const namesIn = (of: readonly Thing[], input: unknown): readonly Thing[] => of.filter((thing) => idOf(input, thing) !== undefined);

/** The subject that a request names, if it is about one. */
export const subjectNamed = (of: readonly Thing[], input: unknown): string | undefined =>
  of.includes('subject') ? idOf(input, 'subject') : undefined;

/** Before anything is looked up. @throws ProblemError `forbidden` */
export const requireNamedSubject = ({ within, of }: RuleAbout, actor: Actor, input: unknown): void => {
  const subjectId = of[0] === 'subject' ? subjectNamed(of, input) : undefined;
  if (subjectId !== undefined && within !== 'school' && actor.role !== 'student' && !mayReadSubject(actor, subjectId))
    throw notYourSubject();
};

/** `input`: of this reader; it may name a class of what was found for all readers. @throws ProblemError `not-found`, `not-your-set` */
export const requireSight = ({ within, of }: RuleAbout, found: Found, actor: Actor, input: unknown): void => {
  const { first, missing, subjectId, setIds, deletedTask } = found;
  if (first === undefined) return;
  if (actor.role !== 'student' && within !== 'school' && !mayReadSubject(actor, subjectId)) throw noSuch(first);
  // What is deleted, or never was, has its place in a list of the whole school: perhaps it is empty.
  if (missing !== undefined && !(within === 'listed' && readsWholeSchool(actor))) throw noSuch(missing);
  const part = of.includes('class') && found.setId === undefined ? idOf(input, 'class') : undefined;
  if (part !== undefined && !setIds.includes(part)) throw noSuch('class');
  const inClass = of.find((thing) => (thing === 'class' || thing === 'student') && idOf(input, thing) !== undefined);
  if (within === 'listed' && inClass !== undefined && !maySeeClass(actor, found.setId)) throw noSuch(inClass);
  if (within === 'sets' && !maySeeClass(actor, found.setId)) throw notYourSet();
  if (within === 'year group' && actor.role === 'teacher' && !setIds.some((setId) => maySeeClass(actor, setId)))
    throw new ProblemError('forbidden', 'You teach no class of this year group.');
  if (deletedTask) throw taskDeleted(deletedTask.by);
};

/** The rows of subjects that the user may see. */
export const inTheirSubjects = <Row extends { readonly subjectId: string }>(actor: Actor, rows: readonly Row[]): Row[] =>
  rows.filter(({ subjectId }) => mayReadSubject(actor, subjectId));

type Row = {
  readonly thing: Thing;
  readonly subjectId: string;
  readonly yearGroupId: string | null;
  readonly setIds: readonly string[] | null;
  readonly isDeleted: boolean;
  readonly deletedBy: string | null;
};

export const NOTHING: Found = {
  subjectId: '',
  yearGroupId: undefined,
  testId: undefined,
  setId: undefined,
  setIds: [],
  first: undefined,
  missing: undefined,
  deletedTask: undefined,
};

const idOf = (input: unknown, thing: Thing): string | undefined => {
  const field: unknown =
    typeof input === 'object' && input !== null ? Object.getOwnPropertyDescriptor(input, IDS[thing])?.value : undefined;
  return typeof field === 'string' ? field : undefined;
};

/** SQL of one thing: its subject, its year group and its classes. `id`: the parameter with its id. $1 school. */
const ROWS: Readonly<Record<Thing, (id: string, task: string | undefined) => string>> = {
  subject: (id) => `select x.subject_id, null::uuid, null::uuid[] from subjects x where x.school_id = $1 and x.subject_id = ${id}`,
  yearGroup: (id) => `
    select x.subject_id, x.year_group_id,
      array(select s.set_id from sets s where s.school_id = $1 and s.year_group_id = x.year_group_id and not s.deleted)
    from year_groups x where x.school_id = $1 and x.year_group_id = ${id}`,
  class: (id) =>
    `select x.subject_id, x.year_group_id, array[x.set_id] from sets x where x.school_id = $1 and x.set_id = ${id} and not x.deleted`,
  assessment: (id) => `select x.subject_id, null::uuid, null::uuid[] from tests x where x.school_id = $1 and x.test_id = ${id}`,
  task: (id) => `select x.subject_id, x.year_group_id, null::uuid[] from feedback_tasks x where x.school_id = $1 and x.task_id = ${id}`,
  student: (id, task) =>
    task === undefined
      ? `select x.subject_id, null::uuid, array_remove(array[x.set_id], null)
           from enrolments x where x.school_id = $1 and x.student_id = ${id} and x.subject_id = (select f.subject_id from found f limit 1)`
      : `select k.subject_id, null::uuid, array[x.set_id]
           from task_students x join feedback_tasks k using (school_id, task_id)
          where x.school_id = $1 and x.student_id = ${id} and x.task_id = ${task}`,
  scheme: (id) => `select x.subject_id, null::uuid, null::uuid[] from schemes x where x.school_id = $1 and x.scheme_id = ${id}`,
  exam: (id) => `select x.subject_id, null::uuid, null::uuid[] from terminal_exams x where x.school_id = $1 and x.terminal_exam_id = ${id}`,
  question: (id) => `
    select t.subject_id, null::uuid, null::uuid[] from questions x join tests t using (school_id, test_id)
    where x.school_id = $1 and x.question_id = ${id} and not x.hidden`,
  schemeTopic: (id) => `
    select x.subject_id, null::uuid, null::uuid[] from schemes x cross join lateral json_array_elements(x.topics) topic
    where x.school_id = $1 and (topic ->> 'topicId')::uuid = ${id}`,
};

const statement = (things: readonly Thing[]): string => {
  const parameter = (thing: Thing): string | undefined => (things.includes(thing) ? `$${things.indexOf(thing) + 2}::uuid` : undefined);
  const rowOf = (thing: Thing): string =>
    `select '${thing}' as thing, row.* from (${ROWS[thing](parameter(thing) ?? '', parameter('task'))}) row (subject_id, year_group_id, set_ids)`;
  const rows = things.filter((thing) => thing !== 'student').map(rowOf);
  return `
with found as materialized (${rows.join(' union all ')}),
everything as (select * from found ${things.includes('student') ? `union all ${rowOf('student')}` : ''})
select e.thing, e.subject_id as "subjectId", e.year_group_id as "yearGroupId", to_json(e.set_ids) as "setIds",
  ${parameter('task') === undefined ? `false as "isDeleted", null as "deletedBy"` : `e.thing = 'task' and k.deleted as "isDeleted", a.name as "deletedBy"`}
from everything e
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
${
  parameter('task') === undefined
    ? ''
    : `left join feedback_tasks k on k.school_id = $1 and k.task_id = ${parameter('task')}
       left join accounts a on a.school_id = $1 and a.account_id = k.deleted_by`
}`;
};
