/**
 * Who may do and see what: the only place that defines it. A command, query or documented call without a line here does not compile.
 *
 * `within` limits what a role may do:
 * - school: everything in one's school;
 * - subject: leaders and teachers only in the subjects of their teacher records;
 * - self: about the user only, and only through the product's own code, which has verified the user (api/auth);
 * - sets: teachers only their own sets, leaders those of their subjects; the decision of a command finds out which sets are concerned;
 * - listed: what is listed is what the user may see; a teacher who names a class or a student gets those of their own classes;
 * - year group: teachers only the year groups in which they have a set, and those as a whole; leaders those of their subjects.
 *
 * `of`: what the request is about. It is found before a query or a documented call is answered, and who may not see it gets no more than that
 * (api/pipeline/about.ts); before a command is decided, unless its own stream says whether it is there. A call that asks queries only is about
 * nothing itself: the queries are.
 *
 * `asOf` (queries): who may also ask how things were at an earlier moment. This costs as much as many ordinary queries, and only few moments
 * can be held at a time, so it is for those whose work needs it: staff, for what they look at. What serves the next step (previews, choices)
 * is asked as of now only.
 *
 * `ifOpen`: leaders too, in their own subjects, if the school has opened its structure to leaders (OpenStructureToLeaders).
 *
 * `standing` (commands): the log itself is asked, right before the decision, whether the author's account is still open and has the role with
 * which they ask. So an admin who is closed or demoted meanwhile does nothing any more, however long the request has waited.
 */
import type { CommandName } from './commands.ts';
import type { Thing } from './common/about.ts';
import type { QueryRule, Rule, RuleAbout } from './common/rule.ts';
import type { QueryName } from './queries.ts';
import type { ResourceName } from './resources.ts';

const onlySystem: Rule = { roles: ['system'], within: 'school' };
const ownStaff: Rule = { roles: ['admin', 'leader', 'teacher', 'auditor'], within: 'self' };
const ownStudent: Rule = { roles: ['student'], within: 'self' };
const admins: Rule = { roles: ['admin'], within: 'school' };
/** What only admins change: accounts, codes, the roster, the school itself. */
const adminsNow: Rule = { ...admins, standing: 'in the log' };
/** What a subject consists of, without the subject itself, students and accounts. */
const structure: Rule = { roles: ['admin'], within: 'subject', ifOpen: 'leader' };
/** Who may look at that. */
const structureToRead: Rule = { ...structure, roles: ['admin', 'auditor'] };
/** Who teaches in a subject, and which sets. */
const memberships: Rule = { ...structure, standing: 'in the log' };
/** Leaders of the subject. */
const leaders: Rule = { roles: ['admin', 'leader'], within: 'subject' };
/** Who may look at what leaders do. */
const leadersAndAuditors: Rule = { roles: ['admin', 'auditor', 'leader'], within: 'subject' };
const markers: Rule = { roles: ['admin', 'leader', 'teacher'], within: 'sets' };
/** What students see of themselves; staff who view as one, of that one, as far as they see them otherwise. */
const ofOneself: Rule = { roles: ['student', 'admin', 'leader', 'teacher'], within: 'self' };
/** Their own marks. */
const students: Rule = { roles: ['student'], within: 'sets' };
const staffOfSubject: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'subject' };
/** The same, of whom teachers see their own classes. */
const staffOfClass: Rule = { ...staffOfSubject, within: 'sets' };
/** The same, of whom teachers see the year groups in which they teach. */
const staffOfYearGroup: Rule = { ...staffOfSubject, within: 'year group' };
/** Whoever teaches in the subject. */
const teachersOfSubject: Rule = { roles: ['admin', 'leader', 'teacher'], within: 'subject' };
/** What happened: auditors and admins in the school, leaders in their subjects, teachers in their classes; and what each did. */
const record: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'listed' };
const examiners: Rule = { roles: ['admin', 'auditor'], within: 'school' };
const everybody: Rule = { roles: ['admin', 'leader', 'teacher', 'student', 'auditor'], within: 'school' };

