import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test, vi } from 'vitest';
import type { MyData } from '../../../api/accounts/my-data.contract.ts';
import type { ClassHome, Predictors } from '../../../api/analysis/analysis.contract.ts';
import type { StudentCard, StudentHome, StudentTopics } from '../../../api/analysis/student/student.contract.ts';
import type { QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Flag } from '../../../api/contract/flags.ts';
import { FLAGS } from '../../../api/contract/flags.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { RevisionList } from '../../../api/revision-lists/revision-lists.contract.ts';
import type { PathOf } from '../../../ui/pages.ts';
import { enoughPrior } from '../../support/enough-prior.ts';
import { readExcel } from '../../support/excel.ts';
import { limit } from '../../support/limits.ts';
import { marksIn } from '../../support/marks.ts';
import { pdfPages } from '../../support/pdf.ts';
import { tomorrow } from '../../support/samples.ts';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

/** Every place that shows figures of students, and the sign there of each flag: all are planted once, in four assessments of one student. */
const school = await openSchool();
afterAll(school.close);
const [admin, leader, teacherA, A1] = await Promise.all((['admin', 'leader', 'teacherA', 'student'] as const).map(school.as));
const { maths: subjectId, year: yearGroupId, setA: setId, mock, other, students } = school.ids;
const { newTest, upload, enter, marksFile } = marksIn(() => school);
const fileName = 'marks.csv';
const [away, marked] = [await newTest(), await newTest()];
const studentId = students['A1'] ?? '';
const testIds = [mock, other, away, marked];
await admin.done('ChangeSet', { subjectId, setId, testIds });
for (const testId of testIds) await admin.done('ShowAssessment', { testId, visible: true });
await admin.done('ShowResultsToStudents', { shown: true });
const four = (totals: readonly number[]) => Object.fromEntries(totals.map((total, at) => [`A${at + 1}`, [total]]));
for (const testId of [mock, away]) await upload(leader, testId, { ...four([12, 11, 10, 9]), B1: [8] }, { satOn: '2026-01-10' });
await upload(leader, marked, four([10, 9, 8, 7]));
await leader.done('UploadMarks', { ...marksFile(marked, { A1: [3, 5, 2], A2: [1, 5, 3], A3: [1, 5, 2], A4: [1, 5, 1] }), fileName });
await leader.done('UploadMarks', { ...marksFile(other, { A1: [8, 9], A2: [7, 7], A3: [6, 6], A4: [5, 5] }), fileName });

// Ranked, and one task to its end, before anything is open.
const { terminalExamId } = await enoughPrior(school);
const grades = [{ label: '9', percent: 100 }];
const { gradeProfileId } = await leader.done('CreateGradeProfile', { subjectId, yearGroupId, name: 'One', grades });
const begin = async (name: string, teacherInput = false) => {
  const maps = [mock, other, away].map((testId) => ({ setId, testId }));
  return leader.done('CreateFeedbackTask', { subjectId, yearGroupId, name, expiry: tomorrow(), teacherInput, maps });
};
const rank = ({ taskId }: Readonly<Record<string, string>>) =>
  leader.done('RankTask', { taskId, terminalExamId, testIds: [mock, other, away] });
const checked = await begin('To check', true);
await rank(checked);
await begin('New');
const rows = [{ studentId, ranking: 2, score: 90, grade: '8', exempt: false }];
const graded = async (name: string) => {
  const task = await begin(name);
  await rank(task);
  await leader.done('AssignGrades', { taskId: task.taskId, gradeProfileId });
  await leader.done('DecideResults', { taskId: task.taskId, rows });
  return task;
};
await leader.done('CompleteTask', { taskId: (await graded('Complete')).taskId });
await graded('Final');

const both = async (cell: object, values: readonly unknown[]) => {
  for (const [at, is] of values.entries()) await enter(at === 0 ? leader : teacherA, [{ studentId, is, ...cell }]);
};
await both({ testId: mock, was: [12] }, [13, 14]);
await both({ testId: away, attendance: true, was: [] }, ['absent', 'exempt']);
const paper = async (testId: string) => (await admin.ask<AssessmentContents>('assessment', { testId })).questions;
await both({ testId: marked, questionId: (await paper(marked))[0]?.questionId, was: [3] }, [4, 5]);
const above = { ...marksFile(other, { A1: [10, 9] }), fileName };
const { entryId, commandId } = await leader.done('UploadMarks', above);
await leader.done('UndoCommand', { entryId, commandId });
const lowered = (await paper(other)).map(({ questionId, topic }, at) => ({ questionId, topic, marksAvailable: at === 0 ? 8 : 10 }));
await admin.done('EditQuestions', { testId: other, questions: lowered });
await leader.done('RedoCommand', { entryId, commandId, anyway: true });
await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A2'], place: 'off-roll' }] });

