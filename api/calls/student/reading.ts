import { z } from 'zod';
import { noSuch } from '../../common/about.ts';
import { inOrder } from '../../common/in-order.ts';
import { OF_STUDENT, seenBy, studentOf } from '../../common/of-student.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';

/** Staff who ask about a student view as that student: `viewed` of a call. */
export const ofStudent = { asks: { UniqueID: id }, viewed: ({ UniqueID }: { readonly UniqueID: string }) => UniqueID } as const;

/** A subject of a student, with the class. */
export const placeRow = z.object({
  UniqueID: id,
  StudentID: z.string().nullable(),
  LastFirst: z.string().nullable(),
  SubjectID: id,
  subject_name: z.string(),
  SetID: id.nullable().describe('null: off roll.'),
  SetName: z.string().nullable(),
  YeargroupID: id.nullable(),
  Yeargroup: z.int().nullable(),
  SoWId: id.nullable(),
  SoWName: z.string().nullable(),
  Red: z.int().nullable(),
  Amber: z.int().nullable(),
  Green: z.int().nullable(),
});
type Subject = z.output<typeof placeRow>;

/** The subjects of the student, with the classes, as far as whoever asks sees them. */
export const subjectsOf = (caller: Caller): Promise<readonly Subject[]> =>
  caller.sql((query) => query<Subject>(SUBJECTS, [studentOf(caller.actor), ...seenBy(caller.actor)]));

/** That of the student. @throws ProblemError `not-found` */
export const subjectOf = async (caller: Caller, subjectId: string): Promise<Subject> => {
  const subject = (await subjectsOf(caller)).find(({ SubjectID }) => SubjectID === subjectId);
  if (!subject) throw noSuch('subject');
  return subject;
};

/** The subject of a scheme of work that the reader may know: a student that of their class. @throws ProblemError `not-found` */
export const subjectOfScheme = async (caller: Caller, schemeId: string): Promise<string> => {
  const { studentId, role } = caller.actor;
  if (studentId === null) return (await caller.sees('scheme', schemeId)).subjectId;
  const subjects = await subjectsOf(caller);
  const subjectId =
    role === 'student' ? subjects.find(({ SoWId }) => SoWId === schemeId)?.SubjectID : (await caller.sees('scheme', schemeId)).subjectId;
  if (subjectId === undefined || subjects.every(({ SubjectID }) => SubjectID !== subjectId)) throw noSuch('scheme');
  return subjectId;
};

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
