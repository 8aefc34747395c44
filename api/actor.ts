import type { Actor as RecordedActor, Role } from '../events/codec/event.ts';

/** The user: an account with its current role, the subjects it belongs to and the sets it teaches. */
export type Actor = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  readonly subjectIds: readonly string[];
  readonly setIds: readonly string[];
  /** A leader of a school that has opened the structure to leaders. */
  readonly configures?: boolean;
  /** A student's own id; for staff who view as a student, that student's. */
  readonly studentId: string | null;
  /** By a bearer token that was made in the profile. */
  readonly byProfileToken?: true;
  /** The role that the user views as. The rights are still the user's own. */
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

/** Whether the actor may write in a set: an admin in all, a leader in those of their subjects, a teacher in their own. */
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

/** Who may look at all subjects of the school. */
export const readsWholeSchool = ({ role }: Pick<Actor, 'role'>): boolean => role === 'admin' || role === 'auditor';

/** Of a subject that they may see: teachers see their own classes. */
export const maySeeClass = ({ role, setIds }: Actor, setId: string | undefined): boolean =>
  role !== 'teacher' || (setId !== undefined && setIds.includes(setId));

/** Staff who may look at a subject as a whole. */
export const mayReadSubject = (actor: Actor, subjectId: string): boolean =>
  actor.role === 'system' ||
  readsWholeSchool(actor) ||
  ((actor.role === 'leader' || actor.role === 'teacher') && actor.subjectIds.includes(subjectId));
