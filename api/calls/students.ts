import { z } from 'zod';
import { inOrder } from '../common/in-order.ts';
import { ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import { OFF_ROLL_SET, offRollSetId } from './admin/off-roll.ts';
import type { Caller } from './caller.ts';

/** A student in a subject; off roll, in the set Off-Roll. `dateOfBirth` is for admins only. */
export type InSubject = {
  readonly studentId: string;
  readonly admissionNo: string | null;
  readonly name: string | null;
  readonly dateOfBirth: string | null;
  readonly setId: string;
  readonly setName: string;
  /** Not where the class was deleted. */
  readonly isInClass: boolean;
  readonly state: 'on-roll' | 'off-roll';
};

/** All of a subject, in the order of their names; those who are not in a class too. */
export const studentsIn = async (caller: Caller, subjectId: string): Promise<readonly InSubject[]> => {
  type Row = Omit<InSubject, 'setId' | 'setName' | 'isInClass'> & { readonly setId: string | null; readonly setName: string | null };
  const rows = await caller.sql((query) => query<Row>(STUDENTS, [subjectId]));
  return rows.map(({ setId, setName, ...student }) => ({
    ...student,
    isInClass: setId !== null,
    setId: setId ?? offRollSetId(subjectId),
    setName: setName ?? OFF_ROLL_SET,
  }));
};

/** By their documented names. */
export const studentOfSet = z.object({
  UniqueID: id,
  StudentID: z.string().nullable(),
  LastFirst: z.string().nullable().describe('null: forgotten.'),
  SetID: id,
  SetName: z.string(),
});
export const asStudentOfSet = <SetId extends string | null>({ studentId, admissionNo, name, setId, setName }: Named<SetId>) => ({
  UniqueID: studentId,
  StudentID: admissionNo,
  LastFirst: name,
  SetID: setId,
  SetName: setName,
});

type Named<SetId> = Pick<InSubject, 'studentId' | 'admissionNo' | 'name' | 'setName'> & { readonly setId: SetId };

/** `names`: of the classes. */
export const studentOfMarkbook = (student: Omit<Named<string>, 'setName'>, names: ReadonlyMap<string, string>) =>
  asStudentOfSet({ ...student, setName: names.get(student.setId) ?? '' });

export type KnownStudent = Pick<InSubject, 'studentId' | 'admissionNo' | 'name' | 'dateOfBirth'> & {
  /** in which they are */
  readonly subjectIds: readonly string[];
};

/** Students of the school, for its admins. @throws ProblemError `not-found` */
export const studentsNamed = async (caller: Caller, ids: readonly string[]): Promise<(id: string) => KnownStudent> => {
  const students = new Map(
    (await caller.sql((query) => query<KnownStudent>(NAMED, [[...new Set(ids)]]))).map((row) => [row.studentId, row]),
  );
  return (one) => {
    const student = students.get(one);
    if (!student) throw new ProblemError('not-found', 'There is no such student.');
    return student;
  };
};
/** $1 school; $2 subject. */
const STUDENTS = `
select s.student_id as "studentId", s.admission_no as "admissionNo", s.name, s.date_of_birth::text as "dateOfBirth",
  t.set_id as "setId", t.name as "setName", e.state
from enrolments e
join students s using (school_id, student_id)
left join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
where e.school_id = $1 and e.subject_id = $2 and e.state <> 'removed'
order by ${inOrder('s.name')}, s.student_id`;

/** $1 school; $2 students. */
const NAMED = `
select s.student_id as "studentId", s.admission_no as "admissionNo", s.name, s.date_of_birth::text as "dateOfBirth",
  array(select e.subject_id from enrolments e join subjects b using (school_id, subject_id)
         where e.school_id = $1 and e.student_id = s.student_id and e.state <> 'removed') as "subjectIds"
from students s where s.school_id = $1 and s.student_id = any($2::uuid[])`;
