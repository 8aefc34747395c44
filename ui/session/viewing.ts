import { readsOnly } from '../roles.ts';
import type { Me } from '#api/accounts/accounts.contract';
import type { Section } from '../roles.ts';

/** The student whose pages staff view in this tab. */
export type Viewed = { readonly studentId: string; readonly name: string };

/** The teacher whose classes a leader or admin has chosen in this tab: a record of a subject. */
export type ViewedTeacher = { readonly subjectId: string; readonly teacherId: string; readonly name: string };

const PLACE = 'marktrail-viewed-student';
const TEACHER = 'marktrail-viewed-teacher';

/** Kept for this tab only, and cleared with the session. */
export const readViewed = (): Viewed | undefined => {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? undefined : (JSON.parse(text) as Viewed);
};

export const writeViewed = (viewed: Viewed | undefined): void => {
  if (viewed) sessionStorage.setItem(PLACE, JSON.stringify(viewed));
  else sessionStorage.removeItem(PLACE);
};

/** Kept for this tab and account only, and cleared with the session. */
export const readViewedTeacher = (accountId: string): ViewedTeacher | undefined => {
  const text = sessionStorage.getItem(`${TEACHER}-${accountId}`);
  return text === null ? undefined : (JSON.parse(text) as ViewedTeacher);
};

export const writeViewedTeacher = (accountId: string, teacher: ViewedTeacher | undefined): void => {
  if (teacher) sessionStorage.setItem(`${TEACHER}-${accountId}`, JSON.stringify(teacher));
  else sessionStorage.removeItem(`${TEACHER}-${accountId}`);
};

type Views = { readonly viewed: Viewed | undefined; readonly teacher: ViewedTeacher | undefined };

/** The X-View-As header of a page; undefined in one's own section. */
export const viewAsOf = (role: Me['role'], section: Section | undefined, { viewed, teacher }: Views): string | undefined => {
  if (section === undefined || section === 'admin' || section === role || readsOnly(role)) return undefined;
  if (section === 'teacher' && teacher) return `teacher ${teacher.teacherId}`;
  return section === 'student' && viewed ? `student ${viewed.studentId}` : section;
};
