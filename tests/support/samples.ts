import { randomUUID } from 'node:crypto';
import type { CommandName } from '../../api/commands.ts';
import { commandId, eventId } from '../../events/codec/ids.ts';
import type { TaskRanking } from '../../api/tasks/ranking/task-ranking.contract.ts';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import type { QueryName } from '../../api/queries.ts';
import { keyOf } from '../../run/command-client.ts';
import { enoughPrior } from './enough-prior.ts';
import { analysisSamples } from './analysis-samples.ts';
import { revisionListSamples } from './revision-list-samples.ts';
import { PASSWORD, type School } from './school.ts';
import { studentSamples } from './student-samples.ts';
import { writeRankedTask } from './tasks-in-log.ts';

/** Records that samples may close, remove and undo without affecting other tests. */
export type Spare = {
  readonly staff: string;
  readonly invited: string;
  readonly student: string;
  readonly teacherId: string;
  readonly subjectId: string;
  readonly upload: Uploaded;
  /** a command that changed students */
  readonly rosterChange: string;
  readonly schemeId: string;
  readonly yearGroupId: string;
  /** a command that added a terminal exam */
  readonly actId: string;
  /** a set of that year group */
  readonly setIds: readonly string[];
  readonly gradeProfileId: string;
  /** Feedback tasks, by the command that they are for, each in the state in which it may be given. */
  readonly tasks: Readonly<Record<TaskCommand, string>> & { readonly terminalExamId: string };
  /** a feedback task of 11A, in which A1 is ranked */
  readonly rankedTaskId: string;
  /** a command that entered prior scores */
  readonly priorEntry: string;
  /** an assessment, and a command that changed its questions */
  readonly paper: { readonly testId: string; readonly commandId: string };
  /** a topic header, and the command that added it */
  readonly header: { readonly headerId: string; readonly commandId: string };
};

const grades = [
  { label: '9', percent: 40 },
  { label: '8', percent: 60 },
];
const thisYear = new Date().getUTCFullYear();
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** How often they were made: no subject has two year groups of a year. */
let spares = 0;

