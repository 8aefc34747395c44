import type { Me } from '#contract/structure';
import type { Section } from './roles.ts';

/** The student through whose eyes a tab looks. */
export type Viewed = { readonly studentId: string; readonly name: string };

const PLACE = 'marktrail-viewed-student';

/** It is of this tab only, and ends with the session. */
export const readViewed = (): Viewed | undefined => {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? undefined : (JSON.parse(text) as Viewed);
};

export const writeViewed = (viewed: Viewed | undefined): void => {
  if (viewed) sessionStorage.setItem(PLACE, JSON.stringify(viewed));
  else sessionStorage.removeItem(PLACE);
};

/** X-View-As for the requests of a page; none where one looks through one's own eyes. */
export const eyesOf = (role: Me['role'], section: Section | undefined, viewed: Viewed | undefined): string | undefined => {
  if (section === undefined || section === 'admin' || section === role || role === 'auditor') return undefined;
  return section === 'student' && viewed ? `student ${viewed.studentId}` : section;
};
