// The window first.
import { open, type Place as Page } from '../support/open.ts';
import { readFile } from 'node:fs/promises';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
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
import { classReportFile } from '../../../staff-ui/analysis/reports/class-report.ts';
import { feedbackOf, partOf } from '../../../staff-ui/analysis/reports/student-parts.ts';
import { markbookFile } from '../../../staff-ui/marks/markbook/markbook-file.ts';
import { PaperBook } from '../../../staff-ui/marks/markbook/PaperBook.tsx';
import { columnsOf } from '../../../staff-ui/marks/markbook/view.ts';
import { partsOf } from '../../../student-ui/accounts/my-data/texts.ts';
import { ownPart } from '../../../student-ui/analysis/report-file.ts';
import type { PathOf } from '../../../ui/pages.ts';
import { feedbackSheetFile } from '../../../ui/reports/feedback-sheet.ts';
import { myDataFile } from '../../../ui/reports/my-data.ts';
import { studentReportFile } from '../../../ui/reports/student-report.ts';
import type { Client } from '../../support/client.ts';
import { enoughPrior } from '../../support/enough-prior.ts';
import { readExcel, rowWith } from '../../support/excel.ts';
import { limit } from '../../support/limits.ts';
import { marksIn } from '../../support/marks.ts';
import { pdfPages } from '../../support/pdf.ts';
import { tomorrow } from '../../support/samples.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/** Every place that shows figures of students, and the sign there of each flag: all are planted once, in four assessments of one student. */
const { school, admin, leader, teacherA, student: A1 } = await schoolOfFile('admin', 'leader', 'teacherA', 'student');
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
await begin('New');
const decided = [{ studentId, ranking: 2, score: 90, grade: '8', exempt: false }];
const graded = async (name: string, teacherInput = false) => {
  const { taskId } = await begin(name, teacherInput);
  await leader.done('RankTask', { taskId, terminalExamId, testIds: [mock, other, away] });
  const without = teacherInput ? [{ setId, reason: 'Her teacher is away' }] : [];
  await leader.done('AssignGrades', { taskId, gradeProfileId, without });
  await leader.done('DecideResults', { taskId, rows: decided });
  return taskId;
};
await graded('To check', true);
await leader.done('CompleteTask', { taskId: await graded('Complete') });
await graded('Final');

const paper = async (testId: string) => (await admin.ask<AssessmentContents>('assessment', { testId })).questions;
/** Marks that were taken back, a lower maximum, and the marks again. */
const above = async (testId: string, marks: readonly number[], maxima: readonly number[]) => {
  const { entryId, commandId } = await leader.done('UploadMarks', { ...marksFile(testId, { A1: marks }), fileName });
  await leader.done('UndoCommand', { entryId, commandId });
  const lowered = (await paper(testId)).map(({ questionId, topic }, at) => ({ questionId, topic, marksAvailable: maxima[at] }));
  await admin.done('EditQuestions', { testId, questions: lowered });
  await leader.done('RedoCommand', { entryId, commandId, anyway: true });
};
await above(other, [10, 9], [8, 10]);
await above(marked, [3, 10, 2], [5, 9, 5]);
/** Two people who have not seen each other's. */
const contest = async (cell: object, values: readonly unknown[]) => {
  for (const [at, is] of values.entries()) await enter(at === 0 ? leader : teacherA, [{ studentId, is, ...cell }]);
};
const questionIds = (await paper(marked)).map(({ questionId }) => questionId);
await contest({ testId: mock, was: [12] }, [13, 14]);
await contest({ testId: away, attendance: true, was: [] }, ['absent', 'exempt']);
await contest({ testId: marked, questionId: questionIds[0], was: [3] }, [4, 5]);
await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A2'], place: 'off-roll' }] });
await leader.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId: school.ids.schemeTopic, questionIds, was: [] }] });

/** The assessment in which the flag is planted. `above-maximum`: the total there, and the mark of `marked`. */
const tests: Readonly<Partial<Record<Flag, readonly [testId: string, name: string]>>> = {
  contested: [mock, 'Mock'],
  'contested-mark': [marked, 'Test 2'],
  'contested-attendance': [away, 'Test 1'],
  'above-maximum': [other, 'Other'],
};
const testOf = (flag: Flag) => tests[flag]?.[0] ?? mock;

