import { z } from 'zod';
import { ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import * as shapes from './account-shapes.ts';
import { call, doorCall } from './call.ts';
import type { Caller } from './caller.ts';
import { rowsNamed } from './admin/look-up.ts';
import { step } from './step.ts';
import { subjectsOf } from './student/reading.ts';

/**
 * Who one is, sign-in, and the accounts of a school. What nobody has to be signed in for, and what is about the session itself, is answered
 * by api/http/routes/account-calls.ts.
 */
const OWN_PAGE = 'It must come from a page of Marktrail or with a bearer token: a picture or link on any page would send it too.';

const NAMES = { admin: 'Admin', leader: 'Leader', teacher: 'Teacher', auditor: 'Auditor', student: 'Student', system: 'System' } as const;
const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], 'Select a role');
const role = z.object({ id: z.string(), name: z.string() });
const roleNamed = (name: keyof typeof NAMES) => ({ id: name, name: NAMES[name] });
const message = z.object({ message: z.string() });

const teacherRecord = z.object({ TeacherID: id, Teacher: z.string().nullable(), SubjectID: id, subject_name: z.string() });
const placeOfStudent = z.object({
  UniqueID: id,
  StudentID: z.string().nullable(),
  LastFirst: z.string().nullable(),
  subjectid: id,
  subject_name: z.string(),
  YeargroupID: id.nullable(),
  Yeargroup: z.int().nullable(),
  SetID: id.nullable(),
  SetName: z.string().nullable(),
  SoWId: id.nullable(),
  SoWName: z.string().nullable(),
  Red: z.int().nullable(),
  Amber: z.int().nullable(),
  Green: z.int().nullable(),
});

