import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import { OFF_ROLL_NAME } from '../students/off-roll.contract.ts';

/** The parameters of a statement: $1 is the school. */
export class Values {
  readonly all: unknown[] = [];

  /** Its place: `$2`, ... */
  add(value: unknown, type: string): string {
    this.all.push(value);
    return `$${this.all.length + 1}::${type}`;
  }
}

/**
 * Which rows `r` of the record a reader may see: auditors and admins all of their school; leaders those of their subjects; teachers those
 * about their classes and present students; and everybody their own acts.
 */
export const inSight = (actor: Actor, values: Values): string => {
  if (readsWholeSchool(actor)) return 'true';
  const isOwn = `r.account_id = ${values.add(actor.accountId, 'uuid')}`;
  const subjects = values.add(actor.subjectIds, 'uuid[]');
  // Not of one subject: a student's name, in whichever subjects they are.
  const isOfSubjects = `(r.subject_id = any(${subjects}) or r.subject_id is null and r.type in ('StudentCorrected', 'StudentForgotten')
    and exists (select from enrolments e where e.school_id = $1 and e.student_id = any(r.things) and e.subject_id = any(${subjects})))`;
  if (actor.role === 'leader') return `(${isOwn} or ${isOfSubjects})`;
  return `(${isOwn} or ${isOfSubjects} and r.things && (${values.add(actor.setIds, 'uuid[]')} || ${studentsIn(actor, values)}))`;
};

/** `condition`: of rows `r`; `places`: of their positions, apart, because PostgreSQL does not conclude from one table to another. */
export type Asked = { readonly condition: string; readonly places: readonly string[]; readonly limit: number };
export const placed = (of: string, { condition, places }: Asked): string =>
  [condition, ...places.map((place) => `${of}.position ${place}`)].join(' and ');

/** What rows are found by: that they name one of these things, or are the acts of an account. */
export type Way = { readonly things: string; readonly account?: string };

/** The newest rows `r` that are found so: of each thing its newest, by its index, and of those the newest. */
export const newestBy = ({ things, account }: Way, asked: Asked): string => {
  const { limit } = asked;
  const ofThings = `
    select found.position from (select distinct unnest(${things}) as thing) of cross join lateral (
      select t.position
        from record_things t
       cross join lateral (select from record r where r.school_id = $1 and r.position = t.position and ${asked.condition} offset 0) r
       where ${placed('t', { ...asked, condition: 't.school_id = $1 and t.thing = of.thing' })} order by t.position desc limit ${limit}) found`;
  const ofAccount = `
    (select r.position from record r
      where r.school_id = $1 and r.account_id = ${account} and ${placed('r', asked)} order by r.position desc limit ${limit})`;
  return `r.position = any(array(select distinct position from (
    ${account === undefined ? ofThings : `${ofThings} union all ${ofAccount}`}) found order by position desc limit ${limit}))`;
};

/**
 * The newest rows `r` that a reader sees of part of the school: of each of their subjects, of their own acts, and of students in several
 * subjects. Each is read from its end by its own index, whatever the statistics say.
 */
export const newestInSight = ({ accountId, subjectIds }: Actor, asked: Asked, values: Values): string => {
  const { condition, limit } = asked;
  const newest = (isOne: string): string => `(
    select r.position
      from (select * from record r where r.school_id = $1 and ${placed('r', { ...asked, condition: isOne })} order by r.position desc offset 0) r
     where ${condition} limit ${limit})`;
  return `r.position = any(array(select distinct position from (
    ${newest(`r.account_id = ${values.add(accountId, 'uuid')}`)}
    union all ${newest("r.subject_id is null and r.type in ('StudentCorrected', 'StudentForgotten')")}
    union all
    select found.position
      from unnest(${values.add(subjectIds, 'uuid[]')}) of (subject_id) cross join lateral ${newest('r.subject_id = of.subject_id')} found
  ) found order by position desc limit ${limit}))`;
};

/** The present students of a teacher's classes. */
export const studentsIn = ({ setIds }: Pick<Actor, 'setIds'>, values: Values): string =>
  `array(select e.student_id from enrolments e where e.school_id = $1 and e.set_id = any(${values.add(setIds, 'uuid[]')}))`;

/** What has a name: its id and its name now, or the last one of what is deleted. Null: forgotten. */
const NAMES = [
  'select account_id as id, name from accounts',
  'select student_id, name from students',
  'select set_id, name from sets',
  'select test_id, name from tests',
  'select test_id, name from deleted_tests',
  'select task_id, name from feedback_tasks',
  'select teacher_id, name from teachers',
  'select teacher_id, name from deleted_teachers',
];
const MORE_NAMES = [
  'select subject_id, name from subjects',
  'select subject_id, name from deleted_subjects',
  `select year_group_id, case year when 99 then '${OFF_ROLL_NAME}' else 'Year ' || year end from year_groups`,
  `select year_group_id, 'Year ' || year from deleted_year_groups`,
  'select scheme_id, name from schemes',
  'select scheme_id, name from deleted_schemes',
  'select terminal_exam_id, name from terminal_exams',
  'select terminal_exam_id, name from deleted_terminal_exams',
  'select grade_profile_id, name from grade_profiles',
  'select header_id, name from revision_headers',
  'select topic_id, name from topics',
  `select question_id, 'question ' || number from questions`,
];

/** $2: ids. */
export const NAMES_OF = [...NAMES, ...MORE_NAMES]
  .map((select) => {
    const [column] = /(?<=select )\w+/.exec(select) ?? [''];
    return `${select} where school_id = $1 and ${column} = any($2::uuid[])`;
  })
  .join(' union all ');

/** The ids of what has these words in its name, among what the reader may see by name. */
export const idsNamed = (actor: Actor, text: string, values: Values): string => {
  const words = values.add(text.toLowerCase(), 'text');
  const students = actor.role === 'teacher' ? `student_id = any(${studentsIn(actor, values)})` : 'true';
  return `array(${NAMES.map(
    (select) =>
      `(${select} where school_id = $1 and position(${words} in lower(name)) > 0 ${select.includes('from students') ? `and ${students}` : ''} limit 200)`,
  ).join(' union all ')})`.replaceAll(/select (\w+)( as id)?, name from/g, 'select $1 from');
};
