import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import { ProblemError } from './problems.ts';

/** The student whose pages are shown. @throws ProblemError unless the user is a student or views as one */
export const studentOf = ({ studentId }: Actor): string => {
  if (studentId === null) throw new ProblemError('forbidden', 'This is shown to students, and to staff who view as one.');
  return studentId;
};

/**
 * The subjects and classes to which the answer is limited; null: no limit. Staff who view as a student see no more of that student than
 * otherwise: a leader their own subjects, a teacher their own classes.
 */
export const seenBy = (actor: Actor): readonly [readonly string[] | null, readonly string[] | null] =>
  actor.role === 'student' || readsWholeSchool(actor)
    ? [null, null]
    : actor.role === 'leader'
      ? [actor.subjectIds, null]
      : [null, actor.setIds];

/** SQL of an enrolment `e`: that of the student $2, in the subjects $3 and the classes $4 (see `seenBy`). $1 school. */
export const OF_STUDENT = `e.school_id = $1 and e.student_id = $2
  and ($3::uuid[] is null or e.subject_id = any($3)) and ($4::uuid[] is null or e.set_id = any($4))`;
