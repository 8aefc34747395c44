import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { parseResults } from '../../../api/marks/upload/results-file.contract.ts';
import { parseTotals } from '../../../api/marks/upload/totals-file.contract.ts';
import type { QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { demoSchool } from '../../../run/demo/demo.ts';
import { Client } from '../../support/client.ts';
import { testDatabase } from '../../support/postgres.ts';
import { openProduct } from '../../support/product.ts';

/** The files of run/demo/mathexam, and the figures that its README gives for them. */
const STUDENTS = 729;
const MEAN = 16.93416;
const SD = 4.284338;

const database = await testDatabase();
const product = await openProduct(database.url);
afterAll(async () => {
  await product.close();
  await database.drop();
});
await demoSchool(product.backend, () => undefined, { past: false });
const [leader, admin] = [new Client(product), new Client(product)];
await Promise.all([leader.signIn('leader@demo.example', 'marktrail-demo'), admin.signIn('admin@demo.example', 'marktrail-demo')]);
const subjectId = (await leader.ask<Me>('me')).subjects[0]?.subjectId ?? '';
const { yearGroups, tests } = await leader.ask<Structure>('structure', { subjectId });
const yearGroupId = yearGroups[0]?.yearGroupId ?? '';
const setIds = yearGroups[0]?.sets.map(({ setId }) => setId) ?? [];
const examination = tests[0]?.testId ?? '';

const bytes = (name: string) => readFile(new URL(`../../../run/demo/mathexam/${name}`, import.meta.url));
const totalsFile = async (testId: string) => {
  const parsed = parseTotals({ name: 'totals_upload.csv', type: 'text/csv', bytes: await bytes('totals_upload.csv') });
  if (!parsed.ok) throw new Error(parsed.message);
  return {
    subjectId,
    classes: setIds.map((setId) => ({ setId, testIds: [testId] })),
    rows: parsed.rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, totals })),
  };
};
const resultsFile = async (testId: string) => {
  const parsed = parseResults({ name: 'results_upload.csv', type: 'application/vnd.ms-excel', bytes: await bytes('results_upload.csv') });
  if (!parsed.ok) throw new Error(parsed.message);
  return { subjectId, testId, setIds, rows: parsed.rows.map(({ admissionNo, name, marks }) => ({ admissionNo, name, marks })) };
};
const fileName = 'a file.csv';

const markbook = (): Promise<Markbook> => leader.ask('markbook', { yearGroupId });
/** A column of the markbook: its test, and each student's total. */
const column = async (testId: string) => {
  const { tests, students } = await markbook();
  const index = tests.findIndex((one) => one.testId === testId);
  return { test: tests[index], totals: new Map(students.map(({ admissionNo, totals }) => [admissionNo, totals[index]])) };
};
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable: 2 }));
const assessment = async (name: string): Promise<string> => {
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name });
  await admin.done('UploadQuestions', { testId, questions: questions(13) });
  return testId;
};

test('mean and standard deviation of the totals are those of the data set', async () => {
  const { test: exam } = await column(examination);
  expect(exam).toMatchObject({ max: 26, count: STUDENTS });
  expect(exam?.mean).toBeCloseTo(MEAN, 5);
  expect(exam?.sd).toBeCloseTo(SD, 6);
});

test('what the preview of a totals file shows is what is stored', async () => {
  const resit = await assessment('Resit');
  const file = await totalsFile(resit);
  const preview = await leader.ask<UploadPreview>('preview-totals', file);
  expect(preview.counts).toEqual({ equal: 0, new: STUDENTS, replaced: 0, contested: 0 });
  const uploaded = await leader.done<Uploaded>('UploadTotals', { ...file, fileName, saw: [] });
  expect(uploaded).toMatchObject({ stored: STUDENTS, unchanged: 0, unmatched: [] });

  const { test: shown, totals } = await column(resit);
  expect(shown?.mean).toBeCloseTo(MEAN, 5);
  expect(shown?.sd).toBeCloseTo(SD, 6);
  for (const { admissionNo, cells } of preview.students) {
    expect(totals.get(admissionNo)).toEqual({
      total: cells[0]?.is,
      source: 'total',
      attendance: 'sat',
    });
  }
});

describe('question marks', () => {
  let trial: string;
  let all: number;

  test('of a whole year group: what the preview shows is what is stored', async () => {
    trial = await assessment('Trial');
    const file = await resultsFile(trial);
    all = file.rows.reduce((sum, { marks }) => sum + marks.filter((mark) => mark !== null).length, 0);
    const preview = await leader.ask<UploadPreview>('preview-marks', file);
    expect(preview.counts).toEqual({ equal: 0, new: all, replaced: 0, contested: 0 });
    expect(preview.students).toHaveLength(STUDENTS);
    const uploaded = await leader.done<Uploaded>('UploadMarks', { ...file, fileName, saw: [] });
    expect(uploaded).toMatchObject({ stored: all, unchanged: 0, unmatched: [] });
    expect((await leader.ask<UploadPreview>('preview-marks', file)).counts).toEqual({ equal: all, new: 0, replaced: 0, contested: 0 });
  });

  test('add up to the total where a student has one for every question', async () => {
    const { test: shown, totals } = await column(trial);
    expect(shown).toMatchObject({ count: STUDENTS, max: 26 });
    expect(shown?.mean).toBeCloseTo(MEAN, 5);
    expect(shown?.sd).toBeCloseTo(SD, 6);
    expect(new Set([...totals.values()].map((cell) => cell?.source))).toEqual(new Set(['marks']));
  });

  test('and give the figures of the data set: alpha, its error, and how hard and how telling each question was', async () => {
    const { all, ofYear } = await leader.ask<QuestionAnalysis>('question-analysis', { testId: trial, yearGroupId });
    for (const figures of [all, ofYear]) {
      expect([figures.n, figures.k, figures.evidence]).toEqual([STUDENTS, 13, 'fair']);
      expect(figures.mean).toBeCloseTo(MEAN, 5);
      expect(figures.sd).toBeCloseTo(SD, 6);
      expect(figures.alpha).toBeCloseTo(0.614_316_3, 7);
      expect(figures.sem).toBeCloseTo(2.660_721, 6);
      expect(figures.questions.map((question) => question?.facility.toFixed(4)).join(' ')).toBe(
        '0.6420 0.8059 0.8368 0.6392 0.7922 0.7675 0.2517 0.7311 0.4691 0.4739 0.8381 0.7435 0.4760',
      );
      expect(figures.questions.map((question) => question?.discrimination?.toFixed(4)).join(' ')).toBe(
        '0.1940 0.1958 0.2873 0.2340 0.2268 0.2867 0.1698 0.3442 0.2801 0.3003 0.2866 0.3314 0.2216',
      );
    }
  });

  test('the same file again changes nothing: no event', async () => {
    const before = await product.backend.store.head();
    const { body } = await leader.command('UploadMarks', { ...(await resultsFile(trial)), fileName });
    expect(body).toMatchObject({ position: null, result: { stored: 0, unchanged: all } });
    expect(await product.backend.store.head()).toBe(before);
  });
});
