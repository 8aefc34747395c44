import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { ClassHome } from '../../../api/analysis/analysis.contract.ts';
import type { Dashboard, QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Mappings } from '../../../api/assessments/mapping/mapping.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import type { Client } from '../../support/client.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/** An invented school, and its figures as another program has computed them: tests/data/figures/README.md. */
type Paper = { readonly marks?: readonly (number | null)[]; readonly total?: number; readonly attendance?: 'absent' | 'exempt' };
type PaperName = 'Paper 1' | 'Paper 2';
type Student = Readonly<Record<PaperName, Paper>> & { readonly id: string; readonly set: string; readonly movedTo?: string };
type Question = readonly [paper: PaperName, number: number];
type Given = {
  readonly maxima: Readonly<Record<PaperName, readonly number[]>>;
  readonly daysSat: Readonly<Record<string, string>>;
  readonly tree: readonly (readonly string[])[];
  readonly questionTopics: readonly (readonly [Question, readonly string[]])[];
  readonly schemeTopics: Readonly<Record<string, { readonly byHand: readonly Question[]; readonly prerequisites: readonly string[] }>>;
  readonly students: readonly Student[];
};
type Figures = {
  readonly setAverages: Readonly<Record<string, number>>;
  readonly historicAverages: Readonly<Record<string, number>>;
  readonly discriminations: readonly number[];
  readonly topicValues: Readonly<Record<string, number>>;
};
const read = (file: string): unknown => JSON.parse(readFileSync(`tests/data/figures/${file}`, 'utf8'));
const given = read('school.json') as Given;
const figures = read('figures.json') as Figures;

const { school, leader } = await schoolOfFile('leader');
let yearGroupId: string;
let testIds: ReadonlyMap<string, string>;
let setIds: ReadonlyMap<string, string>;

const PAPERS = ['Paper 1', 'Paper 2'] as const;
const setNames = Object.keys(given.daysSat);
const row = ({ id }: Student) => ({ admissionNo: id, name: `${id}, Student` });

beforeAll(async () => {
  const admin = await school.as('admin');
  const { maths: subjectId } = school.ids;
  const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Scheme' });
  await admin.done('ChangeScheme', { schemeId, name: 'Scheme', topics: Object.keys(given.schemeTopics).map((name) => ({ name })) });
  yearGroupId = (await admin.done('AddYearGroup', { subjectId, year: 12 }))['yearGroupId'] ?? '';
  testIds = new Map(
    await Promise.all(
      PAPERS.map(async (name): Promise<[string, string]> => {
        const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name });
        const questions = given.maxima[name].map((marksAvailable, place) => ({
          number: place + 1,
          topic: `Topic ${place + 1}`,
          marksAvailable,
        }));
        await admin.done('UploadQuestions', { testId, questions });
        return [name, testId];
      }),
    ),
  );
  const added = await admin.done<{ setIds: string[] }>('AddSets', { subjectId, yearGroupId, names: setNames, schemeId });
  setIds = new Map(setNames.map((name, place) => [name, added.setIds[place] ?? '']));
  await admin.done('ImportStudents', {
    subjectId,
    fileName: 'students.csv',
    rows: given.students.map((student) => ({ ...row(student), set: student.set, dateOfBirth: '2009-05-01' })),
  });
  await enterMarks(admin);
  await map(admin);
  const { yearGroups } = await admin.ask<Structure>('structure', { subjectId });
  expect(yearGroups.find((year) => year.yearGroupId === yearGroupId)?.sets).toHaveLength(setNames.length);
});

