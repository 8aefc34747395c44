/**
 * Who may do and see what: the one place that says so. A command or query without a line here does not compile.
 *
 * `within` is what the role alone does not give:
 * - school: everything in one's school;
 * - subject: a leader and a teacher only where their teacher records are (`subjectId` of the request);
 * - self: about the asker himself, and asked for by our own code only, which has made sure that it is he (the front door, api/auth);
 * - sets: a teacher only his own sets, a leader those of his subjects; which sets, the decision or the query finds out from the read models.
 */
import type { Role } from '../events/codec/event.ts';
import type { CommandName } from './commands/all.ts';
import type { QueryName } from './queries/all.ts';
import type { ResourceName } from './rest/all.ts';

export type Rule = { readonly roles: readonly Role[]; readonly within: 'school' | 'self' | 'subject' | 'sets' };

const onlySystem: Rule = { roles: ['system'], within: 'school' };
const ownStaff: Rule = { roles: ['admin', 'leader', 'teacher', 'auditor'], within: 'self' };
const ownStudent: Rule = { roles: ['student'], within: 'self' };
const admins: Rule = { roles: ['admin'], within: 'school' };
/** Of the subject. */
const leaders: Rule = { roles: ['admin', 'leader'], within: 'subject' };
const markers: Rule = { roles: ['admin', 'leader', 'teacher'], within: 'sets' };
const staffOfSubject: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'subject' };
const examiners: Rule = { roles: ['admin', 'auditor'], within: 'school' };
const everybody: Rule = { roles: ['admin', 'leader', 'teacher', 'student', 'auditor'], within: 'school' };

export const commandAccess: Readonly<Record<CommandName, Rule>> = {
  OpenSchool: onlySystem,
  RenameSchool: admins,
  OpenStaffAccount: admins,
  InviteStaff: admins,
  InviteStaffAgain: admins,
  ActivateStaffAccount: ownStaff,
  ChangeStaffDetails: ownStaff,
  CorrectStaffEmail: admins,
  ChangeStaffRole: admins,
  LinkTeacher: admins,
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
  RenameSubject: admins,
  RemoveSubject: admins,
  RestoreSubject: admins,
  AddYearGroup: admins,
  RenameYearGroup: admins,
  DeleteYearGroup: admins,
  AddSet: admins,
  ChangeSet: admins,
  RenameSet: admins,
  ChooseSetScheme: admins,
  ChooseSetAssessments: admins,
  ChangeSetThresholds: admins,
  AddSets: admins,
  DeleteSets: admins,
  DeleteSet: admins,
  AddTeacher: admins,
  RenameTeacher: admins,
  AssignTeacherSets: admins,
  RemoveTeacher: admins,
  AddTerminalExam: admins,
  RemoveTerminalExam: admins,
  RestoreTerminalExam: admins,
  AddScheme: admins,
  ChangeScheme: admins,
  RenameScheme: admins,
  UploadSchemeTopics: admins,
  ReplaceTopicTree: admins,
  MapSchemeTopics: leaders,
  MapQuestions: leaders,
  AllocatePrerequisites: leaders,
  CreateAssessment: admins,
  RenameAssessment: admins,
  ShowAssessment: admins,
  UploadQuestions: admins,
  EditQuestions: admins,
  DeleteAssessment: admins,
  RestoreAssessment: admins,
  AddStudent: admins,
  CorrectStudent: admins,
  MoveStudent: admins,
  TakeOffRoll: admins,
  RemoveStudent: admins,
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

export const queryAccess: Readonly<Record<QueryName, Rule>> = {
  me: everybody,
  'students-to-view': markers,
  structure: staffOfSubject,
  assessment: admins,
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
  subjects: admins,
  assessments: admins,
  students: admins,
  terminalExams: admins,
  schemes: admins,
  yearGroups: admins,
  sets: admins,
  teachers: admins,
  staffUsers: admins,
  studentUsers: admins,
};
