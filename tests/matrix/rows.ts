import { randomUUID } from 'node:crypto';
import type { CommandName } from '../../api/commands.ts';
import type { QueryName } from '../../api/queries.ts';
import type { ResourceName } from '../../api/resources.ts';
import type { Client } from '../support/client.ts';
import { commandSamples, querySamples, taskAt } from '../support/samples.ts';
import { PASSWORD } from '../support/school.ts';
import { admins, examiners, leaders, writers, staffOfMaths, yearGroup, staff, signedIn, everybody } from './actors.ts';
import { analysisQueries } from './analysis.ts';
import { revisionListCommands, revisionListQueries } from './revision-lists.ts';
import { callRows } from '../calls/cases.ts';
import type { Asked, Listed, Row, Rule } from './row.ts';
import { body, fresh, nextYear, ours } from './row.ts';
import type { World } from './world.ts';
import { listsOfStudents, ofStudents } from './student-rows.ts';
import { ofOperations } from './operations.ts';

/**
 * Who may do what, written down a second time, from the roles of a school and not from api/access.ts: a teacher has their own sets and
 * the markbook of the year group, a leader their subjects, an admin the school; an auditor reads every staff query and writes nothing; a
 * student has what is theirs. The requests are about 11A of Mathematics.
 */
const forAdmins: Rule = { may: admins };
const structure: Rule = { may: admins, ifOpen: true };
const forLeaders: Rule = { may: leaders };
const readByLeaders: Rule = { may: ['admin', 'auditor', 'leader'] };
const marking: Rule = { may: writers };
/** Only the product's own code may ask for these. */
const forNobody: Rule = { may: [] };

