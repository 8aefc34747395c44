import { expect, test } from 'vitest';
import { testFigures } from '../../../api/analysis/items.formula.ts';
import type { QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import { classReportFile } from '../../../staff-ui/analysis/reports/class-report.ts';
import { excelTitle, readExcel } from '../../support/excel.ts';
import { sourcesOf, studentOf } from '../../support/report-sources.ts';

const sure = studentOf('Sure', [10, 8, 5, null, 1], 24);
const { home, sheet, predictors, markbook, moment } = sourcesOf([sure], 0.3);

/** What so many students say, who have all marks from 0 up. */
const figuresOf = (n: number) => ({
  ...testFigures(
    Array.from({ length: n }, (_, index) => [index % 10, index % 7, index % 5, index % 3, index % 2]),
    [10, 10, 10, 10, 10],
  ),
  leftOut: { absent: 0, exempt: 0, noMarks: 0 },
  open: [null, null, null, null, null],
});
const reportOf = async (ofClass: number, ofAll: number) => {
  const analysis: QuestionAnalysis = {
    testId: sheet.testId,
    name: sheet.name,
    subjectId: home.subjectId,
    yearGroupId: home.yearGroupId,
    year: 11,
    max: 50,
    questions: sheet.questions.map((question) => ({ ...question, reliability: 0.3 })),
    topics: [],
    all: figuresOf(ofAll),
    ofYear: figuresOf(ofAll),
    sets: [{ setId: home.setId, name: home.name, ...figuresOf(ofClass) }],
  };
  const file = await classReportFile({ home, predictors, markbook, tests: [{ sheet, analysis }], moment });
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(excelTitle(bytes)).toBe('Class report: 11X1');
  return readExcel(bytes);
};

test('discrimination and alpha of 10 to 19 students are grey; reliability, which is of all students, by how many these are', async () => {
  const colours = async (ofClass: number, ofAll: number) => {
    const questions = (await reportOf(ofClass, ofAll)).get('Questions');
    expect(questions?.get('G2')?.value).toEqual(expect.any(Number));
    return ['F2', 'G2', 'J2', 'L2'].map((place) => questions?.get(place)?.colour);
  };
  expect(await colours(15, 40)).toEqual([undefined, '5F6368', '5F6368', undefined]);
  expect(await colours(20, 40)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await colours(15, 15)).toEqual([undefined, '5F6368', '5F6368', '5F6368']);
});

test('a strength stands beside what it rests on', async () => {
  const students = (await reportOf(20, 40)).get('Students');
  expect(students?.get('G2')?.value).toBe(
    'Q1 Topic 1 +20 points on 10 marks: weak evidence; Q5 Topic 5 +5 points on 10 marks: weak evidence',
  );
});
