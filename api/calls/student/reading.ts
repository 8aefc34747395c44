import { placeOf } from '../../analysis/student/student.facts.ts';
import type { RunSql } from '../../common/facts.ts';
import { inOrder } from '../../common/in-order.ts';
import { OF_STUDENT, seenBy, studentOf } from '../../common/of-student.ts';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Actor } from '../../actor.ts';
import type { Caller } from '../caller.ts';
import { readableSubject } from '../scope.ts';

/** Staff who ask about a student view as that student: `viewed` of a call. */
export const ofStudent = { asks: { UniqueID: id }, viewed: ({ UniqueID }: { readonly UniqueID: string }) => UniqueID } as const;

/** That it is the student's own, or that of the student as whom staff view. @throws ProblemError `not-found` */
export const own = (caller: Caller, studentId: string): void => {
  if (studentOf(caller.actor) !== studentId) throw new ProblemError('not-found', 'There is no such student.');
};

/**
 * A subject of the student, or one that the staff may read.
 *
 * @returns the scheme of work that a student knows, that of the class (null: none); undefined: all of them, to staff
 * @throws ProblemError `not-found`, `forbidden`
 */
export const ownSubject = async (query: RunSql, actor: Actor, subjectId: string): Promise<string | null | undefined> => {
  if (actor.studentId === null) await readableSubject(query, actor, subjectId);
  else {
    const { schemeId } = await placeOf(query, actor, subjectId);
    if (actor.role === 'student') return schemeId;
  }
  return undefined;
};

type Subject = {
  readonly SubjectID: string;
  readonly subject_name: string;
  readonly UniqueID: string;
  readonly StudentID: string | null;
  readonly LastFirst: string | null;
  readonly SetID: string | null;
  readonly SetName: string | null;
  readonly YeargroupID: string | null;
  readonly Yeargroup: number | null;
  readonly SoWId: string | null;
  readonly SoWName: string | null;
  readonly Red: number | null;
  readonly Amber: number | null;
  readonly Green: number | null;
};
/** The subjects of the student, with the classes, as far as whoever asks sees them. */
export const subjectsOf = (caller: Caller): Promise<readonly Subject[]> =>
  caller.sql((query) => query<Subject>(SUBJECTS, [studentOf(caller.actor), ...seenBy(caller.actor)]));

/** The subject of a scheme of work that the reader may know. @throws ProblemError `not-found`, `forbidden` */
export const subjectOfScheme = (caller: Pick<Caller, 'actor' | 'sql'>, schemeId: string): Promise<string> =>
  caller.sql(async (query) => {
    const [scheme] = await query<{ subjectId: string }>(
      `select subject_id as "subjectId" from schemes where school_id = $1 and scheme_id = $2`,
      [schemeId],
    );
    const missing = new ProblemError('not-found', 'There is no such scheme of work.');
    if (!scheme) throw missing;
    const known = await ownSubject(query, caller.actor, scheme.subjectId).catch((error: unknown) => {
      throw error instanceof ProblemError ? missing : error;
    });
    if (known !== undefined && known !== schemeId) throw missing;
    return scheme.subjectId;
  });

const SUBJECTS = `
select s.student_id as "UniqueID", s.admission_no as "StudentID", s.name as "LastFirst", b.subject_id as "SubjectID", b.name as subject_name,
  g.set_id as "SetID", g.name as "SetName", y.year_group_id as "YeargroupID", y.year as "Yeargroup", w.scheme_id as "SoWId", w.name as "SoWName",
  g.red as "Red", g.amber as "Amber", g.green as "Green"
from enrolments e
join students s on s.school_id = $1 and s.student_id = e.student_id
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
left join sets g on g.school_id = $1 and g.set_id = e.set_id and not g.deleted
left join year_groups y on y.school_id = $1 and y.year_group_id = g.year_group_id
left join schemes w on w.school_id = $1 and w.scheme_id = g.scheme_id
where ${OF_STUDENT} and e.state <> 'removed'
order by ${inOrder('b.name')}, b.subject_id`;
