import type { Me } from '#api/accounts/accounts.contract';

/** The sections of the product: the first part of an address, and the role one views it as (`viewAs`). */
export type Section = 'admin' | 'leader' | 'teacher' | 'student';
type Role = Me['role'];

export const roleNames: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  leader: 'Leader',
  teacher: 'Teacher',
  student: 'Student',
  auditor: 'Auditor',
};

/** Who looks at everything that staff see, and enters nothing. */
export const readsOnly = (role: Role): boolean => role === 'auditor';

/** Who reads what happened in the whole school. */
export const readsHistory = (role: Role): boolean => role === 'admin' || readsOnly(role);

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
/** What the guard goes by. */
export type Entering = {
  readonly role: Role;
  readonly school: Pick<Me['school'], 'structureOpen'>;
  readonly subjects: readonly unknown[];
};

/** A leader whose school has opened the structure to leaders. Its pages are the only admin pages that a leader may enter. */
export const shapesStructure = ({ role, school, subjects }: Entering): boolean =>
  role === 'leader' && school.structureOpen && subjects.length > 0;
export const homeOf = (role: Role): string => `/${sections[role][0]}`;
