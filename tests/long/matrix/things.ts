import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandName } from '../../../api/commands.ts';
import type { PriorScores } from '../../../api/prior/prior.contract.ts';
import { newTask } from '../../calls/tasks.ts';
import type { World } from '../../matrix/world.ts';
import { tomorrow } from '../../support/samples.ts';
import { PASSWORD } from '../../support/school.ts';
import { rankingOf, writeTask } from '../../support/tasks-in-log.ts';

/** What an id of a request may name. */
export const kinds = [
  'subject',
  'yearGroup',
  'set',
  'assessment',
  'task',
  'student',
  'scheme',
  'teacher',
  'terminalExam',
  'gradeProfile',
  'account',
  'question',
  'schemeTopic',
] as const;
export type Kind = (typeof kinds)[number];
/** Where the same kind of thing is, in place of what a request is about. */
export const places = [
  'other class',
  'other subject',
  'other school',
  'hidden',
  'removed',
  'off roll',
  'forgotten',
  'of a removed subject',
  'nowhere',
] as const;
export type Place = (typeof places)[number];
export type Things = Readonly<Record<Place, Partial<Record<Kind, string>>>> & {
  /** a moment at which nothing was removed yet */
  readonly before: string;
};

/** Puts the things that the world lacks into its schools: what is removed, and what has a task. */
export const thingsOf = async (world: World): Promise<Things> => {
  const { school, spare } = world;
  const { ids } = school;
  const admin = await school.as('admin');
  const own: Readonly<Record<Kind, string>> = {
    subject: ids.maths,
    yearGroup: ids.year,
    set: ids.setA,
    assessment: ids.mock,
    task: spare.rankedTaskId,
    student: ids.students['A1'] ?? '',
    scheme: ids.scheme,
    teacher: ids.recordA,
    terminalExam: ids.terminalExam,
    gradeProfile: spare.gradeProfileId,
    account: school.accounts.teacherA,
    question: ids.questions[0] ?? '',
    schemeTopic: ids.schemeTopic,
  };
  const found = (place: 'other class' | 'other subject' | 'other school' | 'nowhere'): Partial<Record<Kind, string>> =>
    Object.fromEntries(
      kinds.flatMap((kind) => {
        const id = world.elsewhere(own[kind], place);
        return id === undefined ? [] : [[kind, id]];
      }),
    );
  const { subjectId: goneId = '' } = await admin.done('AddSubject', { name: 'Gone' });
  const [removed, gone] = [await made(world, ids.maths, 'Removed'), await made(world, goneId, 'Gone')];
  const ofScience = { subjectId: ids.science, yearGroupId: ids.scienceYear };
  const { gradeProfileId } = await admin.done('CreateGradeProfile', { ...ofScience, name: 'Science', grades });
  const { terminalExamId } = await admin.done('AddTerminalExam', { subjectId: ids.science, name: 'Science', yearSat: 11 });
  const task = (subjectId: string, yearGroupId: string, setId: string, testId: string, studentId = '', examId = ids.terminalExam) =>
    rankedTask(world, { subjectId, yearGroupId, setId, testId, studentId, terminalExamId: examId });
  const scienceTask = await task(ids.science, ids.scienceYear, ids.setS, ids.forces, ids.students['A1'], terminalExamId);
  const classTask = await task(ids.maths, ids.year, ids.setB, ids.mock, ids.students['B1']);
  const { studentId: offRoll } = await student(world, ids.maths, ids.setA, 'Off');
  await admin.done('ChangeStudents', { subjectId: ids.maths, changes: [{ studentId: offRoll, place: 'off-roll' }] });
  const { studentId: forgotten } = await student(world, ids.maths, ids.setA, 'Forgotten');
  const before = new Date().toISOString();
  // Of another millisecond.
  await pause(5);
  await remove(world, removed);
  await admin.done('RemoveSubject', { subjectId: goneId });
  await admin.done('ForgetStudent', { studentId: forgotten });
  await admin.done('DeleteAssessment', { testId: ids.unready });
  await givePriors(world);
  // The newest of the year group, which some calls mean.
  await newTask(school);
  return {
    'other class': { ...found('other class'), task: classTask },
    'other subject': { ...found('other subject'), task: scienceTask, gradeProfile: gradeProfileId ?? '' },
    'other school': found('other school'),
    // No student sees it.
    hidden: { assessment: ids.other },
    removed: { ...removed, subject: goneId },
    'off roll': { student: offRoll },
    forgotten: { student: forgotten },
    'of a removed subject': gone,
    nowhere: found('nowhere'),
    before,
  };
};

const grades = [{ label: '9', percent: 100 }];

/** Of everybody who came since the samples were made, so that tasks can be begun and ranked. */
const givePriors = async ({ school, spare }: World): Promise<void> => {
  const { maths: subjectId, year: yearGroupId } = school.ids;
  const admin = await school.as('admin');
  const { terminalExamId } = spare.tasks;
  const { students } = await admin.ask<PriorScores>('prior-scores', { subjectId, terminalExamId, yearGroupId });
  const scores = students.map(({ studentId }, at) => ({ studentId, score: String(80 + at) }));
  await admin.done('EnterPriorScores', { subjectId, terminalExamId, yearCompleted: new Date().getUTCFullYear(), scores });
};

