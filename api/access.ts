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
 * `of`: what the request is about. It is looked up before a query or a documented call is answered, and refused to whoever may not see it
 * (api/pipeline/about.ts); before a command is decided, unless its own stream tells whether it exists. A call that only asks queries is about
 * nothing itself: its queries are.
 *
 * `asOf` (queries): who may also ask as of an earlier moment. That costs as much as many ordinary queries, and only a few moments can be held
 * at a time, so it is for staff, for what they look at. What serves the next step (previews, choices) is asked as of now only.
 *
 * `ifOpen`: leaders too, in their own subjects, if the school has opened its structure to leaders (OpenStructureToLeaders).
 *
 * `standing` (commands): right before the decision the log itself tells whether the author's account is still open and has the role of the
 * request. So an admin whose account is closed or demoted can do nothing more, however long the request has waited.
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
/** What students see of themselves; also for staff who view as a student, as far as they may see that student otherwise. */
const ofOneself: Rule = { roles: ['student', 'admin', 'leader', 'teacher'], within: 'self' };
/** Their own marks. */
const students: Rule = { roles: ['student'], within: 'sets' };
const staffOfSubject: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'subject' };
/** The same, but teachers see only their own classes. */
const staffOfClass: Rule = { ...staffOfSubject, within: 'sets' };
/** The same, but teachers see only the year groups in which they teach. */
const staffOfYearGroup: Rule = { ...staffOfSubject, within: 'year group' };
/** Everybody who teaches the subject. */
const teachersOfSubject: Rule = { roles: ['admin', 'leader', 'teacher'], within: 'subject' };
/** What happened: auditors and admins in the school, leaders in their subjects, teachers in their classes; and what each did. */
const record: Rule = { roles: ['admin', 'auditor', 'leader', 'teacher'], within: 'listed' };
const examiners: Rule = { roles: ['admin', 'auditor'], within: 'school' };
const everybody: Rule = { roles: ['admin', 'leader', 'teacher', 'student', 'auditor'], within: 'school' };

/** The rule of a request, and what it is about, in the order in which that is looked up. */
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
  UndoAct: of(memberships, 'subject'),
  AddYearGroup: of(structure, 'subject'),
  RenameYearGroup: of(structure, 'subject'),
  DeleteYearGroup: of(structure, 'subject'),
  RestoreYearGroup: of(structure, 'subject'),
  BeginSchoolYear: of(adminsNow, 'subject'),
  AddSet: of(structure, 'subject'),
  ChangeSet: of(structure, 'subject'),
  ChangeSets: of(structure, 'subject'),
  LinkSetAssessment: of(structure, 'subject'),
  DateAssessment: of(markers, 'subject'),
  AddSets: of(structure, 'subject'),
  DeleteSet: of(structure, 'subject'),
  RestoreSet: of(structure, 'subject'),
  AddTeacher: of(memberships, 'subject'),
  ChangeTeacher: of(memberships, 'subject'),
  LinkTeacherSet: of(memberships, 'subject'),
  RemoveTeacher: of(memberships, 'subject'),
  /** Only admins close the log-in, too. */
  LetTeacherLeave: of(memberships, 'subject'),
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
  EmptySets: of(adminsNow, 'subject'),
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
  waiting: ofNow(admins, 'subject'),
  questions: ofAnyMoment(staffOfSubject, 'subject'),
  assessment: ofAnyMoment(structureToRead, 'assessment'),
  mappings: ofAnyMoment(leadersAndAuditors, 'subject'),
  mapped: ofAnyMoment(leadersAndAuditors, 'subject'),
  'export-students': ofAnyMoment(examiners, 'yearGroup'),
  'export-results': ofAnyMoment(examiners, 'assessment'),
  'export-choices': ofAnyMoment(examiners, 'subject'),
  'export-student-list': ofAnyMoment(examiners, 'subject'),
  'export-totals': ofAnyMoment(examiners, 'assessment'),
  'match-students': ofNow(teachersOfSubject, 'subject'),
  'upload-classes': ofNow(teachersOfSubject, 'subject'),
  'preview-totals': ofNow(teachersOfSubject, 'subject'),
  'preview-students': ofNow(admins, 'subject'),
  'preview-school-year': ofNow(admins, 'subject'),
  'preview-marks': ofNow(teachersOfSubject, 'subject'),
  markbook: ofAnyMoment(staffOfYearGroup, 'yearGroup', 'class'),
  replay: ofNow(staffOfYearGroup, 'yearGroup'),
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
  /** Teachers see their own, and those on marks of their classes; what takes one back is offered to whoever may send it. */
  'recent-changes': ofNow(teachersOfSubject, 'subject'),
};

/** Who may read a resource of /api/rest, now or as of an earlier moment. Writes are commands, with their own rules. */
export const restAccess: Readonly<Record<ResourceName, Rule>> = {
  subjects: structureToRead,
  schemes: structureToRead,
  assessments: structureToRead,
  yearGroups: structureToRead,
  sets: structureToRead,
  terminalExams: structureToRead,
  teachers: structureToRead,
  students: examiners,
  removedStudents: examiners,
  staffUsers: examiners,
  studentUsers: examiners,
  deleted: structureToRead,
};

/** Nobody has to be signed in. */
const anybody: Rule = { roles: [], within: 'school' };
const ownAccount: Rule = { ...everybody, within: 'self' };

