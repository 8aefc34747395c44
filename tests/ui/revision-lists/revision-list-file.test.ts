import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openReport } from '../../../ui/reports/pages.ts';
import type { RevisionReport } from '../../../ui/reports/revision-list.ts';
import { revisionListFile } from '../../../ui/reports/revision-list.ts';
import { pdfPages, pdfSource } from '../../support/pdf.ts';

const report: RevisionReport = {
  school: 'Greenfield Academy',
  paper: 'a4',
  created: new Date(2026, 10, 25),
  moment: new Date(2026, 9, 3, 8, 5),
  font: () => readFile(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url), 'base64'),
  parts: [
    {
      test: 'Mock 1',
      headers: [
        { name: 'Algebra', questions: [{ number: 3, topic: 'Completing the square' }] },
        { name: 'Number', questions: [{ number: 1, topic: 'Surds' }] },
      ],
    },
  ],
};
const made = async (changes: Partial<RevisionReport>) => revisionListFile({ ...report, ...changes });
const inOrder = (text: string, ...parts: readonly string[]): void => {
  const places = parts.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
};

test('the list is a heading, a sentence, a topic to tick per question under its header, and a foot', async () => {
  const { file, unprintable } = await made({});
  const [text = '', ...more] = await pdfPages(file);
  expect([more, unprintable]).toEqual([[], []]);
  inOrder(
    text,
    'Revision Checklist: Mock 1',
    'As it stood on 03/10/2026, 08:05.',
    'Tick each topic when you have revised it.',
    'Algebra',
    'Q3 Completing the square',
    'Number',
    'Q1 Surds',
    'Created on 25/11/2026 · Licensed to Greenfield Academy · Made with Marktrail',
  );
  const drawn = pdfSource(Buffer.from(file));
  const sizes = new Set([...drawn.matchAll(/\/F\d+ ([\d.]+) Tf/g)].map(([, size]) => Number(size)));
  expect([...sizes].toSorted((a, b) => a - b)).toEqual([8, 10, 15, 22]);
  const box = (4 / 25.4) * 72;
  const boxes = [...drawn.matchAll(/([\d.]+) -([\d.]+) re\nS/g)].filter(
    ([, width, height]) => width === height && Math.abs(Number(width) - box) < 0.1,
  );
  expect(boxes).toHaveLength(2);
});

test('60 questions with 200 letters each go on over pages that are counted, on A4 and on Letter', async () => {
  const questions = Array.from({ length: 60 }, (_, index) => ({
    number: index + 1,
    topic: `${'Long words to read '.repeat(10)}end ${index + 1}`,
  }));
  for (const paper of ['a4', 'letter'] as const) {
    const { file } = await made({ paper, parts: [{ test: 'Mock 1', headers: [{ name: 'All', questions }] }] });
    const pages = await pdfPages(file);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages[0]).toContain(`Page 1 of ${pages.length}`);
    const all = pages.join('\n');
    for (const { number } of questions) expect(all).toMatch(new RegExp(`end ${number}\\b`, 'u'));
  }
});

test('a list for each student starts on a page of its own, tells how far it is, and stops when it is told to', async () => {
  const parts = ['Dąbrowska, Łucja', 'حسن, ليلى'].map((student) => ({ test: 'Mock 1', headers: [], student }));
  const told: string[] = [];
  const { file, unprintable } = await revisionListFile({ ...report, parts }, { onProgress: (done, all) => told.push(`${done} of ${all}`) });
  const [one = '', two = ''] = await pdfPages(file);
  expect(one).toContain('Dąbrowska, Łucja');
  expect(two).toContain('Revision Checklist: Mock 1');
  expect(one).not.toContain('Page');
  expect([told, unprintable]).toEqual([['1 of 2', '2 of 2'], []]);
  const stop = new AbortController();
  const stopped = revisionListFile({ ...report, parts }, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toThrow();
});

test('letters that no font has are named, and boxes in print', async () => {
  const { file, unprintable } = await made({ school: '陳學校' });
  expect(unprintable).toEqual(['陳', '學', '校']);
  expect((await pdfPages(file)).join('\n')).toContain('Licensed to □□□ ·');
});

test('a report holds as many people as there are', async () => {
  const pages = await openReport({ ...report, title: 'Students' }, '');
  for (let n = 0; n < 3; n++) pages.begin(`Student ${n + 1}`);
  expect((await pdfPages(pages.finish())).map((text) => /Student \d/u.exec(text)?.[0])).toEqual(['Student 1', 'Student 2', 'Student 3']);
});
