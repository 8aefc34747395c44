import { randomUUID } from 'node:crypto';
import type { RankingPreview } from '../../api/tasks/ranking/ranking-preview.contract.ts';
import type { Task } from '../../api/tasks/task.contract.ts';
import type { TaskRanking } from '../../api/tasks/ranking/task-ranking.contract.ts';
import type { Client } from './client.ts';
import { tomorrow } from './samples.ts';
import type { School } from './school.ts';
import { EXAMPLE, GRADES, TESTS } from './worked-example-table.ts';

export type Example = {
  readonly yearGroupId: string;
  readonly setIds: readonly [string, string];
  /** T1, T2 (Higher) and T3 (Foundation) */
  readonly testIds: readonly [string, string, string];
  readonly terminalExamId: string;
  readonly gradeProfileId: string;
  /** by surname */
  readonly students: Readonly<Record<string, string>>;
  /** What creates the task. */
  readonly task: Record<string, unknown>;
};

/** Year group 10 of Mathematics with its totals, prior scores and a grade profile. Teacher A has 10X1, teacher B 10X2. */
export const openExample = async (school: School): Promise<Example> => {
  const { maths: subjectId, scheme: schemeId, recordA, recordB, setA, setB } = school.ids;
  const admin = await school.as('admin');
  const leader = await school.as('leader');
  const { yearGroupId = '' } = await admin.done('AddYearGroup', { subjectId, year: 10 });
  const { setIds } = await admin.done<{ setIds: [string, string] }>('AddSets', {
    subjectId,
    yearGroupId,
    names: ['10X1', '10X2'],
    schemeId,
  });
  await admin.done('ChangeTeacher', { subjectId, teacherId: recordA, setIds: [setA, setIds[0]] });
  await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds: [setB, setIds[1]] });
  const testIds: string[] = [];
  for (const [name, max] of TESTS) {
    const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name });
    await admin.done('UploadQuestions', { testId, questions: [{ number: 1, topic: 'All', marksAvailable: max }] });
    testIds.push(testId);
  }
  const person = (surname: string) => ({ admissionNo: `X${surname}`, name: `${surname}, Student` });
  await admin.done('ImportStudents', {
    subjectId,
    fileName: 'students.csv',
    rows: EXAMPLE.map(([surname, set]) => ({ ...person(surname), set, dateOfBirth: '2010-05-01' })),
    others: 'keep',
    correct: false,
  });
  const { terminalExamId = '' } = await admin.done('AddTerminalExam', { subjectId, name: 'Key Stage 2', yearSat: 6 });
  await leader.done('UploadPriorScores', {
    subjectId,
    terminalExamId,
    yearCompleted: new Date().getUTCFullYear(),
    fileName: 'prior.csv',
    rows: EXAMPLE.flatMap(([surname, , score]) => (score === null ? [] : [{ ...person(surname), score }])),
  });
  await leader.done('UploadTotals', {
    subjectId,
    classes: setIds.map((setId) => ({ setId, testIds })),
    fileName: 'totals.csv',
    rows: EXAMPLE.map(([surname, , , totals]) => ({ ...person(surname), totals })),
  });
  const { gradeProfileId = '' } = await leader.done('CreateGradeProfile', {
    subjectId,
    yearGroupId,
    name: 'Three grades',
    grades: GRADES,
  });
  const { students } = await leader.ask<{ students: readonly { studentId: string; name: string }[] }>('prior-scores', {
    subjectId,
    terminalExamId,
    yearGroupId,
  });
  const [t1 = '', t2 = '', t3 = ''] = testIds;
  const [x1, x2] = setIds;
  return {
    yearGroupId,
    setIds,
    testIds: [t1, t2, t3],
    terminalExamId,
    gradeProfileId,
    students: Object.fromEntries(students.map(({ studentId, name }) => [name.split(',')[0] ?? '', studentId])),
    task: {
      subjectId,
      yearGroupId,
      name: 'Autumn mocks',
      expiry: tomorrow(),
      teacherInput: true,
      maps: [
        { setId: x1, testId: t1 },
        { setId: x1, testId: t2 },
        { setId: x2, testId: t1 },
        { setId: x2, testId: t3 },
      ],
    },
  };
};

export const shown = ({ students }: TaskRanking) =>
  students.map((row) => [row.name?.split(',')[0], row.score, row.ranking, row.residual, row.grade]);

/** The steps of a task of the example, by leader and teachers. */
export const openSteps = async (school: School) => {
  const example = await openExample(school);
  const [admin, leader, teacherA, teacherB] = [
    await school.as('admin'),
    await school.as('leader'),
    await school.as('teacherA'),
    await school.as('teacherB'),
  ];
  let taskId = '';
  /** Creates the task that the steps are about from now on. */
  const begin = async (change: object = {}): Promise<string> => {
    ({ taskId = '' } = await leader.done('CreateFeedbackTask', { ...example.task, ...change }));
    return taskId;
  };
  const name = (surname: string): string => example.students[surname] ?? '';
  const chosen = (change: object = {}) => ({ taskId, terminalExamId: example.terminalExamId, testIds: example.testIds, ...change });
  const rank = (change: object = {}) => leader.done<{ rankingId: string | null }>('RankTask', chosen(change));
  const preview = (change: object = {}) => leader.ask<RankingPreview>('ranking-preview', chosen(change));
  const ranking = () => leader.ask<TaskRanking>('task-ranking', { taskId });
  const task = () => leader.ask<Task>('task', { taskId });
  const statuses = async () => (await task()).sets.map(({ status }) => status);
  const checkRanking = (place: 0 | 1, rows: readonly object[] = [], by = place === 0 ? teacherA : teacherB) =>
    by.command('CheckRanking', { taskId, setId: example.setIds[place], rows });
  const checkGrades = (place: 0 | 1, by = place === 0 ? teacherA : teacherB) =>
    by.command('CheckGrades', { taskId, setId: example.setIds[place], rows: [] });
  const assign = (change: object = {}) =>
    leader.done<{ gradesId: string }>('AssignGrades', { taskId, gradeProfileId: example.gradeProfileId, ...change });
  const enterTotal = (surname: string, is: number | string, testId: string = example.testIds[0]) =>
    leader.done('EnterMarks', {
      entryId: randomUUID(),
      subjectId: school.ids.maths,
      seq: 1,
      cells: [{ studentId: name(surname), testId, is, ...(typeof is === 'string' ? { attendance: true } : {}) }],
    });
  const move = (surname: string, place: object | string) =>
    admin.done('ChangeStudents', { subjectId: school.ids.maths, changes: [{ studentId: name(surname), place }] });
  return {
    example,
    admin,
    leader,
    teacherA,
    teacherB,
    begin,
    name,
    chosen,
    rank,
    preview,
    ranking,
    task,
    statuses,
    checkRanking,
    checkGrades,
    assign,
    enterTotal,
    move,
  };
};

/** Refused: status, code and sentence. */
export const refusal = async (asked: ReturnType<Client['command'] | Client['query']>) => {
  const { status, body } = await asked;
  return [status, body.code, body.title];
};