/** What is to be read of a flag there; one that is left out cannot be in it. */
type Signs = Readonly<Partial<Record<Flag, string | RegExp>>>;
/** Where it is read: a part of a page, or what a file says. */
type Read = () => string | undefined;
type Place = readonly [signs: Signs, place: (flag: Flag) => Promise<Read>];

const rows = (name: string) => [...document.querySelectorAll('tr')].filter((row) => row.textContent?.includes(name));
const inRow = (flag: Flag) => () =>
  rows(flag === 'left' ? 'A2, Student' : 'A1, Student')
    .map((row) => row.outerHTML)
    .join('');
const inPage = () => () => document.body.innerHTML;
const aboutTest = (flag: Flag) => () =>
  [...document.querySelectorAll('li, article')].find((part) => part.querySelector('h3')?.textContent === tests[flag]?.[1])?.outerHTML;

/** The page that is open; the same is not opened again. */
let opened: readonly [path: string, page: ReturnType<typeof open>] | undefined;
const at = (path: string, client: Client): ReturnType<typeof open> => {
  if (opened?.[0] !== path) opened = [path, open(client, path)];
  return opened[1];
};
const staff = (signs: Signs, path: string, part: (flag: Flag) => Read): Place => [
  signs,
  async (flag) => {
    await at(`${path}?year=11&set=11A&test=${testOf(flag)}`, path.startsWith('/teacher') ? teacherA : leader);
    return part(flag);
  },
];
const own = (signs: Signs, path: string, act: (page: Page, flag: Flag) => Promise<void>): Place => [
  signs,
  async (flag) => {
    await act(await at(path.replace('{test}', testOf(flag)), A1), flag);
    return inPage();
  },
];
const dialog = (signs: Signs, who: Client, path: string, ...presses: readonly (string | RegExp)[]): Place => [
  signs,
  async (flag) => {
    const isOpen = opened?.[0] === path;
    const page = await at(path, who);
    if (!isOpen) for (const press of presses) await page.press(press);
    return inRow(flag);
  },
];
const file = (signs: Signs, made: (flag: Flag) => Promise<string>): Place => [
  signs,
  async (flag) => {
    const text = await made(flag);
    return () => text;
  },
];

const WORDS = { contested: 'several values', 'contested-attendance': 'attendance contested', 'above-maximum': 'above the maximum' };
const MARKBOOK = { ...WORDS, overridden: 'overridden by leader', changed: 'changed since the ranking' };
const RANKED = { ...WORDS, overridden: 'overridden by leader', changed: 'now ', left: '>left<' };
const MARKS = { 'contested-mark': '1 mark with several values', 'above-maximum': '1 mark above its maximum' };
const CLASS = { ...MARKS, contested: '1 total with several values', 'contested-attendance': '(1 contested)' };
const MEANS = { contested: '(1 contested)', 'contested-attendance': '(1 contested)', 'above-maximum': '(1 above the maximum)' };
const PREDICTED = '1 mark with several values, 1 mark above its maximum';
const GRID = { contested: '13 ?', 'contested-mark': 'several values', 'contested-attendance': 'attendance: ', 'above-maximum': 'above' };
const note = (flag: Flag) => `\\${FLAGS[flag].sign} ${FLAGS[flag].text}`;
const PAPER = {
  contested: RegExp(`Total: 13 of 20 \\(65\\.0 %\\)\\. \\?[^]*${note('contested')}`),
  'contested-mark': RegExp(`4 / 5 \\?[^]*${note('contested-mark')}|${note('contested-mark')}[^]*4 / 5 \\?`),
  'contested-attendance': RegExp(`Absent\\. \\?[^]*${note('contested-attendance')}`),
  'above-maximum': RegExp(`Total: 19 of 18 \\(105\\.6 %\\)\\. ![^]*${note('above-maximum')}[^]*10 / 8 !`),
};
const STUDENT = { ...WORDS, 'contested-mark': 'several values', overridden: '(overridden)' };