/** What it is about, in the order in which it is looked for. */
const of = (rule: Rule, ...things: readonly Thing[]): RuleAbout => ({ ...rule, of: things });

export const commandAccess: Readonly<Record<CommandName, RuleAbout>> = {
  OpenSchool: of(onlySystem),
  RenameSchool: of(adminsNow),
  OpenStructureToLeaders: of(adminsNow),
  ShowResultsToStudents: of(adminsNow),
  ChangeReportWords: of(adminsNow),
  OpenStaffAccount: of(adminsNow),
  InviteStaff: of(adminsNow),
  InviteStaffAgain: of(adminsNow),
  ActivateStaffAccount: of(ownStaff),
  ChangeStaffDetails: of(ownStaff),
  LoseStaffAddress: of(onlySystem),
  ChangeStaffAccount: of(adminsNow),
  CloseStaffAccount: of(adminsNow),
  OpenStudentAccount: of(adminsNow),
  LoseStudentAddress: of(onlySystem),
  ResetStudentAccount: of(adminsNow),
  CloseStudentAccount: of(adminsNow),
  JoinByCode: of(ownStudent),
  ChangeStudentDetails: of(ownStudent),
  IssueJoinCode: of(adminsNow, 'subject'),
  ChangeJoinDomain: of(adminsNow, 'subject'),
  LookAtStudent: of({ roles: ['admin', 'leader', 'teacher'], within: 'self' }),
  /** The only command of auditors: what they take is in the record like what others do. Of what it names they see the same as in the record. */
  RecordHandOut: of(record, 'subject', 'yearGroup', 'class', 'assessment', 'task', 'student'),
  ForgetStudent: of(adminsNow),
  ForgetStaffAccount: of(adminsNow),
  ForgetStudentAccount: of(onlySystem),
  ForgetTeacher: of(onlySystem, 'subject'),
  AddSubject: of(adminsNow),
  RenameSubject: of(structure, 'subject'),
  RemoveSubject: of(adminsNow, 'subject'),
  RestoreSubject: of(adminsNow, 'subject'),
  AddYearGroup: of(structure, 'subject'),
  RenameYearGroup: of(structure, 'subject'),
  DeleteYearGroup: of(structure, 'subject'),
  RestoreYearGroup: of(structure, 'subject'),
  AddSet: of(structure, 'subject'),
  ChangeSet: of(structure, 'subject'),
  LinkSetAssessment: of(structure, 'subject'),
  DateAssessment: of(markers, 'subject'),
  AddSets: of(structure, 'subject'),
  DeleteSets: of(structure, 'subject'),
  DeleteSet: of(structure, 'subject'),
  RestoreSet: of(structure, 'subject'),
  AddTeacher: of(memberships, 'subject'),
  ChangeTeacher: of(memberships, 'subject'),
  LinkTeacherSet: of(memberships, 'subject'),
  RemoveTeacher: of(memberships, 'subject'),
  RestoreTeacher: of(memberships, 'subject'),
  AddTerminalExam: of(structure, 'subject'),
  ChangeTerminalExam: of(structure, 'subject'),
  RemoveTerminalExam: of(structure, 'subject'),
  RestoreTerminalExam: of(structure, 'subject'),
  AddScheme: of(structure, 'subject'),
  ChangeScheme: of(structure, 'scheme'),
  SaveSchemeTopics: of(structure, 'scheme'),
  DeleteScheme: of(structure, 'scheme'),
  RestoreScheme: of(structure, 'scheme'),
  ReplaceTopicTree: of(structure, 'subject'),
  MapSchemeTopics: of(leaders, 'subject'),
  MapQuestions: of(leaders, 'subject'),
  AllocatePrerequisites: of(leaders, 'subject'),
  LinkSchemeTopic: of(leaders, 'subject'),
  LinkQuestionTopic: of(leaders, 'subject'),
  LinkPrerequisite: of(leaders, 'subject'),
  CreateAssessment: of(structure, 'subject'),
  RenameAssessment: of(structure, 'assessment'),
  /** What a leader's task asks students for, a leader can let them see. */
  ShowAssessment: of(leaders, 'assessment'),
  UploadQuestions: of(structure, 'assessment'),
  EditQuestions: of(structure, 'assessment'),
  SaveQuestions: of(structure, 'assessment'),
  UndoQuestions: of(structure, 'assessment'),
  DeleteAssessment: of(structure, 'assessment'),
  RestoreAssessment: of(structure, 'assessment'),
  AddStudent: of(adminsNow, 'subject'),
  ChangeStudents: of(adminsNow, 'subject'),
  ImportStudents: of(adminsNow, 'subject'),
  UndoRosterChange: of(adminsNow, 'subject'),
  UploadTotals: of(markers, 'subject'),
  UploadMarks: of(markers, 'subject'),
  EnterMarks: of(markers, 'subject'),
  DecideMark: of(markers, 'subject'),
  SaveFeedback: of(students),
  SubmitFeedback: of(students),
  ReopenFeedback: of({ roles: ['admin', 'leader', 'teacher', 'student'], within: 'sets' }),
  UndoCommand: of(markers),
  RedoCommand: of(markers),
  UploadPriorScores: of(leaders, 'subject', 'exam'),
  EnterPriorScores: of(leaders, 'subject', 'exam'),
  UndoPriorScores: of(leaders, 'subject', 'exam'),
  RedoPriorScores: of(leaders, 'subject', 'exam'),
  CreateGradeProfile: of(leaders, 'subject', 'yearGroup'),
  OpenGradeProfile: of(leaders, 'subject', 'yearGroup'),
  SaveGrades: of(leaders),
  EditGradeProfile: of(leaders),
  DeleteGradeProfile: of(leaders),
  RestoreGradeProfile: of(leaders),
  CreateFeedbackTask: of(leaders, 'subject', 'yearGroup'),
  OpenFeedbackTask: of(leaders, 'subject', 'yearGroup'),
  AddTaskMap: of(leaders, 'task'),
  EditFeedbackTask: of(leaders, 'task'),
  DeleteFeedbackTask: of(leaders, 'task'),
  RestoreFeedbackTask: of(leaders, 'task'),
  RankTask: of(leaders, 'task'),
  RemoveRanking: of(leaders, 'task'),
  RecordRanking: of(markers, 'task'),
  AdoptRanking: of(leaders, 'task'),
  AssignRecordedGrades: of(leaders, 'task'),
  CheckRanking: of(markers, 'task'),
  AssignGrades: of(leaders, 'task'),
  ReopenGrades: of(leaders, 'task'),
  CheckGrades: of(markers, 'task'),
  DecideResults: of(leaders, 'task'),
  CompleteTask: of(leaders, 'task'),
  RemindTeachers: of(leaders, 'task'),
  SaveRevisionList: of(teachersOfSubject, 'subject'),
  ClearRevisionList: of(teachersOfSubject, 'subject'),
  AddRevisionHeader: of(teachersOfSubject, 'subject'),
  RenameRevisionHeader: of(teachersOfSubject, 'subject'),
  DeleteRevisionHeader: of(teachersOfSubject, 'subject'),
  RestoreRevisionHeader: of(teachersOfSubject, 'subject'),
  OrderRevisionHeaders: of(teachersOfSubject, 'subject'),
  UndoRevisionChange: of(teachersOfSubject, 'subject'),
  RedoRevisionChange: of(teachersOfSubject, 'subject'),
};

