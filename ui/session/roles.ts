import type { Me } from '#contract/structure';

/** The areas of the product: the first part of an address, and the role through whose eyes one looks there (the specification's viewAs). */
export type Section = 'admin' | 'leader' | 'teacher' | 'student';
type Role = Me['role'];

export const roleNames: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  leader: 'Leader',
  teacher: 'Teacher',
  student: 'Student',
  auditor: 'Auditor',
};

/** What each role may enter: home first, then in the order of the role switch. An auditor reads what leaders read. */
const sections: Readonly<Record<Role, readonly [Section, ...Section[]]>> = {
  admin: ['admin', 'leader', 'teacher', 'student'],
  leader: ['leader', 'teacher', 'student'],
  teacher: ['teacher', 'student'],
  student: ['student'],
  auditor: ['leader'],
};

export const sectionsOf = (role: Role): readonly Section[] => sections[role];
export const mayEnter = (role: Role, section: Section): boolean => sections[role].includes(section);
/** A leader to whom the school has opened the structure of his subjects: its pages are the only ones of admin's that he enters. */
export const shapesStructure = ({ role, school, subjects }: Me): boolean =>
  role === 'leader' && school.structureOpen && subjects.length > 0;
export const homeOf = (role: Role): string => `/${sections[role][0]}`;

/** undefined: a page that is everybody's, such as /profile. */
export const sectionOf = (path: string): Section | undefined =>
  sections.admin.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