const pages: Readonly<Record<PathOf<'staff-ui'> | PathOf<'student-ui', 'student'>, Place | null>> = {
  '/teacher': staff(CLASS, '/teacher', aboutTest),
  '/teacher/markbook': staff(MARKBOOK, '/teacher/markbook', inRow),
  '/teacher/markbook/replay': staff(WORDS, '/teacher/markbook/replay', inRow),
  '/teacher/predictors': staff({ 'contested-mark': PREDICTED, 'above-maximum': PREDICTED }, '/teacher/predictors', inPage),
  '/teacher/questions': staff(
    { 'contested-mark': MARKS['contested-mark'], 'above-maximum': MARKS['above-maximum'] },
    '/teacher/questions',
    inPage,
  ),
  '/teacher/marks': staff(GRID, '/teacher/marks', inRow),
  '/leader': staff(MEANS, '/leader', aboutTest),
  '/leader/markbook': staff(MARKBOOK, '/leader/markbook', inRow),
  '/leader/markbook/replay': staff(WORDS, '/leader/markbook/replay', inRow),
  '/leader/predictors': staff({ 'contested-mark': PREDICTED }, '/leader/predictors', inPage),
  '/leader/questions': staff({ 'contested-mark': MARKS['contested-mark'] }, '/leader/questions', inPage),
  '/leader/marks': staff({ 'contested-mark': GRID['contested-mark'] }, '/leader/marks', inRow),
  // Prior scores, which nobody contests.
  '/leader/prior': null,
  '/leader/history': null,
  '/teacher/history': null,
  '/student': own(STUDENT, '/student', async (page, flag) => {
    if (tests[flag]) await page.press(RegExp(`^${tests[flag][1]}`), 'radio');
  }),
  '/student/submit': own(
    { contested: '13 ?', 'contested-mark': 'several values', 'above-maximum': '19<' },
    '/student/submit?test={test}',
    async () => undefined,
  ),
  '/student/select': null,
  '/student/subject': null,
  '/student/my-data': own(STUDENT, '/student/my-data', async () => undefined),
};

const ofTest = (signs: Signs, path: (testId: string) => string, button?: string): Place => [
  signs,
  async (flag) => {
    const page = await open(leader, path(testOf(flag)));
    if (button !== undefined) await page.press(`${button} of ${tests[flag]?.[1]}`);
    return () => document.querySelector('dialog[open]')?.innerHTML;
  },
];
const dialogs: Readonly<Record<string, Place>> = {
  'a total': ofTest(WORDS, (testId) => `/leader/markbook?year=11&cell=${studentId}.${testId}`),
  tracker: ofTest(
    { 'contested-attendance': 'absent (attendance contested)', 'above-maximum': '19 (above the maximum)' },
    () => '/leader?year=11&set=11A',
    'Submission tracker',
  ),
  'ranking preview': dialog(WORDS, leader, '/leader?year=11', 'Open New', /Initial ranking/),
  ranking: dialog(RANKED, leader, '/leader?year=11', 'Open Final', /Initial ranking/),
  'check of a class': dialog(RANKED, teacherA, '/teacher?year=11&set=11A', /^Check the grades/),
  'final check': dialog(RANKED, leader, '/leader?year=11', 'Open Final', /Final check/),
};

const [markbook, home, predictors] = await Promise.all([
  leader.ask<Markbook>('markbook', { yearGroupId, setId }),
  leader.ask<ClassHome>('class-home', { setId }),
  leader.ask<Predictors>('progress-predictors', { setId }),
]);
const moment = new Date().toISOString();
const sheetOf = (testId: string) => leader.ask<Sheet>('sheet', { testId, setId });
const listOf = (testId: string, who = leader) => who.ask<RevisionList>('revision-list', { testId });
const sourcesOf = async (testId: string) => {
  const sheet = await sheetOf(testId);
  const one = sheet.students.find((student) => student.studentId === studentId) ?? expect.fail('no A1');
  return [{ home, sheet, predictors, markbook, list: await listOf(testId), moment }, one] as const;
};
const printing = {
  school: 'Test School',
  paper: 'a4' as const,
  created: new Date(),
  font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
};
const textOf = async ({ file: made }: { readonly file: ArrayBuffer }) => (await pdfPages(made)).join('\n');
/** The cells of A1 with their frames: '13 0B57D0'. */
const cellsOf = async (made: Blob, name: string) =>
  rowWith(readExcel(new Uint8Array(await made.arrayBuffer())).get(name), 'A1, Student')
    .map(({ value, frame }) => `${value} ${frame ?? ''}`)
    .join('\n');