/** The commands that are available over HTTP; the others are for the product's own code. */
export const commandsFromOutside = Object.entries(commandAccess).flatMap(([name, { roles, within }]) =>
  within === 'self' || roles.every((role) => role === 'system') ? [] : [name as CommandName],
);

/** For staff also as of an earlier moment. */
const ofAnyMoment = (rule: Rule, ...things: readonly Thing[]): QueryRule => ({
  ...of(rule, ...things),
  asOf: ['admin', 'leader', 'teacher', 'auditor'],
});
const ofNow = (rule: Rule, ...things: readonly Thing[]): QueryRule => ({ ...of(rule, ...things), asOf: [] });

export const queryAccess: Readonly<Record<QueryName, QueryRule>> = {
  me: ofAnyMoment(everybody),
  'students-to-view': ofNow(markers),
  'teachers-to-view': ofNow(leaders, 'subject'),
  structure: ofAnyMoment(staffOfSubject, 'subject'),
  assessment: ofAnyMoment(structureToRead, 'assessment'),
  mappings: ofAnyMoment(leadersAndAuditors, 'subject'),
  mapped: ofAnyMoment(leadersAndAuditors, 'subject'),
  'export-students': ofAnyMoment(examiners, 'yearGroup'),
  'export-results': ofAnyMoment(examiners, 'assessment'),
  'match-students': ofNow(teachersOfSubject, 'subject'),
  'upload-classes': ofNow(teachersOfSubject, 'subject'),
  'preview-totals': ofNow(teachersOfSubject, 'subject'),
  'preview-students': ofNow(admins, 'subject'),
  'preview-marks': ofNow(teachersOfSubject, 'subject'),
  markbook: ofAnyMoment(staffOfYearGroup, 'yearGroup', 'class'),
  cell: ofAnyMoment(staffOfClass, 'assessment', 'student'),
  'sat-on': ofAnyMoment(staffOfClass, 'class', 'assessment'),
  sheet: ofAnyMoment(staffOfClass, 'assessment', 'class', 'yearGroup'),
  submission: ofNow(ofOneself),
  'to-submit': ofNow(ofOneself),
  'student-home': ofNow(ofOneself),
  'student-card': ofNow(ofOneself),
  'student-topics': ofNow(ofOneself),
  'grade-graph': ofNow(ofOneself),
  'student-tasks': ofNow(ofOneself),
  'my-data': ofNow({ ...ofOneself, roles: ['student'] }),
  tracker: ofAnyMoment(staffOfClass, 'assessment', 'class'),
  uploads: ofAnyMoment(staffOfSubject, 'subject'),
  'prior-summary': ofAnyMoment(leadersAndAuditors, 'subject', 'yearGroup'),
  'prior-scores': ofAnyMoment(leadersAndAuditors, 'subject', 'exam', 'yearGroup'),
  'prior-uploads': ofAnyMoment(leadersAndAuditors, 'subject', 'exam'),
  'preview-prior': ofNow(leaders, 'subject', 'exam'),
  'grade-profiles': ofAnyMoment(leadersAndAuditors, 'subject', 'yearGroup'),
  tasks: ofAnyMoment(staffOfClass, 'yearGroup', 'class'),
  task: ofAnyMoment(leadersAndAuditors, 'task'),
  'task-ranking': ofAnyMoment(staffOfClass, 'task', 'class'),
  'task-score': ofAnyMoment(staffOfClass, 'task', 'student'),
  'task-grades': ofAnyMoment(leadersAndAuditors, 'task'),
  'entered-totals': ofAnyMoment(leadersAndAuditors, 'yearGroup'),
  'ranking-preview': ofNow(leaders, 'task', 'exam'),
  'class-home': ofAnyMoment(staffOfClass, 'class'),
  'progress-predictors': ofAnyMoment(staffOfClass, 'class', 'scheme'),
  'predictor-questions': ofAnyMoment(staffOfClass, 'class'),
  'question-analysis': ofAnyMoment(staffOfYearGroup, 'assessment', 'yearGroup', 'class'),
  'question-students': ofAnyMoment(staffOfClass, 'assessment', 'class', 'yearGroup'),
  'revision-lists': ofAnyMoment(staffOfSubject, 'subject', 'assessment'),
  'revision-list': ofAnyMoment({ ...everybody, within: 'subject' }, 'assessment'),
  'leader-dashboard': ofAnyMoment(leadersAndAuditors, 'yearGroup'),
  'historic-totals': ofAnyMoment(leadersAndAuditors, 'yearGroup', 'assessment'),
  residuals: ofAnyMoment(staffOfYearGroup, 'yearGroup'),
  history: ofAnyMoment(record, 'subject', 'yearGroup', 'class', 'assessment', 'task', 'student'),
  'history-entry': ofAnyMoment(record),
};