/** The rule of several documented calls of one area, by their numbers. */
const calls = <Area extends string, const Number extends number>(area: Area, numbers: readonly Number[], rule: RuleAbout) =>
  Object.fromEntries(numbers.map((number) => [`${area}/${number}`, rule])) as Record<`${Area}/${Number}`, RuleAbout>;

/** Who may send a documented call (api/calls) at all. Its queries and commands have the rules above as well; then it is about nothing itself. */
export const callAccess = {
  'POST /oauth/token': of(anybody),
  'POST /report_error': of(anybody),
  'POST /forget-password': of(anybody),
  'POST /reset-password': of(anybody),
  'GET /sociallogin/{id}': of(anybody),
  'POST /verify-code': of(anybody),
  'PUT /verify-code/{id}': of(anybody),
  'POST /auth/register': of(anybody),
  'POST /recaptcha': of(anybody),
  'POST /new-db': of(anybody),
  'GET /logout': of(ownAccount),
  'POST /profile': of(ownAccount),
  'PUT /profile/{id}': of(ownAccount),
  'GET /profile': of(everybody),
  'GET /checkauth': of(everybody),
  'GET /user-load': of(everybody),
  'PUT /users_students/code': of(admins),
  'GET /users_teachers': of(admins),
  'POST /users_teachers': of(admins),
  'PUT /users_teachers/{id}': of(admins),
  'GET /users_teachers/{id}': of(admins),
  'GET /users_students': of(admins),
  'PUT /users_students/{id}': of(admins),
  'DELETE /users_students/{id}': of(admins),
  'POST /feedback': of(leaders),
  'POST /email': of(leaders),

  ...calls('GET /admin', [1, 9, 10, 26], of(structureToRead)),
  ...calls('GET /admin', [2, 5, 8, 11, 12, 14, 15, 25], of(structureToRead, 'subject')),
  'GET /admin/3': of(structureToRead, 'scheme'),
  'GET /admin/4': of(structureToRead, 'schemeTopic'),
  'GET /admin/6': of(structureToRead, 'assessment'),
  'GET /admin/7': of(structureToRead, 'question'),
  'GET /admin/13': of(examiners, 'subject'),
  'GET /admin/16': of(staffOfSubject, 'subject'),
  'GET /admin/17': of(staffOfClass),
  ...calls('GET /admin', [18, 19], of(leadersAndAuditors)),
  'GET /admin/20': of(leadersAndAuditors, 'subject'),
  'GET /admin/21': of(leadersAndAuditors, 'schemeTopic'),
  ...calls('GET /admin', [22, 23], of(examiners)),
  // Each table of a write has the rules of its commands: leaders map topics, teachers have revision lists.
  'POST /admin': of(teachersOfSubject),
  'PUT /admin/{id}': of(teachersOfSubject),
  'DELETE /admin/{id}': of(teachersOfSubject),
  ...calls('GET /topics', [1, 2, 3, 4], of(leadersAndAuditors)),

  ...calls('GET /leader', [10, 11, 12, 14, 17, 18, 19], of(leadersAndAuditors)),
  ...calls('GET /leader', [4, 6, 8, 13, 15, 16], of(leadersAndAuditors, 'yearGroup')),
  ...calls('GET /leader', [1, 5], of(leadersAndAuditors, 'yearGroup', 'subject')),
  ...calls('GET /leader', [9, 20], of(leadersAndAuditors, 'subject')),
  ...calls('GET /leader', [21, 22], of(leadersAndAuditors, 'assessment')),
  'GET /leader/7': of(leadersAndAuditors, 'exam'),
  'GET /leader/2': of(staffOfSubject),
  'GET /leader/3': of(staffOfSubject, 'yearGroup'),
  'POST /leader': of(leaders),
  // Revision lists are for teachers too; a task moves by its leaders' commands.
  'PUT /leader/{id}': of(teachersOfSubject),
  'DELETE /leader/{id}': of(leaders),

  ...calls('GET /teacher', [3, 6, 12, 14, 18, 20, 21, 22, 24], of(staffOfClass)),
  ...calls('GET /teacher', [9, 10, 13, 15, 19, 25, 26, 27, 29], of(staffOfClass, 'class')),
  ...calls('GET /teacher', [1, 4, 5, 7], of(staffOfSubject, 'subject')),
  ...calls('GET /teacher', [11, 17], of(staffOfSubject, 'assessment')),
  'GET /teacher/8': of(leadersAndAuditors, 'subject'),
  'GET /teacher/16': of(staffOfSubject, 'schemeTopic', 'student'),
  'GET /teacher/23': of(staffOfSubject, 'task'),
  'GET /teacher/28': of(staffOfYearGroup),
  'GET /teacher/30': of(staffOfSubject, 'yearGroup'),
  'POST /teacher': of(markers),
  'PUT /teacher/{id}': of(markers),

  ...calls('GET /student', [2, 3, 34, 36], of(everybody)),
  ...calls('GET /student', [25, 27, 30, 31, 32, 37, 38, 39], of(ofOneself)),
  'GET /student/26': of({ ...ofOneself, within: 'sets' }, 'class', 'assessment'),
  'GET /student/29': of({ ...everybody, within: 'self' }),
  'POST /student': of(students),
} as const satisfies Readonly<Record<string, RuleAbout>>;

export type CallName = keyof typeof callAccess;
