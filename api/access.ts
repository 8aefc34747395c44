/**
 * Who may do and see what: the only place that defines it. A command, query or documented call without a line here does not compile.
 *
 * `within` limits what a role may do:
 * - school: everything in one's school;
 * - subject: leaders and teachers only in the subjects of their teacher records;
 * - self: about the user only, and only through the product's own code, which has verified the user (api/auth);
 * - sets: teachers only their own sets, leaders those of their subjects; the decision of a command finds out which sets are concerned;
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
  history: ofAnyMoment(examiners),
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

/** In the order in which it is looked for; nothing: the queries and commands behind the call have rules of their own. */
const about = (rule: Rule, ...of: readonly Thing[]): RuleAbout => ({ ...rule, of });

/** Who may send a documented call (api/calls) at all. What it asks and what it writes has the rules above besides. */
export const callAccess = {
  'POST /oauth/token': about(anybody),
  'GET /logout': about(ownAccount),
  'GET /user-load': about(everybody),
  'POST /report_error': about(anybody),
  'POST /forget-password': about(anybody),
  'POST /reset-password': about(anybody),
  'GET /sociallogin/{id}': about(anybody),
  'POST /verify-code': about(anybody),
  'PUT /verify-code/{id}': about(anybody),
  'POST /auth/register': about(anybody),
  'POST /recaptcha': about(anybody),
  'POST /new-db': about(anybody),
  'PUT /users_students/code': about(admins),
  'GET /profile': about(everybody),
  'POST /profile': about(ownAccount),
  'PUT /profile/{id}': about(ownAccount),
  'GET /checkauth': about(everybody),
  'GET /users_teachers': about(admins),
  'POST /users_teachers': about(admins),
  'PUT /users_teachers/{id}': about(admins),
  'GET /users_teachers/{id}': about(admins),
  'GET /users_students': about(admins),
  'PUT /users_students/{id}': about(admins),
  'DELETE /users_students/{id}': about(admins),
  'POST /feedback': about(leaders),
  'POST /email': about(leaders),
  'GET /admin/1': about(structureToRead),
  'GET /admin/2': about(structureToRead, 'subject'),
  'GET /admin/3': about(structureToRead, 'scheme'),
  'GET /admin/4': about(structureToRead, 'schemeTopic'),
  'GET /admin/5': about(structureToRead, 'subject'),
  'GET /admin/6': about(structureToRead, 'assessment'),
  'GET /admin/7': about(structureToRead, 'question'),
  'GET /admin/8': about(structureToRead, 'subject'),
  'GET /admin/9': about(structureToRead),
  'GET /admin/10': about(structureToRead),
  'GET /admin/11': about(structureToRead, 'subject'),
  'GET /admin/12': about(structureToRead, 'subject'),
  'GET /admin/13': about(examiners, 'subject'),
  'GET /admin/14': about(structureToRead, 'subject'),
  'GET /admin/15': about(structureToRead, 'subject'),
  'GET /admin/16': about(staffOfSubject, 'subject'),
  'GET /admin/17': about(staffOfClass),
  'GET /admin/18': about(leadersAndAuditors),
  'GET /admin/19': about(leadersAndAuditors),
  'GET /admin/20': about(leadersAndAuditors, 'subject'),
  'GET /admin/21': about(leadersAndAuditors, 'schemeTopic'),
  'GET /admin/22': about(examiners),
  'GET /admin/23': about(examiners),
  'GET /admin/25': about(structureToRead, 'subject'),
  'GET /admin/26': about(structureToRead),
  // Each table of a write has the rules of its commands: leaders map topics, teachers have revision lists.
  'POST /admin': about(teachersOfSubject),
  'PUT /admin/{id}': about(teachersOfSubject),
  'DELETE /admin/{id}': about(teachersOfSubject),
  'GET /topics/1': about(leadersAndAuditors),
  'GET /topics/2': about(leadersAndAuditors),
  'GET /topics/3': about(leadersAndAuditors),
  'GET /topics/4': about(leadersAndAuditors),
  'GET /leader/1': about(leadersAndAuditors, 'yearGroup', 'subject'),
  'GET /leader/2': about(staffOfSubject),
  'GET /leader/3': about(staffOfSubject, 'yearGroup'),
  'GET /leader/4': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/5': about(leadersAndAuditors, 'yearGroup', 'subject'),
  'GET /leader/6': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/7': about(leadersAndAuditors, 'exam'),
  'GET /leader/8': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/9': about(leadersAndAuditors, 'subject'),
  'GET /leader/10': about(leadersAndAuditors),
  'GET /leader/11': about(leadersAndAuditors),
  'GET /leader/12': about(leadersAndAuditors),
  'GET /leader/13': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/14': about(leadersAndAuditors),
  'GET /leader/15': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/16': about(leadersAndAuditors, 'yearGroup'),
  'GET /leader/17': about(leadersAndAuditors),
  'GET /leader/18': about(leadersAndAuditors),
  'GET /leader/19': about(leadersAndAuditors),
  'GET /leader/20': about(leadersAndAuditors, 'subject'),
  'GET /leader/21': about(leadersAndAuditors, 'assessment'),
  'GET /leader/22': about(leadersAndAuditors, 'assessment'),
  'POST /leader': about(leaders),
  // Revision lists are for teachers too; a task moves by its leaders' commands.
  'PUT /leader/{id}': about(teachersOfSubject),
  'DELETE /leader/{id}': about(leaders),
  'GET /teacher/1': about(staffOfSubject, 'subject'),
  'GET /teacher/3': about(staffOfClass),
  'GET /teacher/4': about(staffOfSubject, 'subject'),
  'GET /teacher/5': about(staffOfSubject, 'subject'),
  'GET /teacher/6': about(staffOfClass),
  'GET /teacher/7': about(staffOfSubject, 'subject'),
  'GET /teacher/8': about(leadersAndAuditors, 'subject'),
  'GET /teacher/9': about(staffOfClass, 'class'),
  'GET /teacher/10': about(staffOfClass, 'class'),
  'GET /teacher/11': about(staffOfSubject, 'assessment'),
  'GET /teacher/12': about(staffOfClass),
  'GET /teacher/13': about(staffOfClass, 'class'),
  'GET /teacher/14': about(staffOfClass),
  'GET /teacher/15': about(staffOfClass, 'class'),
  'GET /teacher/16': about(staffOfSubject, 'schemeTopic', 'student'),
  'GET /teacher/17': about(staffOfSubject, 'assessment'),
  'GET /teacher/18': about(staffOfClass),
  'GET /teacher/19': about(staffOfClass, 'class'),
  'GET /teacher/20': about(staffOfClass),
  'GET /teacher/21': about(staffOfClass),
  'GET /teacher/22': about(staffOfClass),
  'GET /teacher/23': about(staffOfSubject, 'task'),
  'GET /teacher/24': about(staffOfClass),
  'GET /teacher/25': about(staffOfClass, 'class'),
  'GET /teacher/26': about(staffOfClass, 'class'),
  'GET /teacher/27': about(staffOfClass, 'class'),
  'GET /teacher/28': about(staffOfYearGroup),
  'GET /teacher/29': about(staffOfClass, 'class'),
  'GET /teacher/30': about(staffOfSubject, 'yearGroup'),
  'POST /teacher': about(markers),
  'PUT /teacher/{id}': about(markers),
  'GET /student/2': about(everybody),
  'GET /student/3': about(everybody),
  'GET /student/25': about(ofOneself),
  'GET /student/26': about({ ...ofOneself, within: 'sets' }, 'class', 'assessment'),
  'GET /student/27': about(ofOneself),
  'GET /student/29': about({ ...everybody, within: 'self' }),
  'GET /student/30': about(ofOneself),
  'GET /student/31': about(ofOneself),
  'GET /student/32': about(ofOneself),
  'GET /student/34': about(everybody),
  'GET /student/36': about(everybody),
  'GET /student/37': about(ofOneself),
  'GET /student/38': about(ofOneself),
  'GET /student/39': about(ofOneself),
  'POST /student': about(students),
} as const satisfies Readonly<Record<string, RuleAbout>>;

export type CallName = keyof typeof callAccess;
