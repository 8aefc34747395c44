import { EVERY_EXAM } from '../../prior/prior.facts.ts';
import { commandId, newId, uuidv5 } from '../../../events/codec/ids.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import type { CommandName } from '../../commands.ts';
import { inTheirSubjects } from '../../pipeline/about.ts';
import type { Caller } from '../caller.ts';
import type { Step } from '../step.ts';

/** What a row of a table belongs to. A row of a subject that is not the caller's is not there for them. */
export type Owned = { readonly id: string; readonly subjectId: string; readonly of: string | null };

/**
 * By kind, SQL with the columns `id`, `subjectId` and `of`, what holds it. $1 school; $2 ids. Deleted ones too: what is deleted again is
 * the command's to answer.
 */
const OWNERS = {
  set: `select set_id as id, subject_id as "subjectId", year_group_id as of from sets where school_id = $1 and set_id = any($2::uuid[])`,
  yearGroup: `
    select year_group_id as id, subject_id as "subjectId", null::uuid as of
    from (select school_id, year_group_id, subject_id from year_groups
          union all select school_id, year_group_id, subject_id from deleted_year_groups) y
    where school_id = $1 and year_group_id = any($2::uuid[])`,
  teacher: `
    select teacher_id as id, subject_id as "subjectId", null::uuid as of
    from (select school_id, teacher_id, subject_id from teachers union all select school_id, teacher_id, subject_id from deleted_teachers) t
    where school_id = $1 and teacher_id = any($2::uuid[])`,
  exam: `
    select terminal_exam_id as id, subject_id as "subjectId", null::uuid as of
    from ${EVERY_EXAM} x where school_id = $1 and terminal_exam_id = any($2::uuid[])`,
  scheme: `
    select scheme_id as id, subject_id as "subjectId", null::uuid as of
    from (select school_id, scheme_id, subject_id from schemes union all select school_id, scheme_id, subject_id from deleted_schemes) w
    where school_id = $1 and scheme_id = any($2::uuid[])`,
  test: `
    select test_id as id, subject_id as "subjectId", null::uuid as of
    from (select school_id, test_id, subject_id from tests union all select school_id, test_id, subject_id from deleted_tests) t
    where school_id = $1 and test_id = any($2::uuid[])`,
  question: `
    select q.question_id as id, t.subject_id as "subjectId", q.test_id as of
    from questions q join tests t using (school_id, test_id)
    where q.school_id = $1 and q.question_id = any($2::uuid[])`,
  schemeTopic: `
    select (topic ->> 'topicId')::uuid as id, w.subject_id as "subjectId", w.scheme_id as of
    from schemes w cross join lateral json_array_elements(w.topics) topic
    where w.school_id = $1 and topic ->> 'topicId' = any($2::text[])`,
  header: `
    select header_id as id, subject_id as "subjectId", null::uuid as of
    from revision_headers where school_id = $1 and header_id = any($2::uuid[])`,
} as const;
export type Kind = keyof typeof OWNERS;

const MISSING: Readonly<Record<Kind, string>> = {
  set: 'There is no such set.',
  yearGroup: 'There is no such year group.',
  teacher: 'There is no such teacher.',
  exam: 'There is no such terminal exam.',
  scheme: 'There is no such scheme of work.',
  test: 'There is no such assessment.',
  question: 'There is no such question.',
  schemeTopic: 'There is no such topic in a scheme of work.',
  header: 'There is no such topic header.',
};

/** Those of the rows that there are in the school: of any subject. */
export const rowsNamed = (caller: Caller, kind: Kind, ids: readonly string[]): Promise<Owned[]> =>
  caller.sql((query) => query<Owned>(OWNERS[kind], [ids]));

/** The owner of each of these rows. @throws ProblemError `not-found` */
export const ownersOf = async (caller: Caller, kind: Kind, ids: readonly string[]): Promise<(id: string) => Owned> => {
  const wanted = [...new Set(ids)];
  const found = new Map(inTheirSubjects(caller.actor, await rowsNamed(caller, kind, wanted)).map((row) => [row.id, row]));
  const owner = (id: string): Owned => {
    const row = found.get(id);
    if (!row) throw new ProblemError('not-found', MISSING[kind]);
    return row;
  };
  wanted.forEach(owner);
  return owner;
};

/** Of the rows that a change or removal names by this key. @throws ProblemError `not-found` */
export const ownersOfKeys = (caller: Caller, kind: Kind, rows: readonly { readonly key: string }[]): Promise<(id: string) => Owned> =>
  ownersOf(
    caller,
    kind,
    rows.map(({ key }) => key),
  );

/**
 * The steps of rows that are changed or removed, each with what it belongs to. Things do not move to another subject: their marks and classes
 * are of the one.
 */
export const byOwnedRow =
  <Row extends { readonly key: string; readonly values?: object }>(
    kind: Kind,
    stepsOf: (row: Row & Omit<Owned, 'id'>, caller: Caller) => Step | readonly Step[],
  ) =>
  async (caller: Caller, rows: readonly Row[]): Promise<readonly Step[]> => {
    const owner = await ownersOfKeys(caller, kind, rows);
    return rows.flatMap((row) => {
      const { subjectId, of } = owner(row.key);
      sameSubject(row.values ?? {}, subjectId);
      return stepsOf({ ...row, subjectId, of }, caller);
    });
  };

/** @throws ProblemError `invalid-input` */
export const sameSubject = (values: object, subjectId: string): void => {
  const moved = Object.entries(values).find(
    ([column, sent]) => column.toLowerCase() === 'subjectid' && sent !== undefined && sent !== subjectId,
  );
  if (moved) throw invalidInput(`values.${moved[0]}`, 'It cannot move to another subject.');
};

/** The parts of a scheme of work or of an assessment, by `holder`. $1 school; $2 what holds them. */
const PARTS = {
  scheme: `
    select w.scheme_id as holder, topic ->> 'topicId' as id
    from schemes w cross join lateral json_array_elements(w.topics) topic
    where w.school_id = $1 and w.scheme_id = any($2::uuid[])`,
  test: `select test_id as holder, question_id as id from questions where school_id = $1 and test_id = any($2::uuid[]) and not hidden order by number`,
};

/** All parts of each of these. */
export const partsOf = async (
  caller: Caller,
  kind: keyof typeof PARTS,
  holders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const parts = await caller.sql((query) => query<{ holder: string; id: string }>(PARTS[kind], [holders]));
  return new Map([...Map.groupBy(parts, ({ holder }) => holder)].map(([holder, ofHolder]) => [holder, ofHolder.map((part) => part.id)]));
};

/** A grade profile with its grades. */
type Profile = {
  readonly gradeProfileId: string;
  readonly subjectId: string;
  readonly name: string;
  readonly grades: readonly { readonly label: string; readonly percent: number }[];
  readonly keys: readonly { readonly label: string; readonly key: string }[];
};
const PROFILES = `
select p.grade_profile_id as "gradeProfileId", p.subject_id as "subjectId", p.name, p.grades, p.keys
from grade_profiles p join subjects s using (school_id, subject_id)
where p.school_id = $1 and not p.deleted`;

/** Those that the caller may see. */
export const gradeProfiles = async (caller: Caller): Promise<readonly Profile[]> =>
  inTheirSubjects(caller.actor, await caller.sql((query) => query<Profile>(PROFILES)));

/** The id of what the command of this row will make: a second command of the same row may be about it. */
export const madeBy = ({ actor, key }: Caller, command: CommandName, row: number, label: string): string =>
  newId(commandId(actor.accountId, uuidv5(`${command} ${row}`, key)), label);
