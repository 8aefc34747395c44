import type { Actor as RecordedActor, Role } from '../events/codec/event.ts';

/** Who asks: an account with its role, the subjects it belongs to and the sets it teaches, as the read models have it now. */
export type Actor = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  readonly subjectIds: readonly string[];
  readonly setIds: readonly string[];
  /** A leader to whom the school has opened the structure of his subjects; left out: not so. */
  readonly configures?: boolean;
  /** Of a student, his own; of staff who look through a student's eyes, that student's. */
  readonly studentId: string | null;
  /** Through whose eyes he looks. His rights are his own all the same. */
  readonly viewAs?: RecordedActor['viewAs'];
};

/** The installation itself, which opens schools and forgets persons. Its account id is the school's id. */
export const systemActor = (schoolId: string): Actor => ({
  accountId: schoolId,
  schoolId,
  role: 'system',
  name: 'Marktrail',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId: null,
});

/** The sets of a subject that the actor may write in: an admin all, a leader those of his subjects, a teacher his own. */
export const mayWriteSet = (actor: Actor, { setId, subjectId }: { setId: string; subjectId: string }): boolean => {
  switch (actor.role) {
    case 'system':
    case 'admin':
      return true;
    case 'leader':
      return actor.subjectIds.includes(subjectId);
    case 'teacher':
      return actor.setIds.includes(setId);
    default:
      return false;
  }
};

/** Staff who may look at a subject as a whole. */
export const mayReadSubject = (actor: Actor, subjectId: string): boolean =>
  actor.role === 'system' ||
  actor.role === 'admin' ||
  actor.role === 'auditor' ||
  ((actor.role === 'leader' || actor.role === 'teacher') && actor.subjectIds.includes(subjectId));