/** The assessment in which the flag is planted. */
const testOf: Readonly<Partial<Record<Flag, string>>> = {
  contested: mock,
  'contested-mark': marked,
  'contested-attendance': away,
  'above-maximum': other,
};
const names = new Map([
  [mock, 'Mock'],
  [other, 'Other'],
  [away, 'Test 1'],
  [marked, 'Test 2'],
]);

/** What is to be read of a flag: a part of a page, or of a file. */
type Place = (flag: Flag) => Promise<() => string | undefined>;
type Signs = Partial<Record<Flag, string>>;
type Row = readonly [signs: Signs, place: Place];

const rowOf = (name: string) =>
  [...document.querySelectorAll('tr')]
    .filter((row) => row.textContent?.includes(name))
    .map((row) => row.outerHTML)
    .join('');
const ofStudent = (flag: Flag) => () => rowOf(flag === 'left' ? 'A2, Student' : 'A1, Student');
/** `part`: of what is about the assessment. */
const ofTest = (flag: Flag, part: string) => () =>
  [...document.querySelectorAll(part)].find((one) => one.textContent?.includes(names.get(testOf[flag] ?? '') ?? ''))?.outerHTML;
const whole = () => document.body.outerHTML;

const WORDS = { contested: 'several values', 'contested-attendance': 'attendance contested', 'above-maximum': 'above the maximum' };
const RANKED = { ...WORDS, overridden: 'overridden by leader', changed: 'now ', left: '>left<' };

const task =
  (name: string, step: RegExp): Place =>
  async (flag) => {
    const page = await open(leader, '/leader?year=11');
    await page.press(`Open ${name}`);
    await (await page.dialog(`${name} – Year 11`)).press(step);
    return ofStudent(flag);
  };
const at =
  (path: string, within: (flag: Flag) => () => string | undefined): Place =>
  async (flag) => {
    await open(path.startsWith('/teacher') ? teacherA : leader, `${path}?year=11&set=11A&test=${testOf[flag] ?? mock}`);
    return within(flag);
  };

const markbook: Signs = { ...WORDS, overridden: 'overridden by leader', changed: 'changed since the ranking' };
const classHome: Signs = {
  contested: '1 total with several values',
  'contested-mark': '1 mark with several values',
  'contested-attendance': '(1 contested)',
  'above-maximum': '1 mark above its maximum',
};
const averages: Signs = { contested: '(1 contested)', 'contested-attendance': '(1 contested)', 'above-maximum': '(1 above the maximum)' };
const questions: Signs = { 'contested-mark': '1 mark with several values', 'above-maximum': '1 mark above its maximum' };

/** Of each page, what is to be seen there; null: it has no figure of a student. */
const pages: Readonly<Record<PathOf<'staff-ui'> | PathOf<'student-ui', 'student'>, Row | null>> = {
  '/teacher': [classHome, at('/teacher', (flag) => ofTest(flag, 'section li'))],
  '/teacher/markbook': [markbook, at('/teacher/markbook', ofStudent)],
  '/teacher/predictors': null,
  '/teacher/questions': [questions, at('/teacher/questions', () => whole)],
  '/teacher/marks': null,
  '/leader': [averages, at('/leader', (flag) => ofTest(flag, 'article'))],
  '/leader/markbook': [markbook, at('/leader/markbook', ofStudent)],
  '/leader/predictors': null,
  '/leader/questions': [questions, at('/leader/questions', () => whole)],
  '/leader/marks': null,
  '/leader/prior': null,
  '/student': null,
  '/student/submit': null,
  '/student/select': null,
  '/student/subject': null,
  '/student/my-data': null,
};
const dialogs: Readonly<Record<string, Row>> = {
  'ranking preview': [WORDS, task('New', /Initial ranking/)],
  ranking: [RANKED, task('Final', /Initial ranking/)],
  'final check': [RANKED, task('Final', /Final check/)],
};

const cases = Object.entries({ ...pages, ...dialogs }).flatMap(([name, row]) =>
  row === null ? [] : Object.entries(row[0]).map(([flag, sign]) => [name, flag as Flag, sign, row[1]] as const),
);
test.each(cases)('%s: %s', async (_place, flag, sign, place) => {
  const read = await place(flag);
  await vi.waitFor(() => expect(read()).toContain(sign), { timeout: limit.wait });
});
