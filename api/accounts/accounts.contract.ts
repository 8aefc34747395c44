/** Requests and responses about accounts: commands of admins, who one is, records. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant, nothing, record } from '../contract/answer.ts';
import * as auth from '../contract/auth.ts';
import { accountName, email, id, password } from '../contract/fields.ts';
import { reportWords } from '../school/report-words.contract.ts';

export const { staffRole } = auth;
const teacherLinks = z.array(z.strictObject({ subjectId: id, teacherId: id }));
export const openStaffAccount = z.strictObject({ name: accountName, email, password, role: staffRole, teachers: teacherLinks.default([]) });
/** Given by an admin; fields that are left out do not change. */
export const changeStaffAccount = z.strictObject({
  accountId: id,
  email: email.optional(),
  role: staffRole.optional(),
  teachers: teacherLinks.optional(),
});
export const openStudentAccount = z.strictObject({ studentId: id, name: accountName, email, password });

// Forgetting, which cannot be undone
export const forgetStaffAccount = z.strictObject({ accountId: id });
export const forgetStudentAccount = z.strictObject({ accountId: id });

const mySubject = z.object({
  subjectId: id,
  name: z.string(),
  set: z.string().nullable().exactOptional().describe('Only for a student; null: off roll.'),
});
export type MySubject = Answer<typeof mySubject>;

const me = z.object({
  accountId: id,
  name: z.string(),
  email: z.string(),
  role: z.enum([...staffRole.options, 'student']),
  school: z
    .object({
      schoolId: id,
      name: z.string(),
      structureOpen: z.boolean(),
      resultsShown: z.boolean(),
      reports: reportWords.exactOptional(),
    })
    .describe(
      '`structureOpen`: leaders may change the structure of their own subjects. `resultsShown`: students see rank, score and grade of complete tasks on their home. `reports`: the words that the school prints on its reports; left out: the usual ones.',
    ),
  subjects: z
    .array(mySubject)
    .describe('The subjects of a member of staff, the first one being the default; those of a student, each with the class.'),
  removedSubjects: z
    .array(z.string())
    .exactOptional()
    .describe('The names of removed subjects in which the member of staff has a teacher record.'),
  viewAs: z
    .object({
      role: z.string(),
      studentId: id.exactOptional(),
      teacherId: id.exactOptional(),
      name: z.string().exactOptional(),
      subjects: z.array(mySubject).exactOptional().describe('Of the student; the subject in which the teacher teaches.'),
      setIds: z.array(id).exactOptional().describe('The classes of the teacher.'),
    })
    .exactOptional()
    .describe("The role that the user views as (X-View-As), and the chosen student or teacher. The rights are still the user's own."),
});
export type Me = Answer<typeof me>;

const invitation = z.object({ accountId: id, invitation: z.int() });

export const accountCommands = {
  OpenStaffAccount: { input: openStaffAccount, result: z.object({ accountId: id }) },
  InviteStaff: { input: auth.inviteStaff, result: invitation },
  InviteStaffAgain: { input: auth.inviteStaffAgain, result: invitation },
  ChangeStaffAccount: { input: changeStaffAccount, result: z.object({ isOtherEmail: z.boolean(), invitation: z.int() }) },
  CloseStaffAccount: { input: z.strictObject({ accountId: id }), result: nothing },
  ForgetStaffAccount: { input: forgetStaffAccount, result: nothing },
  OpenStudentAccount: { input: openStudentAccount, result: z.object({ accountId: id }) },
  ResetStudentAccount: { input: auth.resetStudentAccount, result: auth.studentReset },
  CloseStudentAccount: { input: z.strictObject({ accountId: id }), result: nothing },
  IssueJoinCode: { input: auth.issueJoinCode, result: z.object({ code: z.string() }) },
  ChangeJoinDomain: { input: auth.changeJoinDomain, result: nothing },
};

export const accountQueries = {
  me: { input: z.object({}), answer: me },
};

export const accountRecords = {
  staffUsers: record({
    accountId: id.nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: staffRole.nullable(),
    teachers: z.array(z.object({ subjectId: id, teacherId: id })),
    state: z.enum(['active', 'invited', 'none']).describe('`none`: a teacher record without an account.'),
    invitedAt: instant.nullable(),
    teacher: z.string().nullable(),
    subject: z.string().nullable(),
  }),
  studentUsers: record({
    name: z.string().nullable(),
    email: z.string().nullable(),
    studentId: id.nullable(),
    student: z.string().nullable(),
    admissionNo: z.string().nullable(),
    joined: instant,
    subject: z.string().nullable(),
    subjectIds: z.array(id),
  }),
};
