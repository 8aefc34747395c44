import { tomorrow } from './samples.ts';
import type { School } from './school.ts';

/** The worked example of the formula: ten students of two classes, three tests of 40, 80 and 80 marks. Jones has no prior score. */
export const EXAMPLE = [
  ['Adams', '10X1', 'A*', [36, 60, null]],
  ['Baker', '10X1', 'A', [30, 52, null]],
  ['Clark', '10X1', 'a', [34, 68, null]],
  ['Davis', '10X1', 'B', [28, 44, null]],
  ['Evans', '10X1', 'B', [null, 56, null]],
  ['Flynn', '10X2', 'C', [26, null, 66]],
  ['Grant', '10X2', 'D', [20, null, 50]],
  ['Hayes', '10X2', 'd', [24, null, 50]],
  ['Irwin', '10X2', 'E', [12, null, 34]],
  ['Jones', '10X2', null, [20, null, 50]],
] as const;

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
  for (const [name, max] of [
    ['T1', 40],
    ['T2 (Higher)', 80],
    ['T3 (Foundation)', 80],
  ] as const) {
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
    grades: [
      { label: '7', percent: 15 },
      { label: '5', percent: 35 },
      { label: '3', percent: 50 },
    ],
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
