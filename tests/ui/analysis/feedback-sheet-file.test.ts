import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ReportWords } from '../../../api/school/report-words.contract.ts';
import { feedbackOf, partOf } from '../../../staff-ui/analysis/reports/student-parts.ts';
import type { FeedbackPart } from '../../../ui/reports/feedback-sheet.ts';
import { feedbackSheetFile } from '../../../ui/reports/feedback-sheet.ts';
import { studentReportFile } from '../../../ui/reports/student-report.ts';
import { pdfPages, pdfSource } from '../../support/pdf.ts';
import { sourcesOf, studentOf } from '../../support/report-sources.ts';

const options = (words?: ReportWords) => ({
  school: 'Greenfield Academy',
  paper: 'letter' as const,
  created: new Date(2026, 10, 25),
  font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
  words,
});

const lucja = studentOf('Dąbrowska, Łucja', [10, 8, 3, null, 1], 35);
const sources = {
  ...sourcesOf([lucja], 0.3),
  list: {
    testId: '',
    name: 'Mock 1',
    headers: [
      { headerId: '', name: 'Algebra', questions: [{ questionId: '', number: 3, topic: 'Topic 3', text: 'Surds, once more' }] },
      { headerId: '', name: 'Data', questions: [{ questionId: '', number: 4, topic: 'Topic 4', text: null }] },
    ],
  },
};

test('a sheet has the marks of each question, strengths and targets, the revision list and room for a comment, on one page', async () => {
  const { file, unprintable } = await feedbackSheetFile({ ...options(), parts: [feedbackOf(sources, lucja)] });
  const [text = '', ...more] = await pdfPages(file);
  expect([more, unprintable]).toEqual([[], []]);
  expect(text).toMatch(/Feedback: Mock 1\s+Dąbrowska, Łucja · 11X1 · StudentID M0001 · Mathematics\s+As it stood on 25\/11\/2026/u);
  expect(text).toMatch(/Total: 35 of 50 \(70\.0 %\)\.\s+Class mean: 47\.0 %/u);
  expect(text).toMatch(/Your marks\s+Q1 Topic 1 G 10 \/ 10 90 %/u);
  expect(text).toMatch(/Q4 Topic 4 R – \/ 10 20 %/u);
  expect(text).toMatch(/What went well\s+Q1 Topic 1 \+20, weak\s+Q5 Topic 5 \+5, weak\s+Work on next\s+Q3 Topic 3 -25, weak/u);
  expect(text).toMatch(/To revise\s+Algebra\s+Q3 Surds, once more\s+Data\s+Q4 Topic 4/u);
  expect(text).toContain('Comment');
});

test('50 questions with 200 letters each, all on the list, still are one page, which says what is left out', async () => {
  const topic = 'Łongest topic name of a scheme of work '.repeat(6).slice(0, 200);
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  const part: FeedbackPart = {
    ...feedbackOf(sources, lucja),
    student: 'Łucja '.repeat(14).slice(0, 80),
    questions: numbers.map((number) => ({ number, topic, mark: 1, max: 3, band: 'red', ofClass: '50 %' })),
    headers: [{ name: topic, questions: numbers.map((number) => ({ number, topic })) }],
  };
  const pages = await pdfPages((await feedbackSheetFile({ ...options(), parts: [part, part] })).file);
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain('Q50');
  expect(pages[0]).toMatch(/Comment/u);
});

test('two sheets to a page: the page lies on its side, a third student has the next one, and each has its foot', async () => {
  const names = ['Dąbrowska, Łucja', 'Edwards, Sophie', 'Lee, Kay'];
  const parts = names.map((name) => feedbackOf(sources, studentOf(name, [10, 8, 3, null, 1], 35)));
  const { file } = await feedbackSheetFile({ ...options(), perPage: 2, parts });
  const pages = await pdfPages(file);
  expect(pages.map((text) => names.filter((name) => text.includes(name)))).toEqual([names.slice(0, 2), names.slice(2)]);
  expect(pages.map((text) => text.split('Licensed to').length - 1)).toEqual([2, 1]);
  expect(pages.join('')).not.toContain('…');
  const source = pdfSource(Buffer.from(file));
  expect(source).toContain('/MediaBox [0 0 792. 612.]');
  // Drawn one beside the other, and nothing but what is within them.
  const places = [...source.matchAll(/^(?:[\d.]+ ){4}([\d.]+) [\d.]+ cm$/gmu)].map(([, left]) => Math.round(Number(left)));
  expect(new Set(places)).toEqual(new Set([0, 396]));
});

test('a school’s words are printed, and no comparison where it wants none', async () => {
  const words = { foot: 'Łucja’s school · 01234', sentence: 'Tick it off.', comparisons: false };
  const reports = [
    await feedbackSheetFile({ ...options(words), parts: [feedbackOf(sources, lucja)] }),
    await studentReportFile({ ...options(words), parts: [partOf(sources, lucja)] }),
  ];
  for (const { file } of reports) {
    const [text = ''] = await pdfPages(file);
    expect(text).toContain('Licensed to Greenfield Academy · Made with Marktrail · Łucja’s school · 01234');
    expect(text).toContain('Total: 35 of 50 (70.0 %).');
    expect(text).not.toMatch(/Class mean|all students: |\+20|90 %|47\.0 %/u);
    expect(text).toContain('What went well');
  }
});

test('a student without marks by question has the list and the comment', async () => {
  const absent = { ...studentOf('Away, Ann', [null, null, null, null, null], null), attendance: { value: 'absent' as const } };
  const [text = '', ...more] = await pdfPages((await feedbackSheetFile({ ...options(), parts: [feedbackOf(sources, absent)] })).file);
  expect(more).toEqual([]);
  expect(text).toMatch(/Absent\.\s+No marks by question are known/u);
  expect(text).not.toContain('Your marks');
  expect(text).toMatch(/To revise\s+Algebra/u);
});