export const spareParts = async (school: School): Promise<Spare> => {
  const { ids } = school;
  const [admin, teacher] = await Promise.all([school.as('admin'), school.as('teacherA')]);
  const name = 'Spare';
  const staff = await admin.done('OpenStaffAccount', { name, email: `${randomUUID()}@spare.example`, password: PASSWORD, role: 'teacher' });
  const student = await admin.done('OpenStudentAccount', {
    studentId: ids.students['A3'],
    name,
    email: `${randomUUID()}@spare.example`,
    password: PASSWORD,
  });
  const invited = await admin.done('InviteStaff', { name, email: `${randomUUID()}@spare.example`, role: 'teacher' });
  const record = await admin.done('AddTeacher', { subjectId: ids.maths, name: `${name} ${randomUUID()}` });
  const subject = await admin.done('AddSubject', { name: `${name} ${randomUUID()}` });
  const upload = await teacher.done<Uploaded>('UploadTotals', {
    subjectId: ids.maths,
    classes: [{ setId: ids.setA, testIds: [ids.other] }],
    rows: [{ admissionNo: '00A1', name, totals: [5] }],
    fileName: 'spare.csv',
  });
  const move = await admin.done('ChangeStudents', {
    subjectId: ids.maths,
    changes: [{ studentId: ids.students['C2'], place: { setId: ids.setB } }],
  });
  const scheme = await admin.done('AddScheme', { subjectId: ids.maths, name: `${name} ${randomUUID()}` });
  const actKey = randomUUID();
  await admin.done('AddTerminalExam', { subjectId: ids.maths, name: `${name} ${actKey}`, yearSat: 11 }, actKey);
  const yearGroup = await admin.done('AddYearGroup', { subjectId: ids.maths, year: 20 + (spares++ % 79) });
  const sets = await admin.done<{ setIds: string[] }>('AddSets', {
    subjectId: ids.maths,
    yearGroupId: yearGroup['yearGroupId'],
    names: [`${name} ${randomUUID()}`, `${name} ${randomUUID()}`],
    schemeId: ids.scheme,
  });
  const test = await admin.done('CreateAssessment', { subjectId: ids.maths, name: `${name} ${randomUUID()}` });
  const paper = await admin.done('UploadQuestions', { testId: test['testId'], questions: [{ number: 1, topic: name, marksAvailable: 1 }] });
  // Another use of the samples may have removed it.
  await admin.done('RestoreTerminalExam', { subjectId: ids.maths, terminalExamId: ids.terminalExam });
  const prior = await admin.done('EnterPriorScores', {
    subjectId: ids.maths,
    terminalExamId: ids.terminalExam,
    yearCompleted: thisYear,
    scores: [{ studentId: ids.students['A1'], score: 'B' }],
  });
  const header = await admin.done('AddRevisionHeader', { subjectId: ids.maths, name });
  const profile = await admin.done('CreateGradeProfile', { subjectId: ids.maths, yearGroupId: ids.year, name, grades });
  const tasks = await spareTasks(school, profile['gradeProfileId'] ?? '');
  const rankedTaskId = randomUUID();
  await writeRankedTask(school, rankedTaskId, thisYear);
  return {
    tasks,
    rankedTaskId,
    gradeProfileId: profile['gradeProfileId'] ?? '',
    priorEntry: prior['commandId'] ?? '',
    schemeId: scheme['schemeId'] ?? '',
    yearGroupId: yearGroup['yearGroupId'] ?? '',
    actId: commandId(school.accounts.admin, actKey),
    setIds: sets.setIds,
    paper: { testId: test['testId'] ?? '', commandId: paper['commandId'] ?? '' },
    header: { headerId: header['headerId'] ?? '', commandId: header['commandId'] ?? '' },
    rosterChange: move['commandId'] ?? '',
    staff: staff['accountId'] ?? '',
    invited: invited['accountId'] ?? '',
    student: student['accountId'] ?? '',
    teacherId: record['teacherId'] ?? '',
    subjectId: subject['subjectId'] ?? '',
    upload,
  };
};

/** The plan of a school year. */
export const NO_CHANGES = { day: '2026-09-01', yearGroups: [], sets: [], newSets: [], students: [], intake: null };

const newTask = ({ ids }: School) => ({
  subjectId: ids.maths,
  yearGroupId: ids.year,
  name: 'Autumn',
  expiry: tomorrow(),
  teacherInput: true,
  maps: [{ setId: ids.setA, testId: ids.other }],
});

/** The command, and what has happened to its task. */
const TASK_COMMANDS = {
  EditFeedbackTask: 'created',
  RankTask: 'created',
  RemoveRanking: 'ranked',
  AddTaskMap: 'created',
  RecordRanking: 'created',
  AdoptRanking: 'recorded',
  AssignRecordedGrades: 'adopted',
  CheckRanking: 'ranked',
  RemindTeachers: 'ranked',
  AssignGrades: 'ranked',
  ReopenGrades: 'graded',
  CheckGrades: 'graded',
  DecideResults: 'graded',
  CompleteTask: 'ready',
} as const;
type TaskCommand = keyof typeof TASK_COMMANDS;

const spareTasks = async (school: School, gradeProfileId: string): Promise<Spare['tasks']> => {
  const { ids } = school;
  const { terminalExamId } = await enoughPrior(school);
  await (
    await school.as('admin')
  ).done('UploadTotals', {
    subjectId: ids.maths,
    classes: [{ setId: ids.setA, testIds: [ids.other] }],
    rows: [{ admissionNo: '00A4', name: 'A4, Student', totals: [14] }],
    fileName: 'task.csv',
  });
  const made = await Promise.all(
    Object.entries(TASK_COMMANDS).map(
      async ([name, state]) => [name, await taskAt(school, state, { terminalExamId, gradeProfileId })] as const,
    ),
  );
  return { ...(Object.fromEntries(made) as Record<TaskCommand, string>), terminalExamId };
};

