import type { Me } from '#api/accounts/accounts.contract';
import type { Section } from './roles.ts';

/** The student whose pages staff view in this tab. */
export type Viewed = { readonly studentId: string; readonly name: string };

const PLACE = 'marktrail-viewed-student';

/** Kept for this tab only, and cleared with the session. */
export const readViewed = (): Viewed | undefined => {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? undefined : (JSON.parse(text) as Viewed);
};

export const writeViewed = (viewed: Viewed | undefined): void => {
  if (viewed) sessionStorage.setItem(PLACE, JSON.stringify(viewed));
  else sessionStorage.removeItem(PLACE);
};

/** The X-View-As header of a page; undefined in one's own section. */
export const viewAsOf = (role: Me['role'], section: Section | undefined, viewed: Viewed | undefined): string | undefined => {
  if (section === undefined || section === 'admin' || section === role || role === 'auditor') return undefined;
  return section === 'student' && viewed ? `student ${viewed.studentId}` : section;
};