/** Who may read a resource of /api/rest. Writes are commands, with their own rules. */
export const restAccess: Readonly<Record<ResourceName, Rule>> = {
  subjects: structureToRead,
  schemes: structureToRead,
  assessments: structureToRead,
  yearGroups: structureToRead,
  sets: structureToRead,
  terminalExams: structureToRead,
  teachers: structureToRead,
  students: examiners,
  staffUsers: admins,
  studentUsers: admins,
  deleted: structureToRead,
};

/** Nobody has to be signed in. */
const anybody: Rule = { roles: [], within: 'school' };
const ownAccount: Rule = { ...everybody, within: 'self' };

/** Who may send a documented call (api/calls) at all. What it asks and what it writes has the rules above besides; then it is about nothing itself. */
export const callAccess = {
  'POST /oauth/token': of(anybody),
  'GET /logout': of(ownAccount),
  'GET /user-load': of(everybody),
  'POST /report_error': of(anybody),
  'POST /forget-password': of(anybody),
  'POST /reset-password': of(anybody),
  'GET /sociallogin/{id}': of(anybody),
  'POST /verify-code': of(anybody),
  'PUT /verify-code/{id}': of(anybody),
  'POST /auth/register': of(anybody),
  'POST /recaptcha': of(anybody),
  'POST /new-db': of(anybody),
  'PUT /users_students/code': of(admins),
  'GET /profile': of(everybody),
  'POST /profile': of(ownAccount),
  'PUT /profile/{id}': of(ownAccount),
  'GET /checkauth': of(everybody),
  'GET /users_teachers': of(admins),
  'POST /users_teachers': of(admins),
  'PUT /users_teachers/{id}': of(admins),
  'GET /users_teachers/{id}': of(admins),
  'GET /users_students': of(admins),
  'PUT /users_students/{id}': of(admins),
  'DELETE /users_students/{id}': of(admins),
  'POST /feedback': of(leaders),
  'POST /email': of(leaders),
  'GET /admin/1': of(structureToRead),
  'GET /admin/2': of(structureToRead, 'subject'),
  'GET /admin/3': of(structureToRead, 'scheme'),
  'GET /admin/4': of(structureToRead, 'schemeTopic'),
  'GET /admin/5': of(structureToRead, 'subject'),
  'GET /admin/6': of(structureToRead, 'assessment'),
  'GET /admin/7': of(structureToRead, 'question'),
  'GET /admin/8': of(structureToRead, 'subject'),
  'GET /admin/9': of(structureToRead),
  'GET /admin/10': of(structureToRead),
  'GET /admin/11': of(structureToRead, 'subject'),
  'GET /admin/12': of(structureToRead, 'subject'),
  'GET /admin/13': of(examiners, 'subject'),
  'GET /admin/14': of(structureToRead, 'subject'),
  'GET /admin/15': of(structureToRead, 'subject'),
  'GET /admin/16': of(staffOfSubject, 'subject'),
  'GET /admin/17': of(staffOfClass),
  'GET /admin/18': of(leadersAndAuditors),
  'GET /admin/19': of(leadersAndAuditors),
  'GET /admin/20': of(leadersAndAuditors, 'subject'),
  'GET /admin/21': of(leadersAndAuditors, 'schemeTopic'),
  'GET /admin/22': of(examiners),
  'GET /admin/23': of(examiners),
  'GET /admin/25': of(structureToRead, 'subject'),
  'GET /admin/26': of(structureToRead),
  // Each table of a write has the rules of its commands: leaders map topics, teachers have revision lists.
  'POST /admin': of(teachersOfSubject),
  'PUT /admin/{id}': of(teachersOfSubject),
  'DELETE /admin/{id}': of(teachersOfSubject),
  'GET /topics/1': of(leadersAndAuditors),
  'GET /topics/2': of(leadersAndAuditors),
  'GET /topics/3': of(leadersAndAuditors),
  'GET /topics/4': of(leadersAndAuditors),
  'GET /leader/1': of(leadersAndAuditors, 'yearGroup', 'subject'),
  'GET /leader/2': of(staffOfSubject),
  'GET /leader/3': of(staffOfSubject, 'yearGroup'),
  'GET /leader/4': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/5': of(leadersAndAuditors, 'yearGroup', 'subject'),
  'GET /leader/6': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/7': of(leadersAndAuditors, 'exam'),
  'GET /leader/8': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/9': of(leadersAndAuditors, 'subject'),
  'GET /leader/10': of(leadersAndAuditors),
  'GET /leader/11': of(leadersAndAuditors),
  'GET /leader/12': of(leadersAndAuditors),
  'GET /leader/13': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/14': of(leadersAndAuditors),
  'GET /leader/15': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/16': of(leadersAndAuditors, 'yearGroup'),
  'GET /leader/17': of(leadersAndAuditors),
  'GET /leader/18': of(leadersAndAuditors),
  'GET /leader/19': of(leadersAndAuditors),
  'GET /leader/20': of(leadersAndAuditors, 'subject'),
  'GET /leader/21': of(leadersAndAuditors, 'assessment'),
  'GET /leader/22': of(leadersAndAuditors, 'assessment'),
  'POST /leader': of(leaders),
  // Revision lists are for teachers too; a task moves by its leaders' commands.
  'PUT /leader/{id}': of(teachersOfSubject),
  'DELETE /leader/{id}': of(leaders),
  'GET /teacher/1': of(staffOfSubject, 'subject'),
  'GET /teacher/3': of(staffOfClass),
  'GET /teacher/4': of(staffOfSubject, 'subject'),
  'GET /teacher/5': of(staffOfSubject, 'subject'),
  'GET /teacher/6': of(staffOfClass),
  'GET /teacher/7': of(staffOfSubject, 'subject'),
  'GET /teacher/8': of(leadersAndAuditors, 'subject'),
  'GET /teacher/9': of(staffOfClass, 'class'),
  'GET /teacher/10': of(staffOfClass, 'class'),
  'GET /teacher/11': of(staffOfSubject, 'assessment'),
  'GET /teacher/12': of(staffOfClass),
  'GET /teacher/13': of(staffOfClass, 'class'),
  'GET /teacher/14': of(staffOfClass),
  'GET /teacher/15': of(staffOfClass, 'class'),
  'GET /teacher/16': of(staffOfSubject, 'schemeTopic', 'student'),
  'GET /teacher/17': of(staffOfSubject, 'assessment'),
  'GET /teacher/18': of(staffOfClass),
  'GET /teacher/19': of(staffOfClass, 'class'),
  'GET /teacher/20': of(staffOfClass),
  'GET /teacher/21': of(staffOfClass),
  'GET /teacher/22': of(staffOfClass),
  'GET /teacher/23': of(staffOfSubject, 'task'),
  'GET /teacher/24': of(staffOfClass),
  'GET /teacher/25': of(staffOfClass, 'class'),
  'GET /teacher/26': of(staffOfClass, 'class'),
  'GET /teacher/27': of(staffOfClass, 'class'),
  'GET /teacher/28': of(staffOfYearGroup),
  'GET /teacher/29': of(staffOfClass, 'class'),
  'GET /teacher/30': of(staffOfSubject, 'yearGroup'),
  'POST /teacher': of(markers),
  'PUT /teacher/{id}': of(markers),
  'GET /student/2': of(everybody),
  'GET /student/3': of(everybody),
  'GET /student/25': of(ofOneself),
  'GET /student/26': of({ ...ofOneself, within: 'sets' }, 'class', 'assessment'),
  'GET /student/27': of(ofOneself),
  'GET /student/29': of({ ...everybody, within: 'self' }),
  'GET /student/30': of(ofOneself),
  'GET /student/31': of(ofOneself),
  'GET /student/32': of(ofOneself),
  'GET /student/34': of(everybody),
  'GET /student/36': of(everybody),
  'GET /student/37': of(ofOneself),
  'GET /student/38': of(ofOneself),
  'GET /student/39': of(ofOneself),
  'POST /student': of(students),
} as const satisfies Readonly<Record<string, RuleAbout>>;

export type CallName = keyof typeof callAccess;