/** A task of set 11A, in which A4 has a total. */
export const taskAt = async (
  school: School,
  state: 'created' | 'recorded' | 'adopted' | 'ranked' | 'graded' | 'ready',
  { terminalExamId, gradeProfileId }: { readonly terminalExamId: string; readonly gradeProfileId: string },
): Promise<string> => {
  const admin = await school.as('admin');
  const { taskId = '' } = await admin.done('CreateFeedbackTask', newTask(school));
  if (state === 'created') return taskId;
  if (state === 'recorded' || state === 'adopted') {
    const rows = [{ studentId: school.ids.students['A4'], ranking: 1, score: 60.5, grade: '9' }];
    await admin.done('RecordRanking', { taskId, rows });
    if (state === 'recorded') return taskId;
    await admin.done('AdoptRanking', { taskId });
    await admin.done('CheckRanking', { taskId, setId: school.ids.setA, rows: [] });
    return taskId;
  }
  await admin.done('RankTask', { taskId, terminalExamId, testIds: [school.ids.other] });
  if (state === 'ranked') return taskId;
  await admin.done('AssignGrades', { taskId, gradeProfileId, without: withoutA(school) });
  if (state === 'graded') return taskId;
  const { students } = await admin.ask<TaskRanking>('task-ranking', { taskId });
  const none = { ranking: null, score: null, grade: null };
  const rows = students.flatMap(({ studentId, score }) => (score === null ? [{ studentId, ...none, exempt: true }] : []));
  await admin.done('DecideResults', { taskId, rows });
  return taskId;
};

const withoutA = ({ ids }: School) => [{ setId: ids.setA, reason: 'On leave' }];

