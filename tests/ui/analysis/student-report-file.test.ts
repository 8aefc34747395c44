import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Sources } from '../../../staff-ui/analysis/reports/student-parts.ts';
import { partsOf } from '../../../staff-ui/analysis/reports/student-parts.ts';
import { studentReportFile } from '../../../ui/reports/student-report.ts';
import { pdfPages } from '../../support/pdf.ts';
import { id } from '../../support/decider.ts';

/** Five questions of 10 marks. Of the class Q1 to Q5 .90 .75 .50 .20 0, of all students .80 .80 .55 .10 .05. */
const classRatios = [0.9, 0.75, 0.5, 0.2, 0];
const allRatios = [0.8, 0.8, 0.55, 0.1, 0.05];
const questions = classRatios.map((_, index) => ({
  questionId: id(`q${index + 1}`),
  number: index + 1,
  topic: `Topic ${index + 1}`,
  max: 10,
}));
const [testId, setId, subjectId, yearGroupId] = [id('mock'), id('11X1'), id('maths'), id('year')];
const thresholds = { red: 0, amber: 40, green: 70 };
const sums = { sum: 0, count: 0 };

const studentOf = (name: string, marks: readonly (number | null)[], staffTotal: number | null): Sources['sheet']['students'][number] => ({
  studentId: id(name),
  name,
  admissionNo: null,
  setId,
  attendance: { value: 'sat' },
  total: null,
  staffTotal,
  marks: sums,
  effective: { sum: marks.reduce<number>((all, mark) => all + (mark ?? 0), 0), count: marks.filter((mark) => mark !== null).length },
  cells: marks.map((value) => (value === null ? null : { value, source: 'staff' })),
});

const sourcesOf = (students: Sources['sheet']['students'], reliability: number | null): Sources => ({
  moment: '2026-11-25T12:00:00Z',
  sheet: { version: '', testId, name: 'Mock 1', subjectId, max: 50, mayWrite: true, sets: [], questions: [...questions], students },
  home: {
    setId,
    name: '11X1',
    subjectId,
    yearGroupId,
    students: students.length,
    thresholds,
    scheme: null,
    prerequisites: [],
    tests: [],
    topics: [],
    completed: [
      {
        testId,
        name: 'Mock 1',
        max: 50,
        day: null,
        average: { n: 20, mean: 47, sd: 10 },
        all: { n: 100, mean: 46 },
        leftOut: [],
        questions: questions.map((question, index) => ({
          ...question,
          own: { sum: 200 * (classRatios[index] ?? 0), n: 20 },
          all: { sum: 1000 * (allRatios[index] ?? 0), n: 100 },
        })),
        reliability,
        targets: { percentage: { strengths: [], weaknesses: [] }, comparison: { strengths: [], weaknesses: [] } },
      },
    ],
  },
  predictors: {
    setId,
    name: '11X1',
    subjectId,
    yearGroupId,
    students: students.length,
    thresholds,
    scheme: null,
    prerequisites: [],
    tests: [],
    schemes: [],
    topics: [{ schemeTopicId: id('algebra'), name: 'Algebra', questions: [], predicted: true }],
    of: students.map(({ studentId, name }) => ({ studentId, name, topics: [{ value: 70, rag: 'amber', marks: 7, available: 10 }] })),
  },
  markbook: {
    yearGroupId,
    year: 11,
    subject: { subjectId, name: 'Mathematics' },
    sets: [],
    tests: [{ testId, name: 'Mock 1', max: 50, mean: null, sd: null, count: 20 }],
    students: students.map(({ studentId, name, staffTotal }) => ({
      studentId,
      name,
      admissionNo: null,
      setId,
      totals: [{ total: staffTotal, source: 'total', attendance: 'sat', contested: false, aboveMaximum: false }],
    })),
  },
});
const fileOf = async (sources: Sources) =>
  studentReportFile({
    school: 'Greenfield Academy',
    paper: 'a4',
    created: new Date(2026, 10, 25),
    font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
    parts: partsOf(sources, sources.sheet.students),
  });

test('a report has the total against the class, each question, strengths and targets against all students, topics and progress', async () => {
  const sources = sourcesOf([studentOf('Dąbrowska, Łucja', [10, 8, 3, null, 1], 35)], 0.3);
  const [text = '', ...more] = await pdfPages((await fileOf(sources)).file);
  expect(more).toEqual([]);
  expect(text).toMatch(/Student report: Dąbrowska, Łucja\s+11X1 · Mathematics\s+As it stood on 25\/11\/2026/u);
  expect(text).toMatch(/Total: 35 of 50 \(70\.0 %\)\.\s+Class mean: 47\.0 %, all students: 46\.0 %\. This is higher than the class\./u);
  expect(text).toMatch(/Q1 Topic 1 G 10 \/ 10 90 %/u);
  expect(text).toMatch(/Q3 Topic 3 R 3 \/ 10 50 %/u);
  expect(text).toMatch(/Q4 Topic 4 R – \/ 10 20 %/u);
  expect(text).toMatch(/What went well\s+Q1 Topic 1 \+20 points \(weak evidence\)\s+Q5 Topic 5 \+5 points/u);
  expect(text).toMatch(/Work on next\s+Q3 Topic 3 -25 points \(weak evidence\)\s+Q4 Topic 4 -10 points/u);
  expect(text).toMatch(/Algebra \(from its pre-requisites\) A 70 %/u);
  expect(text).toMatch(/Progress over the year\s+Assessment Total Class\s+Mock 1 70\.0 % 47\.0 %/u);
  expect(text).toContain('Created on 25/11/2026 · Licensed to Greenfield Academy · Made with Marktrail');
});

test('a student with a total only, one with nothing, and claims that are sure enough', async () => {
  const students = [
    studentOf('Total only', [null, null, null, null, null], 25),
    studentOf('Nothing yet', [null, null, null, null, null], null),
  ];
  const [one = '', two = ''] = await pdfPages((await fileOf(sourcesOf(students, 0.8))).file);
  expect(one).toMatch(/Total: 25 of 50 \(50\.0 %\)\./u);
  expect(one).toContain('This is broadly in line with the class.');
  expect(one).toContain('No marks by question are known');
  expect(two).toContain('No total is known yet.');
  const sure = partsOf(sourcesOf([studentOf('Sure', [10, 10, 10, 10, 10], 50)], 0.8), [studentOf('Sure', [10, 10, 10, 10, 10], 50)]);
  expect(sure[0]?.strengths.map(({ number, weak }) => [number, weak])).toEqual([
    [5, false],
    [4, false],
    [3, false],
    [1, false],
    [2, false],
  ]);
});

test('30 reports are one file of less than 3 MB, each from a page of its own', async () => {
  const students = Array.from({ length: 30 }, (_, n) => studentOf(`Łucja ${n + 1}`, [10, 8, 3, 2, 1], 24));
  const { file } = await fileOf(sourcesOf(students, null));
  expect(file.byteLength).toBeLessThan(3_000_000);
  expect(await pdfPages(file)).toHaveLength(30);
});
