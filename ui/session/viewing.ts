import { readsOnly } from '../roles.ts';
import type { Me } from '#api/accounts/accounts.contract';
import type { Section } from '../roles.ts';

/** The student whose pages staff view in this tab. */
export type Viewed = { readonly studentId: string; readonly name: string };

/** The teacher whose classes a leader or admin has chosen in this tab: a record of a subject. */
export type ViewedTeacher = { readonly subjectId: string; readonly teacherId: string; readonly name: string };

/** Kept for this tab only, and cleared with the session. */
const keptAs = <Kept>(name: string) => ({
  read: (): Kept | undefined => (JSON.parse(sessionStorage.getItem(name) ?? 'null') as Kept | null) ?? undefined,
  write: (kept: Kept | undefined): void => {
    if (kept) sessionStorage.setItem(name, JSON.stringify(kept));
    else sessionStorage.removeItem(name);
  },
});

export const keptStudent = keptAs<Viewed>('marktrail-viewed-student');
export const keptTeacher = (accountId: string) => keptAs<ViewedTeacher>(`marktrail-viewed-teacher-${accountId}`);

type Views = { readonly viewed: Viewed | undefined; readonly teacher: ViewedTeacher | undefined };

/** The X-View-As header of a page; undefined in one's own section. */
export const viewAsOf = (role: Me['role'], section: Section | undefined, { viewed, teacher }: Views): string | undefined => {
  if (section === undefined || section === 'admin' || section === role || readsOnly(role)) return undefined;
  if (section === 'teacher' && teacher) return `teacher ${teacher.teacherId}`;
  return section === 'student' && viewed ? `student ${viewed.studentId}` : section;
};