export const accountsCalls = {
  'POST /oauth/token': doorCall({
    purpose: 'A bearer token for the right password, good for 30 days.',
    takes: shapes.tokenAsked,
    answers: shapes.tokenGiven,
    behind: [],
    differs:
      '`client_id`, `client_secret` and `scope` are taken and ignored: a secret that every browser knows protects nothing. An account with two-step sign-in is refused (401, with the reason) and makes its token in its profile. Limited like log-ins. The token is told once and stored as a hash; it stands in the profile among the sessions, and whatever ends sessions ends it. It makes no other token and changes no second step.',
  }),
  'GET /logout': doorCall({
    purpose: 'Ends the session or the token that sends it.',
    answers: shapes.loggedOut,
    behind: [],
    differs: OWN_PAGE,
  }),
  'GET /user-load': call({
    purpose: 'Of a student, the subjects with their classes; of staff, the teacher records.',
    answers: z.object({
      students: z.array(placeOfStudent).exactOptional(),
      teacher: teacherRecord.nullable().exactOptional(),
      teachers: z.array(teacherRecord).exactOptional(),
    }),
    behind: [],
    models: ['structure', 'roster', 'accounts'],
    differs: '`teacher` is the first of the teacher records; `teachers` has those of all subjects.',
    async adapt(caller) {
      if (caller.actor.studentId !== null)
        return { students: (await subjectsOf(caller)).map(({ SubjectID: subjectid, ...place }) => ({ ...place, subjectid })) };
      const teachers = await teacherRecords(caller);
      return { teacher: teachers[0] ?? null, teachers };
    },
  }),
  'POST /report_error': doorCall({
    purpose: 'Reports an error of a page.',
    takes: shapes.errorTyped,
    answers: z.object({ id: z.string() }),
    behind: [],
    differs: '`user` and `school` are passed over: who reports it is known by the session.',
  }),
  'POST /forget-password': doorCall({
    purpose: 'Mails a link for a new password, if the address has an account; the answer is the same for every address.',
    asks: shapes.forgotten,
    answers: message,
    behind: [],
  }),
  'POST /reset-password': doorCall({
    purpose: 'Sets a password by the token of a mailed link: a new one, or the first of an account that was invited.',
    takes: shapes.resetTyped,
    answers: message,
    behind: [],
    differs:
      '`email` is passed over: the token knows its account. The token of an invitation activates the account, with the name that it was invited by.',
  }),
  'PUT /users_students/code': doorCall({
    purpose: 'The joining code of a subject and the domain of its addresses; with `forcenew`, or where there is none, a new code.',
    asks: shapes.codeAsked,
    answers: z.object({ code: z.string().nullable(), domain: z.string().nullable() }),
    behind: ['IssueJoinCode', 'ChangeJoinDomain'],
    differs: 'The server draws the code, and the one in the answer counts; `code` is passed over.',
  }),
  'GET /sociallogin/{id}': doorCall({
    purpose: 'Begins social sign-in, in a popup.',
    answers: z.string().describe('A redirect to the provider, and from there to /auth/callback.'),
    behind: [],
    differs:
      'There is one provider, whatever the name; 404 where the installation has none. It signs in to an account that is there, and makes none.',
  }),
  'POST /verify-code': doorCall({
    purpose: 'The school and subject of a joining code; with a date of birth, the names to choose from.',
    takes: shapes.codeTyped,
    answers: z.object({
      school: z.object({ name: z.string() }),
      subject: z.string(),
      domain: z.string().nullable(),
      students: z.array(z.object({ UniqueID: z.string(), LastFirst: z.string(), DoB: z.string() })),
      wait: z.int().exactOptional().describe('All places for dates of birth are taken: send it again after so many seconds at the latest.'),
    }),
    behind: ['JoinByCode'],
    differs:
      'No list of students is given away: names come only after the date of birth was sent (`DoB`), those who were born on that day among others, each with a `UniqueID` that stands for this choice alone, once, for 20 minutes. Codes, dates and choices are limited.',
  }),
  'PUT /verify-code/{id}': doorCall({
    purpose: 'Joins as the chosen student: opens the account and signs in.',
    takes: shapes.joinTyped,
    answers: message,
    behind: ['JoinByCode'],
    differs:
      'The id is the `UniqueID` of POST verify-code. A wrong choice ends the joining; an address or password that is refused may be corrected and sent again. `code` and `name` are passed over: the choice knows them. The domain of the school is added to the part before the @.',
  }),
  'POST /auth/register': doorCall({
    purpose: 'Registers a new school: a mail follows.',
    takes: shapes.registerTyped,
    answers: message,
    behind: [],
    differs:
      'Once after POST recaptcha, within 20 minutes and by the same browser. Whoever sends it agrees to the terms and conditions. 403 where registration is closed, as by default in production; POST recaptcha and new-db too.',
  }),
  'POST /recaptcha': doorCall({
    purpose: 'The robot check before a registration.',
    takes: shapes.robotTyped,
    answers: z.object({ success: z.boolean() }),
    behind: [],
    differs:
      '`response` is a solved challenge of /api/door/robot-check; `secret` is passed over, the secret stays on the server. Passed, it sets a cookie that opens one registration.',
  }),
  'POST /new-db': doorCall({
    purpose: 'Opens a registered school with its first admin.',
    takes: shapes.schoolTyped,
    answers: message,
    behind: [],
    differs: 'It takes the `token` of the mailed link as well.',
  }),
  'GET /profile': call({
    purpose: "One's own account.",
    answers: z.object({ user: z.object({ id, name: z.string(), email: z.string(), role }) }),
    behind: ['me'],
    async adapt(caller) {
      const { accountId, name, email, role: own } = await caller.query('me', {});
      return { user: { id: accountId, name, email, role: roleNamed(own) } };
    },
  }),
  'POST /profile': doorCall({
    purpose: "Verifies one's own password: for 10 minutes the same session or token may change the profile.",
    takes: shapes.passwordTyped,
    answers: shapes.verifiedUntil,
    behind: [],
  }),
  'PUT /profile/{id}': doorCall({
    purpose: "Changes one's own name, address or password, once POST profile has verified the password.",
    takes: shapes.profileTyped,
    answers: message,
    behind: [],
    differs: 'A new address counts once its owner has opened the link that is mailed there.',
  }),
  'GET /checkauth': call({
    purpose: 'Who is signed in; 401 if nobody is.',
    answers: z.object({ scope: z.string(), name: z.string(), school: z.string() }),
    behind: ['me'],
    async adapt(caller) {
      const { name, role: scope, school } = await caller.query('me', {});
      return { scope, name, school: school.name };
    },
  }),
  'GET /users_teachers': call({
    purpose: 'Staff accounts, and teacher records without one; and the roles to choose from.',
    answers: z.object({
      users: z.array(
        z.object({
          id: z.string().nullable().describe('null: a teacher record without an account'),
          name: z.string().nullable(),
          email: z.string().nullable(),
          role_id: z.string().nullable(),
          role: role.nullable(),
          active: z.boolean(),
          Teacher: z.string().nullable(),
          subject_name: z.string().nullable(),
          teachers: z.array(z.object({ TeacherID: id, SubjectID: id })),
        }),
      ),
      roles: z.array(role),
    }),
    behind: ['staffUsers'],
    async adapt(caller) {
      const users = await caller.list('staffUsers');
      return {
        users: users.map(({ accountId, name, email, role: own, state, teacher, subject, teachers }) => ({
          id: accountId,
          name,
          email,
          role_id: own,
          role: own === null ? null : roleNamed(own),
          active: state === 'active',
          Teacher: teacher,
          subject_name: subject,
          teachers: teachers.map(({ teacherId, subjectId }) => ({ TeacherID: teacherId, SubjectID: subjectId })),
        })),
        roles: staffRole.options.map(roleNamed),
      };
    },
  }),
  'POST /users_teachers': call({
    purpose: 'Invites somebody to a staff account, by mail.',
    asks: z.strictObject({ name: z.string(), email: z.string(), role: staffRole, teacher: id.optional() }),
    answers: z.object({ id, role_id: z.string(), email: z.string() }),
    behind: ['InviteStaff'],
    async adapt(caller, { asks: { name, email, role: own, teacher } }) {
      const teachers = teacher === undefined ? [] : [{ teacherId: teacher, subjectId: await subjectOfTeacher(caller, teacher) }];
      const written = await caller.write(
        [step(0, 'InviteStaff', { name, email, role: own, teachers }, ({ accountId }) => accountId)],
        ['accounts'],
      );
      return { id: written.ids[0] ?? '', role_id: own, email };
    },
  }),
  'PUT /users_teachers/{id}': call({
    purpose: 'Changes the role or the address of a staff account.',
    asks: z.strictObject({ role: staffRole.optional(), email: z.string().optional() }),
    answers: message,
    behind: ['ChangeStaffAccount'],
    async adapt(caller, { asks, id: accountId }) {
      await caller.write([step(0, 'ChangeStaffAccount', { accountId, ...asks }, accountId)], ['accounts']);
      return { message: 'The account was changed' };
    },
  }),
  'GET /users_teachers/{id}': call({
    purpose: 'Sends the invitation to a staff account again.',
    answers: message,
    behind: ['InviteStaffAgain'],
    changes: true,
    differs: OWN_PAGE,
    async adapt(caller, { id: accountId }) {
      await caller.write([step(0, 'InviteStaffAgain', { accountId }, accountId)], ['accounts']);
      return { message: 'The activation was sent again' };
    },
  }),
  'GET /users_students': call({
    purpose: 'Accounts of students, and the students of all subjects.',
    answers: z.object({
      users: z.array(
        z.object({
          id,
          name: z.string().nullable(),
          email: z.string().nullable(),
          UniqueID: id.nullable(),
          StudentID: z.string().nullable(),
          LastFirst: z.string().nullable(),
        }),
      ),
      students: z.array(
        z.object({
          UniqueID: id,
          StudentID: z.string().nullable(),
          LastFirst: z.string().nullable(),
          SubjectID: id,
          SetID: id.nullable(),
          SetName: z.string(),
        }),
      ),
    }),
    behind: ['studentUsers', 'students'],
    async adapt(caller) {
      const [users, students] = await Promise.all([caller.list('studentUsers'), caller.list('students')]);
      return {
        users: users.map(({ id: own, name, email, studentId, admissionNo, student }) => ({
          id: own,
          name,
          email,
          UniqueID: studentId,
          StudentID: admissionNo,
          LastFirst: student,
        })),
        students: students.map(({ studentId, admissionNo, name, subjectId, setId, set }) => ({
          UniqueID: studentId,
          StudentID: admissionNo,
          LastFirst: name,
          SubjectID: subjectId,
          SetID: setId,
          SetName: set,
        })),
      };
    },
  }),
  'PUT /users_students/{id}': call({
    purpose: 'Resets the password of a student.',
    answers: z.object({ message: z.string(), link: z.string() }),
    behind: ['ResetStudentAccount'],
    differs: 'Sets no known word: a link that works once is mailed to the student, and shown to the admin.',
    async adapt(caller, { id: accountId }) {
      const { results } = await caller.write([step(0, 'ResetStudentAccount', { accountId }, accountId)], ['accounts']);
      // Safe: the answer is held to the command's schema.
      const { link } = results[0] as { link: string };
      return { message: 'The student sets a new password by the link', link };
    },
  }),
  'DELETE /users_students/{id}': call({
    purpose: 'Closes the account of a student; the student and the marks stay.',
    answers: message,
    behind: ['CloseStudentAccount'],
    async adapt(caller, { id: accountId }) {
      await caller.write([step(0, 'CloseStudentAccount', { accountId }, accountId)], ['accounts']);
      return { message: 'The account was closed' };
    },
  }),
  'POST /feedback': doorCall({
    purpose: 'Announces a new task to the teachers of its classes, by mail.',
    asks: shapes.feedbackAsked,
    answers: message,
    behind: ['task'],
    differs: 'The mails are those of the task itself: who has had one gets no other. `name` and `expiry` are those of the task.',
  }),
  'POST /email': call({
    purpose: 'Reminds the teachers of a class to check the ranking (type 1) or the grades (type 2) of its newest task that waits for it.',
    takes: z.strictObject({ type: z.literal([1, 2]), teacher: id.nullish(), class: id }),
    answers: message,
    behind: ['tasks', 'RemindTeachers'],
    differs: 'The mail goes to all teachers of the class that have an account, whichever `teacher` is named.',
    async adapt(caller, { takes: { type, teacher, class: setId } }) {
      if (typeof teacher === 'string') await caller.sees('subject', await subjectOfTeacher(caller, teacher));
      const { tasks } = await caller.query('tasks', { setId });
      const waits = type === 1 ? 2 : 4;
      const waiting = tasks.find(
        ({ teacherInput, sets }) => teacherInput && sets.some((set) => set.setId === setId && set.status === waits),
      );
      if (!waiting) throw new ProblemError('refused', 'No feedback task of this class waits for that check.');
      const { taskId } = waiting;
      const { results } = await caller.write([step(0, 'RemindTeachers', { taskId, setIds: [setId] }, taskId)], ['tasks']);
      return { message: (results[0] as { message: string }).message };
    },
  }),
};

const subjectOfTeacher = async (caller: Caller, teacherId: string): Promise<string> => {
  const [found] = await rowsNamed(caller, 'teacher', [teacherId]);
  if (!found) throw new ProblemError('not-found', 'There is no such teacher.');
  return found.subjectId;
};

/** Of the caller's own account. */
export const teacherRecords = (caller: Caller): Promise<z.output<typeof teacherRecord>[]> =>
  caller.sql((query) => query<z.output<typeof teacherRecord>>(TEACHER_RECORDS, [caller.actor.accountId]));

const TEACHER_RECORDS = `
  select t.teacher_id as "TeacherID", t.name as "Teacher", t.subject_id as "SubjectID", s.name as subject_name
    from accounts a
    cross join json_array_elements(a.teachers) l
    join teachers t on t.school_id = $1 and t.teacher_id = (l ->> 'teacherId')::uuid
    join subjects s on s.school_id = $1 and s.subject_id = t.subject_id
   where a.school_id = $1 and a.account_id = $2
   order by s.name, t.teacher_id`;
