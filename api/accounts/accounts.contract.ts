/** Requests and responses about accounts, and about forgetting people. */
import { z } from 'zod';
import { accountName, email, id, password } from '../contract/fields.ts';

export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], 'Select a role');
const teacherLinks = z.array(z.strictObject({ subjectId: id, teacherId: id }));
export const openStaffAccount = z.strictObject({ name: accountName, email, password, role: staffRole, teachers: teacherLinks.default([]) });
/** Given by an admin; fields that are left out do not change. */
export const changeStaffAccount = z.strictObject({
  accountId: id,
  email: email.optional(),
  role: staffRole.optional(),
  teachers: teacherLinks.optional(),
});
export const closeStaffAccount = z.strictObject({ accountId: id });
export const openStudentAccount = z.strictObject({ studentId: id, name: accountName, email, password });
export const closeStudentAccount = z.strictObject({ accountId: id });

// Forgetting, which cannot be undone
export const forgetStudent = z.strictObject({ studentId: id });
export const forgetStaffAccount = z.strictObject({ accountId: id });
export const forgetStudentAccount = z.strictObject({ accountId: id });
export const forgetTeacher = z.strictObject({ subjectId: id, teacherId: id });

/** GET /api/queries/me */
export type Me = {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'leader' | 'teacher' | 'student' | 'auditor';
  /** `structureOpen`: leaders may change the structure of their own subjects. */
  readonly school: { readonly schoolId: string; readonly name: string; readonly structureOpen: boolean };
  /** The subjects of a member of staff, the first one being the default; those of a student, each with the class. */
  readonly subjects: readonly MySubject[];
  /** The role that the user views as (X-View-As), and the chosen student. The rights are still the user's own. */
  readonly viewAs?: {
    readonly role: string;
    readonly studentId?: string;
    readonly name?: string;
    readonly subjects?: readonly MySubject[];
  };
};
/** `set`: only for a student; null: off roll. */
export type MySubject = { readonly subjectId: string; readonly name: string; readonly set?: string | null };

/** GET /api/queries/students-to-view?find=: the first 50, and how many there are. */
export type StudentsToView = {
  readonly students: readonly { readonly studentId: string; readonly name: string; readonly sets: readonly string[] }[];
  readonly count: number;
};