const commands: Readonly<Record<CommandName, Rule>> = {
  OpenSchool: forNobody,
  ForgetStudentAccount: forNobody,
  ForgetTeacher: forNobody,
  LoseStaffAddress: forNobody,
  LoseStudentAddress: forNobody,
  ActivateStaffAccount: forNobody,
  ChangeStaffDetails: forNobody,
  JoinByCode: forNobody,
  ChangeStudentDetails: forNobody,
  LookAtStudent: forNobody,
  RecordHandOut: { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  RenameSchool: forAdmins,
  OpenStructureToLeaders: forAdmins,
  ShowResultsToStudents: forAdmins,
  ChangeReportWords: forAdmins,
  OpenStaffAccount: forAdmins,
  InviteStaff: forAdmins,
  InviteStaffAgain: forAdmins,
  ChangeStaffAccount: forAdmins,
  CloseStaffAccount: forAdmins,
  OpenStudentAccount: forAdmins,
  ResetStudentAccount: forAdmins,
  CloseStudentAccount: forAdmins,
  IssueJoinCode: forAdmins,
  ChangeJoinDomain: forAdmins,
  AddStudent: forAdmins,
  ChangeStudents: forAdmins,
  ImportStudents: forAdmins,
  UndoRosterChange: forAdmins,
  EmptySets: forAdmins,
  AddSubject: forAdmins,
  RemoveSubject: forAdmins,
  RestoreSubject: forAdmins,
  RenameSubject: structure,
  UndoAct: structure,
  AddYearGroup: structure,
  RenameYearGroup: structure,
  DeleteYearGroup: structure,
  RestoreYearGroup: structure,
  BeginSchoolYear: forAdmins,
  AddSet: structure,
  ChangeSet: structure,
  ChangeSets: structure,
  LinkSetAssessment: structure,
  DateAssessment: marking,
  AddSets: structure,
  DeleteSet: structure,
  RestoreSet: structure,
  AddTeacher: structure,
  ChangeTeacher: structure,
  LinkTeacherSet: structure,
  RemoveTeacher: structure,
  LetTeacherLeave: structure,
  RestoreTeacher: structure,
  AddTerminalExam: structure,
  ChangeTerminalExam: structure,
  RemoveTerminalExam: structure,
  RestoreTerminalExam: structure,
  AddScheme: structure,
  ChangeScheme: structure,
  SaveSchemeTopics: structure,
  DeleteScheme: structure,
  RestoreScheme: structure,
  ReplaceTopicTree: structure,
  CreateAssessment: structure,
  RenameAssessment: structure,
  ShowAssessment: forLeaders,
  UploadQuestions: structure,
  EditQuestions: structure,
  SaveQuestions: structure,
  UndoQuestions: structure,
  DeleteAssessment: structure,
  RestoreAssessment: structure,
  MapSchemeTopics: forLeaders,
  MapQuestions: forLeaders,
  AllocatePrerequisites: forLeaders,
  LinkSchemeTopic: forLeaders,
  LinkQuestionTopic: forLeaders,
  LinkPrerequisite: forLeaders,
  UploadTotals: marking,
  UploadMarks: marking,
  EnterMarks: { ...marking, listsRefused: true },
  DecideMark: marking,
  SaveFeedback: { may: ['student'] },
  SubmitFeedback: { may: ['student'] },
  ReopenFeedback: marking,
  UndoCommand: marking,
  RedoCommand: marking,
  UploadPriorScores: forLeaders,
  EnterPriorScores: forLeaders,
  UndoPriorScores: forLeaders,
  RedoPriorScores: forLeaders,
  CreateGradeProfile: forLeaders,
  OpenGradeProfile: forLeaders,
  SaveGrades: forLeaders,
  EditGradeProfile: forLeaders,
  DeleteGradeProfile: forLeaders,
  RestoreGradeProfile: forLeaders,
  CreateFeedbackTask: forLeaders,
  OpenFeedbackTask: forLeaders,
  AddTaskMap: forLeaders,
  EditFeedbackTask: forLeaders,
  DeleteFeedbackTask: forLeaders,
  RestoreFeedbackTask: forLeaders,
  RankTask: forLeaders,
  RemoveRanking: forLeaders,
  RecordRanking: marking,
  AdoptRanking: forLeaders,
  AssignRecordedGrades: forLeaders,
  CheckRanking: marking,
  AssignGrades: forLeaders,
  ReopenGrades: forLeaders,
  CheckGrades: marking,
  DecideResults: forLeaders,
  CompleteTask: forLeaders,
  RemindTeachers: forLeaders,
  ...revisionListCommands,
  // Last, because it takes away what the others are about.
  ForgetStudent: forAdmins,
  ForgetStaffAccount: forAdmins,
};

const queries: Readonly<Record<QueryName, Rule>> = {
  me: { may: signedIn },
  'students-to-view': { may: ['admin', 'leader', 'teacherA', 'teacherB', 'scienceLeader', 'neighbour'] },
  'teachers-to-view': forLeaders,
  structure: { may: yearGroup },
  assessment: { may: examiners, ifOpen: true },
  mappings: readByLeaders,
  mapped: readByLeaders,
  'export-students': { may: examiners },
  'export-results': { may: examiners },
  'export-choices': { may: examiners },
  'export-student-list': { may: examiners },
  'export-totals': { may: examiners },
  'match-students': { may: ['admin', 'leader', 'teacherA', 'teacherB'], readsYearGroup: true },
  'upload-classes': { may: ['admin', 'leader', 'teacherA', 'teacherB'], readsYearGroup: true },
  'preview-totals': marking,
  'preview-marks': marking,
  'preview-students': forAdmins,
  'preview-school-year': forAdmins,
  markbook: { may: yearGroup, readsYearGroup: true },
  cell: { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  'sat-on': { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  sheet: { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  ...ofStudents,
  tracker: { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  uploads: { may: yearGroup, readsYearGroup: true },
  'prior-summary': readByLeaders,
  'prior-scores': readByLeaders,
  'prior-uploads': readByLeaders,
  'preview-prior': forLeaders,
  'grade-profiles': readByLeaders,
  'ranking-preview': forLeaders,
  tasks: { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  task: readByLeaders,
  'task-ranking': { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  'task-score': { may: ['admin', 'auditor', 'leader', 'teacherA'] },
  'task-grades': readByLeaders,
  'entered-totals': readByLeaders,
  ...revisionListQueries,
  ...analysisQueries,
  history: { may: yearGroup },
  'recent-changes': { may: ['admin', 'leader', 'teacherA', 'teacherB'], readsYearGroup: true },
  waiting: forAdmins,
  'history-entry': { may: ['admin', 'auditor', 'leader', 'teacherA'] },
};

/** By resource: who may read and write it, a record of it, and a legal request for each of its writes. */
const THRESHOLDS = { red: 0, amber: 40, green: 70 };

const resources: Readonly<Record<ResourceName, Listed>> = {
  subjects: {
    ...structure,
    isAdminsToMake: true,
    id: ({ school }) => school.ids.maths,
    create: () => ({ name: fresh() }),
    update: [({ school }) => school.ids.maths, () => ({ name: 'Mathematics' })],
    remove: ({ spare }) => spare.subjectId,
  },
  schemes: {
    ...structure,
    id: ({ school }) => school.ids.scheme,
    create: ({ school }) => ({ subjectId: school.ids.maths, name: fresh() }),
    update: [({ spare }) => spare.schemeId, () => ({ name: fresh() })],
    remove: ({ spare }) => spare.schemeId,
  },
  assessments: {
    ...structure,
    id: ({ school }) => school.ids.mock,
    create: ({ school }) => ({ subjectId: school.ids.maths, name: fresh() }),
    update: [({ spare }) => spare.paper.testId, () => ({ name: fresh() })],
    remove: ({ spare }) => spare.paper.testId,
  },
  sets: {
    ...structure,
    id: ({ school }) => school.ids.setA,
    create: ({ school: { ids } }) => ({ subjectId: ids.maths, yearGroupId: ids.year, name: fresh(), schemeId: ids.scheme }),
    update: [
      ({ school }) => school.ids.setA,
      ({ school: { ids } }) => ({ name: '11A', schemeId: ids.scheme, testIds: [ids.mock, ids.other], thresholds: THRESHOLDS }),
    ],
    remove: ({ spare }) => spare.setIds[0] ?? '',
  },
  yearGroups: {
    ...structure,
    id: ({ school }) => school.ids.year,
    create: ({ school }) => ({ subjectId: school.ids.maths, year: nextYear() }),
    update: [({ school }) => school.ids.year, () => ({ year: 11 })],
    remove: ({ spare }) => spare.yearGroupId,
  },
  terminalExams: {
    ...structure,
    id: ({ school }) => school.ids.terminalExam,
    create: ({ school }) => ({ subjectId: school.ids.maths, name: fresh(), yearSat: 11 }),
    update: [({ school }) => school.ids.terminalExam, () => ({ name: fresh(), yearSat: 11 })],
    remove: ({ school }) => school.ids.terminalExam,
    given: ['RestoreTerminalExam', ({ school: { ids } }) => ({ subjectId: ids.maths, terminalExamId: ids.terminalExam })],
  },
  teachers: {
    ...structure,
    id: ({ school }) => school.ids.recordA,
    create: ({ school }) => ({ subjectId: school.ids.maths, name: fresh() }),
    update: [({ school }) => school.ids.recordA, ({ school }) => ({ name: 'Teacher A', setIds: [school.ids.setA] })],
    remove: ({ spare }) => spare.teacherId,
  },
  ...listsOfStudents,
  staffUsers: {
    ...forAdmins,
    id: ({ school }) => school.accounts.teacherA,
    create: () => ({ name: 'Invited', email: `${fresh()}@rows.example`, role: 'teacher', teachers: [] }),
    update: [({ spare }) => spare.invited, () => ({ email: `${fresh()}@rows.example`, role: 'teacher', teachers: [] })],
    remove: ({ spare }) => spare.staff,
  },
  studentUsers: { ...forAdmins, id: ({ school }) => school.accounts.student, remove: ({ spare }) => spare.student },
  deleted: {
    ...structure,
    id: ({ school }) => school.ids.unready,
    given: ['DeleteAssessment', ({ school }) => ({ testId: school.ids.unready })],
  },
};

const token = 'x'.repeat(43);
const NEW = 'a brand new one';
const twice = { password: NEW, confirmation: NEW };
const publicly: Rule = { may: everybody };
/** For whoever holds the token of a mail, which nobody does here; tests/auth/tokens.test.ts has one in the wrong hands. */
const byToken: Rule = { may: everybody, status: 410 };
const ownAccount: Rule = { may: signedIn, anew: true };
const twoStep: Rule = { may: staff, anew: true };
const unlock = async (client: Client): Promise<unknown> => client.passed('profile/unlock', { password: PASSWORD });

const others: Readonly<Record<string, Row>> = {
  ...ours('GET /api/openapi.json', publicly),
  ...ours('GET /api/health', publicly),
  ...ours('GET /api/health/live', publicly),
  ...ours('GET /api/metrics', publicly),
  ...ours('GET /api/live', { may: signedIn, streams: true }),
  // It takes the text of any error; what no database holds is left out.
  ...ours('POST /api/errors', { ...publicly, takesAnyText: true }, body({ message: 'TypeError' })),
  ...ours('GET /api/errors', { may: ['admin', 'neighbour'] }),
  ...ours('GET /api/history.csv', { may: [...staff, 'neighbour'] }),
  ...ours('GET /api/history.ndjson', { may: [...staff, 'neighbour'] }),
  ...ofOperations,

  ...ours('GET /api/door/site', publicly),
  ...ours('GET /api/door/visitor', publicly),
  ...ours('GET /api/door/robot-check', publicly),
  // Without a solved challenge; registration.test.ts solves one.
  ...ours('POST /api/door/registration', { may: everybody, status: 422 }, () => ({
    body: { name: 'Ada Nwosu', email: `${fresh()}@rows.example`, ...twice, terms: true, robot: 'e30=' },
  })),
  ...ours('POST /api/door/registration/finalise', byToken, body({ token, email: 'ada@rows.example', password: NEW, school: 'Greenfield' })),
  ...ours('POST /api/door/verify', byToken, body({ token })),
  ...ours('POST /api/door/password/forgotten', publicly, () => ({ body: { email: `${fresh()}@rows.example` } })),
  ...ours('POST /api/door/password/new', byToken, body({ token, ...twice })),
  ...ours('POST /api/door/activation', byToken, body({ token })),
  ...ours('POST /api/door/activation/accept', byToken, body({ token, name: 'Ada Nwosu', ...twice })),
  // A code that no subject has; joining.test.ts goes the whole way.
  ...ours('POST /api/door/join/code', { may: everybody, status: 422 }, body({ code: 'AAAAAAAA' })),
  ...ours('POST /api/door/join/birthday', { may: everybody, status: 409 }, body({ joining: token, dateOfBirth: '2009-05-01' })),
  ...ours('POST /api/door/join/name', { may: everybody, status: 409 }, body({ joining: token, choice: 'one' })),
  ...ours('POST /api/door/join/account', { may: everybody, status: 409 }, body({ joining: token, email: 'a1@rows.example', ...twice })),
  ...ours('GET /api/door/join-code', { may: admins }, ({ school }) => ({ query: { subjectId: school.ids.maths } })),
  ...ours('GET /api/door/join/waiting', { may: staffOfMaths }, ({ school }) => ({ query: { subjectId: school.ids.maths } })),
  // Nobody waits; joining-places.test.ts clears.
  ...ours('POST /api/door/join/clear', { may: staffOfMaths }, async ({ school }) => {
    await (await school.as('admin')).done('IssueJoinCode', { subjectId: school.ids.maths });
    return { body: { subjectId: school.ids.maths } };
  }),
  ...ours('GET /api/door/profile', { may: signedIn }),
  ...ours('GET /api/door/profile/data', { may: signedIn }),
  ...ours('POST /api/door/profile/unlock', ownAccount, body({ password: PASSWORD })),
  ...ours('POST /api/door/profile', { ...ownAccount, before: unlock }, body({})),
  ...ours('GET /api/door/profile/sessions', { may: signedIn }),
  // Sessions that nobody has; sessions.test.ts ends real ones.
  ...ours('POST /api/door/profile/sessions/end', { may: signedIn, status: 404 }, () => ({ body: { sessionId: randomUUID() } })),
  ...ours('POST /api/door/profile/tokens', { ...twoStep, before: unlock }, body({ name: 'Export', days: 1 })),
  ...ours('GET /api/door/sessions', { may: admins }, ({ school }) => ({ query: { accountId: school.accounts.teacherA } })),
  ...ours('POST /api/door/sessions/end', { may: admins, status: 404 }, ({ school }) => ({
    body: { accountId: school.accounts.teacherA, sessionId: randomUUID() },
  })),
  ...ours('POST /api/door/profile/sign-out-everywhere', { ...ownAccount, takesNoBody: true }, body({})),
  // No provider is set; social.test.ts has one.
  ...ours('GET /api/door/social', { may: everybody, status: 404 }),
  ...ours('GET /api/identity/callback/school', { may: everybody, status: 404 }),

  ...ours('POST /api/identity/sign-in/email', { may: everybody, anew: true, ignoresMore: true }, ({ school }) => ({
    body: { email: school.email('student'), password: PASSWORD },
  })),
  ...ours('POST /api/identity/sign-out', { may: everybody, anew: true }, body({})),
  // It is not switched on here; profile.test.ts and log-in.test.ts have accounts with it.
  ...ours('POST /api/identity/two-factor/verify-totp', { ...ownAccount, status: 409 }, body({ code: '000000' })),
  ...ours('POST /api/identity/two-factor/verify-backup-code', { ...ownAccount, status: 409 }, body({ code: 'aaaaa-aaaaa' })),
  ...ours('POST /api/identity/two-factor/generate-backup-codes', { ...twoStep, status: 409 }, body({ password: PASSWORD })),
  ...ours('POST /api/identity/two-factor/enable', twoStep, body({ password: PASSWORD })),
  ...ours('POST /api/identity/two-factor/disable', twoStep, body({ password: PASSWORD })),
};

/** A query's row for both of its methods. */
const queryRows = (Object.keys(queries) as QueryName[]).flatMap((name): [string, Row][] => [
  [
    `POST /api/queries/${name}`,
    { ...queries[name], ignoresMore: true, ask: ({ school, spare }) => ({ body: querySamples(school, spare)[name] }) },
  ],
  [
    `GET /api/queries/${name}`,
    { ...queries[name], ask: ({ school, spare }) => ({ query: querySamples(school, spare)[name] as Readonly<Record<string, string>> }) },
  ],
]);

/** What one has done, the next can do again. */
const reopened = async (world: World, name: 'AssignGrades' | 'AssignRecordedGrades') => {
  await (await world.as('admin')).command('ReopenGrades', { taskId: world.spare.tasks[name] });
  return {};
};

/** Where a sample would collide with another, or does too little to need a right. */
const own: Partial<Record<CommandName, (world: World) => object | Promise<object>>> = {
  AddYearGroup: () => ({ year: nextYear() }),
  AssignGrades: (world) => reopened(world, 'AssignGrades'),
  AssignRecordedGrades: (world) => reopened(world, 'AssignRecordedGrades'),
  ReopenGrades: async (world) => {
    const sample = commandSamples(world.school, world.spare).AssignGrades;
    await (await world.as('admin')).command('AssignGrades', { ...sample, taskId: world.spare.tasks.ReopenGrades });
    return {};
  },
  CompleteTask: async ({ school, spare }) => ({
    taskId: await taskAt(school, 'ready', { ...spare.tasks, gradeProfileId: spare.gradeProfileId }),
  }),
  MapSchemeTopics: ({ school: { ids }, topic }) => ({ changes: [{ schemeTopicId: ids.schemeTopic, topicIds: [topic] }] }),
  MapQuestions: ({ school: { ids }, topic }) => ({ changes: [{ questionId: ids.questions[0], topicIds: [topic] }] }),
};

const commandRows = (Object.keys(commands) as CommandName[]).map((name): [string, Row] => [
  `POST /api/commands/${name}`,
  {
    ...commands[name],
    ask: async (world) => ({ body: { ...commandSamples(world.school, world.spare)[name], ...(await own[name]?.(world)) } }),
  },
]);

const resourceRows = (Object.keys(resources) as ResourceName[]).flatMap((name): [string, Row][] => {
  const { id, create, update, remove, given, isAdminsToMake, ...rule } = resources[name];
  const making = isAdminsToMake ? forAdmins : rule;
  const reading = { ...rule, may: examiners };
  const path = `/api/rest/${name}`;
  const ask =
    (asked: (world: World) => Asked): Row['ask'] =>
    async (world) => {
      if (given) await (await world.as('admin')).done(given[0], given[1](world));
      return asked(world);
    };
  return [
    [`GET ${path}`, { ...reading, ask: () => ({}) }],
    [`GET ${path}/{id}`, { ...reading, ask: ask((world) => ({ id: id(world) })) }],
    ...(create
      ? [[`POST ${path}`, { ...making, ignoresMore: true, status: 201, ask: (world: World) => ({ body: create(world) }) }] as [string, Row]]
      : []),
    ...(update
      ? [
          [
            `PUT ${path}/{id}`,
            { ...rule, ignoresMore: true, ask: (world: World) => ({ id: update[0](world), body: update[1](world) }) },
          ] as [string, Row],
        ]
      : []),
    ...(remove
      ? [[`DELETE ${path}/{id}`, { ...making, takesNoBody: true, ask: ask((world) => ({ id: remove(world) })) }] as [string, Row]]
      : []),
  ];
});

/** By method and path, as /api/openapi.json has them. */
export const rows: ReadonlyMap<string, Row> = new Map([
  ...queryRows,
  ...commandRows,
  ...resourceRows,
  ...callRows,
  ...Object.entries(others),
]);