/** A request for every command, about the school and its set 11A, which an admin may make once. */
export const commandSamples = (school: School, spare: Spare): Readonly<Record<CommandName, Record<string, unknown>>> => {
  const { ids } = school;
  const { maths: subjectId, year: yearGroupId, setA: setId, mock: testId, scheme: schemeId, recordA: teacherId } = ids;
  const fresh = randomUUID().slice(0, 18);
  const studentId = ids.students['A2'];
  const thresholds = { red: 0, amber: 40, green: 70 };
  const person = { name: 'Somebody', email: `${fresh}@samples.example`, password: PASSWORD };
  const row = { admissionNo: '00A1', name: 'A1, Student' };
  const { entryId, commandId } = spare.upload;
  const { terminalExam: terminalExamId } = ids;
  const prior = { subjectId, terminalExamId, yearCompleted: thisYear };
  return {
    OpenSchool: { name: 'Another' },
    RenameSchool: { name: 'Test School' },
    OpenStructureToLeaders: { open: false },
    ShowResultsToStudents: { shown: false },
    ChangeReportWords: { foot: '', sentence: 'Tick it off.', comparisons: true },
    OpenStaffAccount: { ...person, role: 'teacher', teachers: [] },
    InviteStaff: { name: 'Invited', email: `i${person.email}`, role: 'teacher', teachers: [] },
    InviteStaffAgain: { accountId: spare.invited },
    ActivateStaffAccount: { name: 'Somebody' },
    ChangeStaffDetails: { name: 'Somebody', email: person.email },
    ChangeStaffAccount: { accountId: spare.staff, role: 'teacher', teachers: [{ subjectId, teacherId: spare.teacherId }] },
    CloseStaffAccount: { accountId: spare.staff },
    OpenStudentAccount: { ...person, email: `s${person.email}`, studentId },
    ResetStudentAccount: { accountId: spare.student },
    CloseStudentAccount: { accountId: spare.student },
    JoinByCode: { studentId, subjectId, name: 'Somebody', email: person.email },
    ChangeStudentDetails: { name: 'Somebody', email: person.email },
    IssueJoinCode: { subjectId },
    ChangeJoinDomain: { subjectId, domain: 'students.example' },
    LookAtStudent: { studentId },
    RecordHandOut: { what: 'class report', as: 'file', subjectId, setId, testId },
    ForgetStudent: { studentId: ids.students['C3'] },
    ForgetStaffAccount: { accountId: spare.staff },
    ForgetStudentAccount: { accountId: spare.student },
    LoseStaffAddress: { accountId: spare.staff, email: person.email },
    LoseStudentAddress: { accountId: spare.student, email: person.email },
    ForgetTeacher: { subjectId, teacherId: spare.teacherId },
    AddSubject: { name: fresh },
    RenameSubject: { subjectId, name: 'Mathematics' },
    RemoveSubject: { subjectId: spare.subjectId },
    RestoreSubject: { subjectId: spare.subjectId },
    UndoAct: { subjectId, actId: spare.actId, partly: true },
    BeginSchoolYear: { subjectId: spare.subjectId, plan: NO_CHANGES, version: null },
    AddYearGroup: { subjectId, year: 1 + Math.floor(Math.random() * 9) },
    RenameYearGroup: { subjectId, yearGroupId, year: 11 },
    DeleteYearGroup: { subjectId, yearGroupId: spare.yearGroupId },
    RestoreYearGroup: { subjectId, yearGroupId },
    AddSet: { subjectId, yearGroupId, name: fresh, schemeId },
    AddSets: { subjectId, yearGroupId, names: [`${fresh} 1`, `${fresh} 2`], schemeId },
    DeleteSet: { subjectId, setId: spare.setIds[0] },
    RestoreSet: { subjectId, setId },
    AddTeacher: { subjectId, name: fresh },
    ChangeTeacher: { subjectId, teacherId, name: 'Teacher A', setIds: [setId] },
    RemoveTeacher: { subjectId, teacherId: spare.teacherId },
    LetTeacherLeave: { subjectId, teacherId: spare.teacherId, handOver: [] },
    RestoreTeacher: { subjectId, teacherId },
    AddTerminalExam: { subjectId, name: fresh, yearSat: 11 },
    RemoveTerminalExam: { subjectId, terminalExamId: ids.terminalExam },
    RestoreTerminalExam: { subjectId, terminalExamId: ids.terminalExam },
    LinkSetAssessment: { subjectId, links: [{ setId, testId }], linked: true },
    LinkTeacherSet: { subjectId, links: [{ teacherId, setId }], linked: true },
    ChangeTerminalExam: { subjectId, terminalExamId: ids.terminalExam, yearSat: 11 },
    SaveSchemeTopics: { schemeId, save: [{ topicId: ids.schemeTopic, name: 'Algebra' }] },
    DateAssessment: { subjectId, setId, testId, satOn: '2026-01-10' },
    ChangeSet: { subjectId, setId, thresholds },
    ChangeSets: { subjectId, changes: [{ setId, thresholds }] },
    ChangeScheme: { schemeId, name: 'Scheme of Mathematics', topics: [{ topicId: ids.schemeTopic, name: 'Algebra' }] },
    AddScheme: { subjectId, name: fresh },
    DeleteScheme: { schemeId: spare.schemeId },
    RestoreScheme: { schemeId: spare.schemeId },
    ReplaceTopicTree: { subjectId, title: 'Mathematics', paths: [['Number', 'Fractions'], ['Algebra']] },
    MapSchemeTopics: { subjectId, changes: [{ schemeTopicId: ids.schemeTopic, topicIds: [] }] },
    MapQuestions: { subjectId, changes: [{ questionId: ids.questions[0], topicIds: [] }] },
    AllocatePrerequisites: { subjectId, changes: [{ schemeTopicId: ids.schemeTopic, questionIds: [ids.questions[0]] }] },
    LinkSchemeTopic: { subjectId, links: [{ schemeTopicId: ids.schemeTopic, topicId: randomUUID() }], linked: false },
    LinkQuestionTopic: { subjectId, links: [{ questionId: ids.questions[0], topicId: randomUUID() }], linked: false },
    LinkPrerequisite: { subjectId, links: [{ schemeTopicId: ids.schemeTopic, questionId: ids.questions[0] }], linked: true },
    SaveQuestions: { testId, save: [{ questionId: ids.questions[0], topic: 'Topic 1' }] },
    CreateAssessment: { subjectId, name: fresh },
    RenameAssessment: { testId, name: 'Mock' },
    ShowAssessment: { testId, visible: true },
    UploadQuestions: {
      testId,
      questions: [5, 10, 5].map((marksAvailable, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable })),
    },
    EditQuestions: {
      testId,
      questions: [5, 10, 5].map((marksAvailable, index) => ({
        questionId: ids.questions[index],
        topic: `Topic ${index + 1}`,
        marksAvailable,
      })),
    },
    UndoQuestions: spare.paper,
    DeleteAssessment: { testId: ids.unready },
    RestoreAssessment: { testId: ids.unready },
    AddStudent: { subjectId, setId: ids.setC, admissionNo: fresh, name: 'Added', dateOfBirth: '2009-01-31' },
    ChangeStudents: { subjectId, changes: [{ studentId, place: { setId } }] },
    EmptySets: { subjectId, of: { setId: spare.setIds[0] } },
    UndoRosterChange: { subjectId, commandId: spare.rosterChange },
    ImportStudents: {
      subjectId,
      fileName: 'students.csv',
      rows: [{ ...row, set: '11A', dateOfBirth: '2009-05-01' }],
      others: 'keep',
      correct: false,
    },
    UploadTotals: { subjectId, classes: [{ setId, testIds: [testId] }], rows: [{ ...row, totals: [7] }], fileName: 'totals.csv' },
    UploadMarks: { subjectId, testId, setIds: [setId], rows: [{ ...row, marks: [1, null, 2] }], fileName: 'marks.csv' },
    EnterMarks: { entryId: randomUUID(), subjectId, seq: 1, typedAt: '2026-01-01T08:00:00Z', cells: [{ studentId, testId, is: 4 }] },
    DecideMark: { entryId: randomUUID(), subjectId, testId, studentId, is: 4, was: [3] },
    SaveFeedback: { testId, marks: [{ questionId: ids.questions[0], mark: 4 }] },
    SubmitFeedback: { testId, marks: ids.questions.map((questionId) => ({ questionId, mark: 3 })) },
    ReopenFeedback: { testId, studentId: ids.students['A1'] },
    UndoCommand: { entryId, commandId },
    RedoCommand: { entryId, commandId },
    UploadPriorScores: { ...prior, rows: [{ ...row, score: 'a*' }], fileName: 'prior.csv' },
    EnterPriorScores: { ...prior, scores: [{ studentId, score: '104' }] },
    UndoPriorScores: { subjectId, terminalExamId, commandId: spare.priorEntry },
    RedoPriorScores: { subjectId, terminalExamId, commandId: spare.priorEntry },
    CreateGradeProfile: { subjectId, yearGroupId, name: fresh, grades },
    OpenGradeProfile: { subjectId, yearGroupId, name: fresh },
    SaveGrades: { gradeProfileId: spare.gradeProfileId, rows: [{ was: null, label: fresh, percent: 10 }] },
    EditGradeProfile: { gradeProfileId: spare.gradeProfileId, name: fresh, grades },
    DeleteGradeProfile: { gradeProfileId: spare.gradeProfileId },
    RestoreGradeProfile: { gradeProfileId: spare.gradeProfileId },
    CreateFeedbackTask: newTask(school),
    OpenFeedbackTask: { subjectId, yearGroupId, name: fresh, expiry: tomorrow(), teacherInput: true },
    AddTaskMap: { taskId: spare.tasks.AddTaskMap, setId, testId },
    EditFeedbackTask: { taskId: spare.tasks.EditFeedbackTask, name: fresh, expiry: tomorrow(), teacherInput: true },
    DeleteFeedbackTask: { taskId: spare.tasks.EditFeedbackTask },
    RestoreFeedbackTask: { taskId: spare.tasks.EditFeedbackTask },
    RankTask: { taskId: spare.tasks.RankTask, terminalExamId: spare.tasks.terminalExamId, testIds: [ids.other] },
    RemoveRanking: { taskId: spare.tasks.RemoveRanking },
    RecordRanking: {
      taskId: spare.tasks.RecordRanking,
      rows: [{ studentId: ids.students['A1'], teacherRank: 1, flag: true, comment: 'Was ill.' }],
    },
    AdoptRanking: { taskId: spare.tasks.AdoptRanking },
    AssignRecordedGrades: { taskId: spare.tasks.AssignRecordedGrades },
    CheckRanking: {
      taskId: spare.tasks.CheckRanking,
      setId,
      rows: [{ studentId: ids.students['A1'], teacherRank: 1, flag: true, comment: 'Was ill.' }],
    },
    RemindTeachers: { taskId: spare.tasks.RemindTeachers },
    AssignGrades: { taskId: spare.tasks.AssignGrades, gradeProfileId: spare.gradeProfileId, without: withoutA(school) },
    ReopenGrades: { taskId: spare.tasks.ReopenGrades },
    CheckGrades: { taskId: spare.tasks.CheckGrades, setId, rows: [{ studentId: ids.students['A1'], flag: true }] },
    DecideResults: {
      taskId: spare.tasks.DecideResults,
      rows: [{ studentId: ids.students['A1'], ranking: 1, score: 50.5, grade: '9', exempt: false }],
    },
    CompleteTask: { taskId: spare.tasks.CompleteTask, without: withoutA(school) },
    ...revisionListSamples({ subjectId, testId, questionId: ids.questions[0], ...spare.header, fresh }),
  };
};

