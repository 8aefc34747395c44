import type { RecordOf } from '../data/record.ts';

export const staffRoles = [
  { id: 'admin', name: 'Admin' },
  { id: 'leader', name: 'Leader' },
  { id: 'teacher', name: 'Teacher' },
  { id: 'auditor', name: 'Auditor' },
] as const;
export type StaffRole = (typeof staffRoles)[number]['id'];
export const roleName = (role: StaffRole | null): string => staffRoles.find(({ id }) => id === role)?.name ?? '';

export type TeacherLink = { readonly subjectId: string; readonly teacherId: string };

/** A record of /api/rest/staffUsers: an account, or a teacher record without one. */
export type StaffUser = RecordOf<'staffUsers'>;

export const staffStates = [
  { id: 'active', name: 'Active' },
  { id: 'invited', name: 'Invited, not activated yet' },
  { id: 'none', name: 'No account' },
] as const;
export const stateName = ({ state }: StaffUser): string => staffStates.find(({ id }) => id === state)?.name ?? '';
/** An account in use has lost its address to somebody who proved that it is theirs. */
export const NO_ADDRESS = 'No e-mail address any more';

export const nameOf = ({ name, teacher, email }: StaffUser): string => name ?? teacher ?? email ?? '';

/** A teacher record as an option of a select. */
export const linkText = ({ subjectId, teacherId }: TeacherLink): string => `${subjectId} ${teacherId}`;
export const linkIn = (text: string): TeacherLink => {
  const [subjectId = '', teacherId = ''] = text.split(' ');
  return { subjectId, teacherId };
};

/** A record of /api/rest/studentUsers. */
export type StudentUser = RecordOf<'studentUsers'>;
