/**
 * Who may do and see what: the one place that says so. A command or query without a line here does not compile.
 *
 * `within` is what the role alone does not give:
 * - school: everything in one's school;
 * - subject: a leader and a teacher only where their teacher records are (`subjectId` of the request);
 * - self: about the asker himself, and asked for by our own code only, which has made sure that it is he (the front door, api/auth);
 * - sets: a teacher only his own sets, a leader those of his subjects; which sets, the decision or the query finds out from the read models.
 *
 * `ifOpen`: a leader too, in his own subjects, where the school has opened its structure to leaders (OpenStructureToLeaders).
 */
import type { Role } from '../events/codec/event.ts';
import type { Actor } from './actor.ts';
import type { CommandName } from './commands/all.ts';
import type { QueryName } from './queries/all.ts';
import type { ResourceName } from './rest/all.ts';

export type Rule = {
  readonly roles: readonly Role[];
  readonly within: 'school' | 'self' | 'subject' | 'sets';
  readonly ifOpen?: 'leader';
};

/** Whether the role alone is a reason to refuse. */
export const admits = (rule: Rule, actor: Actor): boolean =>
  rule.roles.includes(actor.role) || (isIfOpen(rule, actor) && actor.configures === true);

/** Whether the asker has the right only as long as the structure is open to leaders. */
export const isIfOpen = ({ roles, ifOpen }: Rule, { role }: Actor): boolean => ifOpen === role && !roles.includes(role);

const onlySystem: Rule = { roles: ['system'], within: 'school' };
const ownStaff: Rule = { roles: ['admin', 'leader', 'teacher', 'auditor'], within: 'self' };
const ownStudent: Rule = { roles: ['student'], within: 'self' };
const admins: Rule = { roles: ['admin'], within: 'school' };
/** What a subject is made of: not the subject itself, no students, nobody's account. */
const structure: Rule = { roles: ['admin'], within: 'subject', ifOpen: 'leader' };
/** Of the subject. */
const leaders: Rule = { roles: ['admin', 'leader'], within: 'subject' };
const markers: Rule = { roles: ['admin', 'leader', 'teacher'], within: 'sets' };
const staffOfSubject: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'subject' };
const examiners: Rule = { roles: ['admin', 'auditor'], within: 'school' };
const everybody: Rule = { roles: ['admin', 'leader', 'teacher', 'student', 'auditor'], within: 'school' };

export const commandAccess: Readonly<Record<CommandName, Rule>> = {
  OpenSchool: onlySystem,
  RenameSchool: admins,
  OpenStructureToLeaders: admins,
  OpenStaffAccount: admins,
  InviteStaff: admins,
  InviteStaffAgain: admins,
  ActivateStaffAccount: ownStaff,
  ChangeStaffDetails: ownStaff,
  ChangeStaffAccount: admins,
  CloseStaffAccount: admins,
  OpenStudentAccount: admins,
  ResetStudentAccount: admins,
  CloseStudentAccount: admins,
  JoinByCode: ownStudent,
  ChangeStudentDetails: ownStudent,
  IssueJoinCode: admins,
  ChangeJoinDomain: admins,
  LookAtStudent: { roles: ['admin', 'leader', 'teacher'], within: 'self' },
  ForgetStudent: admins,
  ForgetStaffAccount: admins,
  ForgetStudentAccount: onlySystem,
  ForgetTeacher: onlySystem,
  AddSubject: admins,
  RenameSubject: structure,
  RemoveSubject: admins,
  RestoreSubject: admins,
  AddYearGroup: structure,
  RenameYearGroup: structure,
  DeleteYearGroup: structure,
  RestoreYearGroup: structure,
  AddSet: structure,
  ChangeSet: structure,
  AddSets: structure,
  DeleteSets: structure,
  DeleteSet: structure,
  RestoreSet: structure,
  AddTeacher: structure,
  ChangeTeacher: structure,
  RemoveTeacher: structure,
  RestoreTeacher: structure,
  AddTerminalExam: structure,
  RemoveTerminalExam: structure,
  RestoreTerminalExam: structure,
  AddScheme: structure,
  ChangeScheme: structure,
  DeleteScheme: structure,
  RestoreScheme: structure,
  ReplaceTopicTree: structure,
  MapSchemeTopics: leaders,
  MapQuestions: leaders,
  AllocatePrerequisites: leaders,
  CreateAssessment: structure,
  RenameAssessment: structure,
  ShowAssessment: structure,
  UploadQuestions: structure,
  EditQuestions: structure,
  UndoQuestions: structure,
  DeleteAssessment: structure,
  RestoreAssessment: structure,
  AddStudent: admins,
  ChangeStudents: admins,
  ImportStudents: admins,
  UndoRosterChange: admins,
  UploadTotals: markers,
  UploadMarks: markers,
  EnterMarks: markers,
  DecideMark: markers,
  UndoCommand: markers,
  RedoCommand: markers,
};

/** Those that somebody can ask for over HTTP; the others are our own code's. */
export const commandsFromOutside = Object.entries(commandAccess).flatMap(([name, { roles, within }]) =>
  within === 'self' || roles.every((role) => role === 'system') ? [] : [name as CommandName],
);

export const queryAccess: Readonly<Record<QueryName, Rule>> = {
  me: everybody,
  'students-to-view': markers,
  structure: staffOfSubject,
  assessment: structure,
  mappings: leaders,
  mapped: leaders,
  'export-students': admins,
  'export-results': admins,
  'upload-classes': { ...markers, within: 'subject' },
  'preview-totals': { ...markers, within: 'subject' },
  'preview-students': admins,
  'preview-marks': { ...markers, within: 'subject' },
  markbook: { ...staffOfSubject, within: 'sets' },
  cell: { ...staffOfSubject, within: 'sets' },
  uploads: staffOfSubject,
  history: examiners,
};

/** Who may read a resource of /api/rest. Its writes are commands. */
export const restAccess: Readonly<Record<ResourceName, Rule>> = {
  subjects: structure,
  schemes: structure,
  assessments: structure,
  yearGroups: structure,
  sets: structure,
  terminalExams: structure,
  teachers: structure,
  students: admins,
  staffUsers: admins,
  studentUsers: admins,
  deleted: structure,
};
