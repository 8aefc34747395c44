import type { Me } from '#api/structure/structure.contract';

/** The sections of the product: the first part of an address, and the role one views it as (the specification's viewAs). */
export type Section = 'admin' | 'leader' | 'teacher' | 'student';
type Role = Me['role'];

export const roleNames: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  leader: 'Leader',
  teacher: 'Teacher',
  student: 'Student',
  auditor: 'Auditor',
};

/** The sections of each role: home first, then in the order of the role switch. An auditor reads what leaders read. */
const sections: Readonly<Record<Role, readonly [Section, ...Section[]]>> = {
  admin: ['admin', 'leader', 'teacher', 'student'],
  leader: ['leader', 'teacher', 'student'],
  teacher: ['teacher', 'student'],
  student: ['student'],
  auditor: ['leader'],
};

export const sectionsOf = (role: Role): readonly Section[] => sections[role];
export const mayEnter = (role: Role, section: Section): boolean => sections[role].includes(section);
/** A leader whose school has opened the structure to leaders. Its pages are the only admin pages that a leader may enter. */
export const shapesStructure = ({ role, school, subjects }: Me): boolean =>
  role === 'leader' && school.structureOpen && subjects.length > 0;
/** Where somebody is sent who may not enter the section: home. `structure`: a page for leaders too, once the structure is open to them. */
export const bouncedTo = (me: Me, section: Section | undefined, structure = false): string | undefined =>
  section === undefined || mayEnter(me.role, section) || (structure && shapesStructure(me)) ? undefined : homeOf(me.role);
export const homeOf = (role: Role): string => `/${sections[role][0]}`;

/** undefined: a page for every role, such as /profile. */
export const sectionOf = (path: string): Section | undefined =>
  sections.admin.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