/** A request for every query, about the same. Without `spare` there is no such feedback task. */
export const querySamples = (
  { ids, schoolId }: School,
  spare?: Pick<Spare, 'rankedTaskId'>,
): Readonly<Record<QueryName, Record<string, unknown>>> => {
  const { maths: subjectId, setA: setId, mock: testId, year: yearGroupId } = ids;
  const row = { admissionNo: '00A1', name: 'A1, Student' };
  const taskId = spare?.rankedTaskId ?? subjectId;
  return {
    me: {},
    'students-to-view': { find: 'a1' },
    'teachers-to-view': { subjectId },
    structure: { subjectId },
    assessment: { testId },
    mappings: { subjectId },
    mapped: { subjectId },
    'export-students': { yearGroupId },
    'export-results': { testId },
    'export-choices': { subjectId },
    'export-student-list': { subjectId, groups: [yearGroupId, 'off-roll'] },
    'export-totals': { testId },
    'match-students': { subjectId, rows: [row] },
    'upload-classes': { subjectId, students: [row] },
    'preview-totals': { subjectId, classes: [{ setId, testIds: [testId] }], rows: [{ ...row, totals: [7] }] },
    'preview-school-year': { subjectId, plan: NO_CHANGES },
    'preview-students': { subjectId, fileName: '', rows: [{ ...row, set: '11A', dateOfBirth: null }] },
    'preview-marks': { subjectId, testId, setIds: [setId], rows: [{ ...row, marks: [1] }] },
    markbook: { yearGroupId },
    cell: { testId, studentId: ids.students['A1'] },
    'sat-on': { testId, setId },
    sheet: { testId, setId },
    ...studentSamples(ids),
    tracker: { testId, setId },
    uploads: { subjectId },
    'prior-summary': { subjectId, yearGroupId },
    'prior-scores': { subjectId, terminalExamId: ids.terminalExam, yearGroupId },
    'prior-uploads': { subjectId, terminalExamId: ids.terminalExam },
    'preview-prior': { subjectId, terminalExamId: ids.terminalExam, yearCompleted: thisYear, rows: [{ ...row, score: 'B' }] },
    'grade-profiles': { subjectId, yearGroupId },
    'ranking-preview': { taskId, terminalExamId: ids.terminalExam, testIds: [testId] },
    tasks: { setId },
    task: { taskId },
    'task-ranking': { taskId, setId },
    'task-score': { taskId, studentId: ids.students['A1'] },
    'task-grades': { taskId },
    ...analysisSamples(ids),
    'revision-lists': { subjectId, testId },
    'revision-list': { testId },
    history: { subjectId },
    waiting: { subjectId },
    'recent-changes': { subjectId },
    'history-entry': { eventId: eventId(commandId(schoolId, keyOf(schoolId, '11A', 'AddSet')), 0) },
  };
};