const enterMarks = async (admin: Client): Promise<void> => {
  const { maths: subjectId } = school.ids;
  await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
  const ids = await school.backend.readAs(school.schoolId, (query) =>
    query<{ short: string; id: string }>(`select admission_no as short, student_id as id from students where school_id = $1`),
  );
  const idOf = new Map(ids.map(({ short, id }) => [short, id]));
  for (const name of PAPERS) {
    const testId = testIds.get(name) ?? '';
    for (const set of setNames) {
      const setId = setIds.get(set) ?? '';
      const students = given.students.filter((student) => student.set === set);
      const marked = students.flatMap((student) => (student[name].marks ? [{ ...row(student), marks: student[name].marks }] : []));
      const totals = students.flatMap((student) =>
        student[name].total === undefined ? [] : [{ ...row(student), totals: [student[name].total] }],
      );
      const file = { subjectId, fileName: 'marks.csv', satOn: given.daysSat[set] };
      if (marked.length > 0) await leader.done('UploadMarks', { ...file, testId, setIds: [setId], rows: marked });
      if (totals.length > 0) await leader.done('UploadTotals', { ...file, classes: [{ setId, testIds: [testId] }], rows: totals });
      const away = students.flatMap(({ id, [name]: { attendance } }) =>
        attendance ? [{ studentId: idOf.get(id), testId, attendance: true, is: attendance }] : [],
      );
      if (away.length > 0) await leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: away });
    }
  }
  const moves = given.students.flatMap(({ id, movedTo }) =>
    movedTo === undefined ? [] : [{ studentId: idOf.get(id), place: { setId: setIds.get(movedTo) } }],
  );
  await admin.done('ChangeStudents', { subjectId, changes: moves });
};

const map = async (admin: Client): Promise<void> => {
  const { maths: subjectId } = school.ids;
  await admin.done('ReplaceTopicTree', { subjectId, title: 'Mathematics', paths: given.tree });
  const { tree, schemes } = await admin.ask<Mappings>('mappings', { subjectId });
  const topicIds = (names: readonly string[]) => names.map((name) => tree?.topics.find((topic) => topic.name === name)?.topicId);
  const papers = new Map(
    await Promise.all(
      PAPERS.map(async (name): Promise<[string, AssessmentContents]> => [
        name,
        await admin.ask('assessment', { testId: testIds.get(name) }),
      ]),
    ),
  );
  const questionId = ([name, number]: Question) => papers.get(name)?.questions.find((one) => one.number === number)?.questionId;
  const scheme = schemes.find(({ name }) => name === 'Scheme');
  const ofScheme = Object.entries(given.schemeTopics).map(([name, topic]) => ({
    schemeTopicId: scheme?.topics.find((one) => one.name === name)?.schemeTopicId,
    topic,
  }));
  await leader.done('MapSchemeTopics', {
    subjectId,
    changes: ofScheme.map(({ schemeTopicId, topic }) => ({ schemeTopicId, topicIds: topicIds(topic.prerequisites), was: [] })),
  });
  await leader.done('MapQuestions', {
    subjectId,
    changes: given.questionTopics.map(([question, topics]) => ({ questionId: questionId(question), topicIds: topicIds(topics), was: [] })),
  });
  await leader.done('AllocatePrerequisites', {
    subjectId,
    changes: ofScheme.map(({ schemeTopicId, topic }) => ({ schemeTopicId, questionIds: topic.byHand.map(questionId), was: [] })),
  });
};

const close = (value: number) => expect.closeTo(value, 9) as unknown;
const closeTo = (values: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, close(value)]));

test('averages of sets are of those who are in them now, historic ones of those who were in them on the day', async () => {
  const { tests, sets } = await leader.ask<Dashboard>('leader-dashboard', { yearGroupId });
  const paper = tests.find(({ name }) => name === 'Paper 1');
  const nameOf = new Map(sets.map(({ setId, name }) => [setId, name]));
  expect(Object.fromEntries((paper?.averages ?? []).map(({ setId, mean }) => [nameOf.get(setId), mean]))).toEqual(
    closeTo(figures.setAverages),
  );
  expect(Object.fromEntries((paper?.historic ?? []).map(({ schoolYear, mean }) => [schoolYear, mean]))).toEqual(
    closeTo(figures.historicAverages),
  );
});

test('discriminations of a class', async () => {
  const [testId, setId] = [testIds.get('Paper 1'), setIds.get('11P')];
  const { sets } = await leader.ask<QuestionAnalysis>('question-analysis', { testId, yearGroupId, setId });
  expect(sets[0]?.questions.map((question) => question?.discrimination)).toEqual(figures.discriminations.map(close));
});

test('values of topics, two by pre-requisites only', async () => {
  const { topics } = await leader.ask<ClassHome>('class-home', { setId: setIds.get('11P') });
  expect(Object.fromEntries(topics.map(({ name, value }) => [name, value]))).toEqual(figures.topicValues);
  expect(topics.flatMap(({ name, predicted }) => (predicted ? [name] : []))).toEqual(['Calculus', 'Vectors']);
});