const ownSources = async (testId: string) => ({
  student: 'A1, Student',
  home: await A1.ask<StudentHome>('student-home', { subjectId }),
  card: await A1.ask<StudentCard>('student-card', { testId }),
  list: await listOf(testId, A1),
  topics: await A1.ask<StudentTopics>('student-topics', { subjectId }),
});

const files: Readonly<Record<string, Place>> = {
  'Markbook.xlsx': file(
    {
      contested: /13 0B57D0[^]*Mock: several values/,
      'contested-attendance': /A 0B57D0[^]*Test 1: attendance contested/,
      'above-maximum': /19 B3261E[^]*Other: above the maximum of 18/,
      overridden: 'Score: overridden by leader',
      changed: 'Score: changed since the ranking',
    },
    async () => cellsOf(await markbookFile([markbook], moment), '11A'),
  ),
  'markbook on paper': file(MARKBOOK, async () =>
    renderToStaticMarkup(
      createElement(PaperBook, {
        markbook,
        students: markbook.students.filter((student) => student.studentId === studentId),
        columns: columnsOf(false),
        beside: undefined,
      }),
    ),
  ),
  'ClassReport.xlsx': file(
    { contested: '13 0B57D0', 'contested-mark': '4 0B57D0', 'contested-attendance': 'A 0B57D0', 'above-maximum': '19 B3261E' },
    async () => {
      const asked = await Promise.all(
        [mock, away, marked, other].map(async (testId) => ({
          sheet: await sheetOf(testId),
          analysis: await leader.ask<QuestionAnalysis>('question-analysis', { testId, yearGroupId, setId }),
        })),
      );
      return cellsOf(await classReportFile({ home, predictors, markbook, tests: asked, moment }), 'Marks');
    },
  ),
  'StudentReport.pdf': file(PAPER, async (flag) =>
    textOf(await studentReportFile({ ...printing, parts: [partOf(...(await sourcesOf(testOf(flag))))] })),
  ),
  'FeedbackSheet.pdf': file(PAPER, async (flag) =>
    textOf(await feedbackSheetFile({ ...printing, parts: [feedbackOf(...(await sourcesOf(testOf(flag))))] })),
  ),
  'own StudentReport.pdf': file(PAPER, async (flag) =>
    textOf(await studentReportFile({ ...printing, parts: [ownPart(await ownSources(testOf(flag)), new Date())] })),
  ),
  'own FeedbackSheet.pdf': file(PAPER, async (flag) =>
    textOf(await feedbackSheetFile({ ...printing, parts: [{ ...ownPart(await ownSources(testOf(flag)), new Date()), headers: [] }] })),
  ),
  'my-data.pdf': file({ ...STUDENT, contested: 'Total 13 of 20 (several values)' }, async () =>
    textOf(await myDataFile({ ...printing, name: 'A1', moment: new Date(), parts: partsOf(await A1.ask<MyData>('my-data')) })),
  ),
};

const all = Object.entries({ ...pages, ...dialogs, ...files }).flatMap(([name, place]) => (place ? [[name, ...place] as const] : []));
test.each(all)('%s', async (_name, signs, place) => {
  opened = undefined;
  for (const [flag, sign] of Object.entries(signs)) {
    const read = await place(flag as Flag);
    await vi.waitFor(() => expect(read()).toMatch(sign), { timeout: limit.wait });
  }
});

test('a student’s home has each flag that the list gives to students, and no other', () => {
  const given = Object.entries(FLAGS).flatMap(([flag, { isStudents }]) => (isStudents ? [flag] : []));
  expect(Object.keys(STUDENT).toSorted()).toEqual(given.toSorted());
});
