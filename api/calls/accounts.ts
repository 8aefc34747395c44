import { z } from 'zod';
import { notifyTeachers } from '../tasks/notify-teachers.ts';
import { newTask } from '../tasks/task-mails.handler.ts';
import { ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import { call } from './call.ts';
import type { Caller } from './caller.ts';
import { joiningCalls } from './joining.ts';
import { signInCalls } from './sign-in.ts';
import { message, OWN_PAGE } from './visit.ts';
import { rowsNamed } from './admin/look-up.ts';
import { step } from './step.ts';
import { asStudentOfSet, studentOfSet } from './students.ts';
import { placeRow, subjectsOf } from './student/reading.ts';
import { list, read } from './read.ts';

/** Who one is, and the accounts of a school. */
const NAMES = { admin: 'Admin', leader: 'Leader', teacher: 'Teacher', auditor: 'Auditor', student: 'Student', system: 'System' } as const;
const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], 'Select a role');
const role = z.object({ id: z.string(), name: z.string() });
const roleNamed = (name: keyof typeof NAMES) => ({ id: name, name: NAMES[name] });

const teacherRecord = z.object({ TeacherID: id, Teacher: z.string().nullable(), SubjectID: id, subject_name: z.string() });
const placeOfStudent = placeRow.omit({ SubjectID: true }).extend({ subjectid: id });

export const accountsCalls = {
  ...signInCalls,
  ...joiningCalls,
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
  'GET /profile': read('me', {
    purpose: "One's own account.",
    answers: z.object({ user: z.object({ id, name: z.string(), email: z.string(), role }) }),
    make: ({ accountId, name, email, role: roleName }) => ({ user: { id: accountId, name, email, role: roleNamed(roleName) } }),
  }),
  'GET /checkauth': read('me', {
    purpose: 'Who is signed in; 401 if nobody is.',
    answers: z.object({ scope: z.string(), name: z.string(), school: z.string() }),
    make: ({ name, role: scope, school }) => ({ scope, name, school: school.name }),
  }),
  'GET /users_teachers': list('staffUsers', {
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
    make: (users) => ({
      users: users.map(({ accountId, name, email, role: roleName, state, teacher, subject, teachers }) => ({
        id: accountId,
        name,
        email,
        role_id: roleName,
        role: roleName === null ? null : roleNamed(roleName),
        active: state === 'active',
        Teacher: teacher,
        subject_name: subject,
        teachers: teachers.map(({ teacherId, subjectId }) => ({ TeacherID: teacherId, SubjectID: subjectId })),
      })),
      roles: staffRole.options.map(roleNamed),
    }),
  }),
  'POST /users_teachers': call({
    purpose: 'Invites somebody to a staff account, by mail.',
    asks: z.strictObject({ name: z.string(), email: z.string(), role: staffRole, teacher: id.optional() }),
    answers: z.object({ id, role_id: z.string(), email: z.string() }),
    behind: ['InviteStaff'],
    async adapt(caller, { asks: { name, email, role: roleName, teacher } }) {
      const teachers = teacher === undefined ? [] : [{ teacherId: teacher, subjectId: await subjectOfTeacher(caller, teacher) }];
      const written = await caller.write(
        [step(0, 'InviteStaff', { name, email, role: roleName, teachers }, ({ accountId }) => accountId)],
        ['accounts'],
      );
      return { id: written.ids[0] ?? '', role_id: roleName, email };
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
      students: z.array(studentOfSet.extend({ SubjectID: id, SetID: id.nullable() })),
    }),
    behind: ['studentUsers', 'students'],
    async adapt(caller) {
      const [users, students] = await Promise.all([caller.list('studentUsers'), caller.list('students')]);
      return {
        users: users.map(({ id: accountId, name, email, studentId, admissionNo, student }) => ({
          id: accountId,
          name,
          email,
          UniqueID: studentId,
          StudentID: admissionNo,
          LastFirst: student,
        })),
        students: students.map(({ subjectId, set, ...student }) => ({
          ...asStudentOfSet({ ...student, setName: set }),
          SubjectID: subjectId,
        })),
      };
    },
  }),
  // Before the one that takes any id.
  'PUT /users_students/code': call({
    purpose: 'The joining code of a subject and the domain of its addresses; with `forcenew`, or where there is none, a new code.',
    asks: z.strictObject({
      subject: id,
      code: z.string().max(100).optional(),
      domain: z.string().max(300).optional(),
      forcenew: z.string().max(10).optional(),
    }),
    answers: z.object({ code: z.string().nullable(), domain: z.string().nullable() }),
    behind: ['IssueJoinCode', 'ChangeJoinDomain'],
    differs: 'The server draws the code, and the one in the answer counts; `code` is passed over.',
    async adapt(caller, { asks: { subject: subjectId, domain, forcenew } }) {
      const { joinCodes } = caller.services;
      const { schoolId } = caller.actor;
      const before = await joinCodes.show(schoolId, subjectId);
      const isNew = before.code === null || (forcenew !== undefined && !['', '0', 'false'].includes(forcenew));
      const isMoved = domain !== undefined && domain !== (before.domain ?? '');
      await caller.write(
        [
          ...(isMoved ? [step(0, 'ChangeJoinDomain', { subjectId, domain }, subjectId)] : []),
          ...(isNew ? [step(0, 'IssueJoinCode', { subjectId }, subjectId)] : []),
        ],
        [],
      );
      const { code, domain: now } = await joinCodes.show(schoolId, subjectId);
      return { code, domain: now };
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
  'POST /feedback': call({
    purpose: 'Announces a new task to the teachers of its classes, by mail.',
    asks: z.strictObject({
      name: z.string().max(1_000).optional(),
      task_id: id,
      expiry: z.string().max(100).optional(),
    }),
    answers: message,
    behind: ['task'],
    differs: 'The mails are those of the task itself: who has had one gets no other. `name` and `expiry` are those of the task.',
    async adapt(caller, { asks: { task_id: taskId } }) {
      await caller.query('task', { taskId });
      const { notified } = await notifyTeachers(caller.services.auth.taskMails, caller.actor, newTask(taskId));
      return { message: `${notified} ${notified === 1 ? 'teacher is' : 'teachers are'} told by mail` };
    },
  }),
  'POST /email': call({
    purpose: 'Reminds the teachers of a class to check the ranking (type 1) or the grades (type 2) of its newest task that waits for it.',
    takes: z.strictObject({ type: z.literal([1, 2]), teacher: id.nullish(), class: id }),
    answers: message,
    behind: ['tasks', 'RemindTeachers'],
    differs: 'The mail goes to all teachers of the class that have an account, whichever `teacher` is named.',
    async adapt(caller, { takes: { type, teacher, class: setId } }) {
      if (typeof teacher === 'string') await subjectOfTeacher(caller, teacher);
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

/** @throws ProblemError `not-found`, `not-your-subject` */
const subjectOfTeacher = async (caller: Caller, teacherId: string): Promise<string> => {
  const [found] = await rowsNamed(caller, 'teacher', [teacherId]);
  const { teachers } = found ? await caller.query('structure', { subjectId: found.subjectId }) : { teachers: [] };
  if (!found || teachers.every((one) => one.teacherId !== teacherId)) throw new ProblemError('not-found', 'There is no such teacher.');
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