/** One of each kind in a subject, except the subject. */
const made = async (world: World, subjectId: string, name: string): Promise<Partial<Record<Kind, string>>> => {
  const admin = await world.school.as('admin');
  const id = async (command: CommandName, input: object): Promise<string> =>
    Object.values(await admin.done(command, { subjectId, ...input }))[0] ?? '';
  const yearGroup = await id('AddYearGroup', { year: 10 });
  const scheme = await id('AddScheme', { name, topics: [name] });
  const set = await id('AddSet', { name, yearGroupId: yearGroup, schemeId: scheme });
  const assessment = await id('CreateAssessment', { name });
  await admin.done('UploadQuestions', { testId: assessment, questions: [{ number: 1, topic: name, marksAvailable: 10 }] });
  await admin.done('ChangeSet', { subjectId, setId: set, testIds: [assessment] });
  const terminalExam = await id('AddTerminalExam', { name, yearSat: 11 });
  const gradeProfile = await id('CreateGradeProfile', { name, yearGroupId: yearGroup, grades });
  const { studentId, admissionNo } = await student(world, subjectId, set, name);
  await admin.done('UploadTotals', {
    subjectId,
    classes: [{ setId: set, testIds: [assessment] }],
    rows: [{ admissionNo, name, totals: [5] }],
    fileName: `${name}.csv`,
  });
  const teacher = await id('AddTeacher', { name });
  const account = await admin.done('OpenStaffAccount', {
    name,
    email: `${randomUUID()}@removed.example`,
    password: PASSWORD,
    role: 'teacher',
  });
  const task = await rankedTask(world, {
    subjectId,
    yearGroupId: yearGroup,
    setId: set,
    testId: assessment,
    studentId,
    terminalExamId: terminalExam,
  });
  const inside = await world.school.backend.readAs(world.school.schoolId, async (query) => [
    ...(await query<{ id: string }>('select question_id as id from questions where school_id = $1 and test_id = $2', [assessment])),
    ...(await query<{ id: string }>(`select topics -> 0 ->> 'topicId' as id from schemes where school_id = $1 and scheme_id = $2`, [
      scheme,
    ])),
  ]);
  const [question = '', schemeTopic = ''] = inside.map((row) => row.id);
  return {
    yearGroup,
    scheme,
    set,
    assessment,
    terminalExam,
    gradeProfile,
    student: studentId,
    teacher,
    task,
    question,
    schemeTopic,
    account: account['accountId'] ?? '',
  };
};

const student = async ({ school }: World, subjectId: string, setId: string, name: string) => {
  const admissionNo = randomUUID().slice(0, 8);
  const input = { subjectId, setId, admissionNo, name, dateOfBirth: '2009-05-01' };
  const { studentId = '' } = await (await school.as('admin')).done('AddStudent', input);
  return { admissionNo, studentId };
};

type Of = Readonly<Record<'subjectId' | 'yearGroupId' | 'setId' | 'testId' | 'studentId' | 'terminalExamId', string>>;
const rankedTask = async ({ school }: World, { subjectId, yearGroupId, setId, testId, studentId, terminalExamId }: Of): Promise<string> => {
  const taskId = randomUUID();
  const about = { name: `Task ${taskId}` };
  const data = { subjectId, yearGroupId, about, expiry: tomorrow(), teacherInput: true, maps: [{ setId, testId }] };
  await writeTask(school, taskId, [
    { event: { type: 'FeedbackTaskCreated', data } },
    {
      event: {
        type: 'TaskRanked',
        data: rankingOf(terminalExamId, [{ studentId, setId, prior: 40 }], [{ testId, max: 10, totals: new Map([[studentId, 5]]) }]),
      },
    },
  ]);
  return taskId;
};

/** From the inside out. */
const remove = async ({ school }: World, things: Partial<Record<Kind, string>>): Promise<void> => {
  const admin = await school.as('admin');
  const { maths: subjectId } = school.ids;
  await admin.done('DeleteFeedbackTask', { taskId: things.task });
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: things.student, place: 'removed' }] });
  await admin.done('DeleteAssessment', { testId: things.assessment });
  await admin.done('DeleteSet', { subjectId, setId: things.set });
  await admin.done('DeleteGradeProfile', { gradeProfileId: things.gradeProfile });
  await admin.done('DeleteYearGroup', { subjectId, yearGroupId: things.yearGroup });
  await admin.done('DeleteScheme', { schemeId: things.scheme });
  await admin.done('RemoveTeacher', { subjectId, teacherId: things.teacher });
  await admin.done('RemoveTerminalExam', { subjectId, terminalExamId: things.terminalExam });
  await admin.done('CloseStaffAccount', { accountId: things.account });
};
