import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Sources } from '../../../staff-ui/analysis/reports/student-parts.ts';
import { partOf } from '../../../staff-ui/analysis/reports/student-parts.ts';
import { studentReportFile } from '../../../ui/reports/student-report.ts';
import { pdfPages, pdfTags } from '../../support/pdf.ts';
import { sourcesOf, studentOf } from '../../support/report-sources.ts';

const OPTIONS = {
  school: 'Greenfield Academy',
  paper: 'a4',
  created: new Date(2026, 10, 25),
  font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
} as const;
const fileOf = async (sources: Sources) =>
  studentReportFile({
    ...OPTIONS,
    parts: sources.sheet.students.map((student) => partOf(sources, student)),
  });

test('a report has the total against the class, each question, strengths and targets against all students, topics and progress', async () => {
  const sources = sourcesOf([studentOf('Dąbrowska, Łucja', [10, 8, 3, null, 1], 35)], 0.3);
  const [text = '', ...more] = await pdfPages((await fileOf(sources)).file);
  expect(more).toEqual([]);
  expect(text).toMatch(/Student report: Dąbrowska, Łucja\s+11X1 · StudentID M0001 · Mathematics\s+As it stood on 25\/11\/2026/u);
  expect(text).toMatch(/Total: 35 of 50 \(70\.0 %\)\.\s+Class mean: 47\.0 %, all students: 46\.0 %\. This is higher than the class\./u);
  expect(text).toMatch(/Q1 Topic 1 G 10 \/ 10 90 %/u);
  expect(text).toMatch(/Q3 Topic 3 R 3 \/ 10 50 %/u);
  expect(text).toMatch(/Q4 Topic 4 R – \/ 10 20 %/u);
  expect(text).toMatch(/What went well\s+Q1 Topic 1 \+20 points on 10 marks: weak evidence\s+Q5 Topic 5 \+5 points/u);
  expect(text).toMatch(/Work on next\s+Q3 Topic 3 -25 points on 10 marks: weak evidence\s+Q4 Topic 4 -10 points/u);
  expect(text).toMatch(/Algebra \(estimated from Number\) A 70 %/u);
  expect(text).toMatch(/Progress over the year\s+Assessment Total Class\s+Mock 1 70\.0 % 47\.0 %/u);
  expect(text).toContain('Created on 25/11/2026 · Licensed to Greenfield Academy · Made with Marktrail');
});

test('a question that nobody of the class has a mark for is blank, beside one that was left out', async () => {
  const sources = sourcesOf([studentOf('Half way', [10, null, 3, null, null], 35)], 0.3);
  const [about] = sources.home.completed;
  const home = { ...sources.home, completed: about ? [{ ...about, questions: about.questions.slice(0, 3) }] : [] };
  const [text = ''] = await pdfPages((await fileOf({ ...sources, home })).file);
  expect(text).toMatch(/Q2 Topic 2 R – \/ 10 75 %/u);
  expect(text).toMatch(/Q4 Topic 4 – \/ 10 –/u);
  expect(text).toMatch(/one without a letter has no mark of anybody\s+in the class\./u);
});

test('a claim is as sure as all questions of its topic together', () => {
  const student = studentOf('Sure', [10, 10, 10, 10, 10], 50);
  const sources = sourcesOf([student], 0.3);
  const [about] = sources.home.completed;
  const questions = about?.questions.map((question) => ({ ...question, reliability: question.number < 3 ? 0.6 : 0.3 })) ?? [];
  const home = { ...sources.home, completed: about ? [{ ...about, questions }] : [] };
  expect(partOf({ ...sources, home }, student).strengths.map(({ number, weak }) => [number, weak])).toEqual([
    [5, true],
    [4, true],
    [3, true],
    [1, false],
    [2, false],
  ]);
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
  const sure = studentOf('Sure', [10, 10, 10, 10, 10], 50);
  expect(partOf(sourcesOf([sure], 0.8), sure).strengths.map(({ number, weak }) => [number, weak])).toEqual([
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

test('the file says what it is, in which language, and what a screen reader reads: headings, tables with their heads, and lists', async () => {
  const { file } = await fileOf(sourcesOf([studentOf('Dąbrowska, Łucja', [10, 8, 3, null, 1], 35)], 0.3));
  const { title, language, pages } = await pdfTags(file);
  expect([title, language]).toEqual(['Student report: Mock 1, Dąbrowska, Łucja', 'en-GB']);
  expect(pages[0]).toMatch(/^Root\(Document\(Sect\(H1,P,P,H2,P,P,H2,Table\(TR\(TH,TH,TH\),TR\(TD,TD,TD\)/u);
  expect(pages[0]).toMatch(/H2,L\(LI\(LBody\(Span\)\),LI\(LBody\(Span\)\)\),P,H2,L\(/u);
});

test('a table goes on with its head on the next page, and no page has one or two rows of it', async () => {
  const sources = sourcesOf([studentOf('Long', [10, 8, 3, null, 1], 35)], 0.3);
  for (let count = 34; count < 44; count++) {
    const part = partOf(sources, sources.sheet.students[0] ?? studentOf('', [], null));
    const [question] = part.questions;
    if (!question) throw new Error('It has no question.');
    const questions = Array.from({ length: count }, (_, n) => ({ ...question, number: n + 1, topic: 'Long', mark: 1, max: 2 }));
    const { file } = await studentReportFile({
      ...OPTIONS,
      parts: [{ ...part, questions, strengths: [], targets: [] }],
    });
    const pages = (await pdfPages(file)).filter((text) => /Q\d+ Long/u.test(text));
    expect(pages.length).toBeGreaterThan(1);
    for (const text of pages) {
      expect(text).toMatch(/Question Mark Class\s+Q\d+ Long/u);
      expect(text.match(/Q\d+ Long/gu)?.length).toBeGreaterThan(2);
    }
  }
});
