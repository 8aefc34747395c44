/** The record of a school with a million events: its first page by each filter, what a student's page opens, and its rebuild. */
import pg from 'pg';
import type { History, HistoryAsked, RecentChanges } from '../api/history/history.contract.ts';
import { recordProjection } from '../projections/history/record.ts';
import { type Figure, median, plain } from './figures.ts';
import { loadLog } from './history/load.ts';
import { typingIn } from './history/marks.ts';
import { startProduct } from './processes.ts';
import { rebuildFigures } from './rebuild.ts';
import { buildSchool, type School, signIn } from './school.ts';

/** A different page each time: an answer that is kept is not read again. */
const TIMES = 9;

type Place = { readonly databaseUrl: string; readonly dataDir: string };
type Sizes = { readonly events: number; readonly rebuild: { readonly tests: number; readonly rounds: number } };

/** @param logs migrated databases with empty logs: of the record, and of its rebuild */
export const recordFigures = async (logs: Readonly<Record<'record' | 'rebuild', Place>>, { events, rebuild }: Sizes): Promise<Figure[]> => {
  const { databaseUrl, dataDir } = logs.record;
  const school = await buildSchool({ databaseUrl }, dataDir, { uploads: 1, typing: 1, teachers: 10 });
  const teachers = await accountsOf(databaseUrl, school);
  const { schoolId, markbook } = school;
  const classes = markbook.sets.map(({ studentIds }) => studentIds);
  const typed = { schoolId, subjectId: markbook.subjectId, teachers, classes, tests: markbook.tests };
  await loadLog(databaseUrl, dataDir, typingIn([typed], events));
  const figures = await pagesMeasured(logs.record, school, teachers[0] ?? '', events);
  const changes = await changesMeasured(logs.record, school, events);
  return [...figures, ...changes, ...(await rebuildFigures(logs.rebuild.databaseUrl, logs.rebuild.dataDir, rebuild, recordProjection))];
};

export const pagesMeasured = async ({ databaseUrl, dataDir }: Place, school: School, by: string, events: number): Promise<Figure[]> => {
  const product = await startProduct(databaseUrl, dataDir);
  try {
    const [, leader, teacher, auditor] = await Promise.all(school.readers.map((reader) => signIn(product.url, reader)));
    const ask = async (cookie: string, filters: HistoryAsked): Promise<number> => {
      const { ms, text } = await asked(product.url, cookie, 'history', filters);
      const found = (JSON.parse(text) as History).events.length;
      if (found === 0 && !('to' in filters)) throw new Error(`nothing is found by ${JSON.stringify(filters)}`);
      return ms;
    };
    const figure = async (reader: string, cookie: string | undefined, [by, filters]: Page, than = 150): Promise<Figure> => {
      const times = [];
      for (let time = 0; time <= TIMES; time++) times.push(await ask(cookie ?? '', { ...filters, limit: 50 - time }));
      return plain(`the record by ${by}, ${reader}, of ${events} events: ms from request to answer`, median(times.slice(1)), {
        is: '<=',
        than,
      });
    };
    const { subjectId, sets } = school.markbook;
    const ofStudent: Page = ['student', { subjectId, studentId: sets[0]?.studentIds[3] }];
    const figures = [];
    for (const page of pagesOf(school, by)) figures.push(await figure('an auditor', auditor, page));
    for (const page of [everything, byName]) figures.push(await figure('a leader', leader, page));
    for (const page of [everything, byName, ['kind of which there are few', { kind: 'structure' }] satisfies Page])
      figures.push(await figure('a teacher', teacher, page));
    for (const [reader, cookie] of [
      ['an auditor', auditor],
      ['a leader', leader],
      ['a teacher', teacher],
    ] as const)
      figures.push(await figure(reader, cookie, ofStudent, 100));
    return figures;
  } finally {
    await product.stop();
  }
};

/** Recent changes: a page of them, and the one after it. */
export const changesMeasured = async ({ databaseUrl, dataDir }: Place, school: School, events: number): Promise<Figure[]> => {
  const product = await startProduct(databaseUrl, dataDir);
  try {
    const figures = [];
    const { subjectId } = school.markbook;
    for (const [place, reader] of ['an admin', 'a leader', 'a teacher'].entries()) {
      const cookie = await signIn(product.url, school.readers[place]!);
      const page = async (filters: { readonly limit: number; readonly before?: string }) => {
        const { ms, text } = await asked(product.url, cookie, 'recent-changes', { subjectId, ...filters });
        const { acts, next } = JSON.parse(text) as RecentChanges;
        if (acts.length < filters.limit) throw new Error(`${acts.length} recent changes by ${JSON.stringify(filters)}`);
        return { ms, next: next! };
      };
      const [first, second]: [number[], number[]] = [[], []];
      for (let time = 0; time <= TIMES; time++) {
        const { ms, next } = await page({ limit: 20 - time });
        first.push(ms);
        second.push((await page({ limit: 20 - time, before: next })).ms);
      }
      for (const [which, times] of [
        ['a page', first],
        ['the next', second],
      ] as const) {
        const what = `recent changes, ${which}, ${reader}, of ${events} events: ms from request to answer`;
        figures.push(plain(what, median(times.slice(1)), { is: '<=', than: 100 }));
      }
    }
    return figures;
  } finally {
    await product.stop();
  }
};

const asked = async (
  url: string,
  cookie: string,
  query: string,
  input: object,
): Promise<{ readonly ms: number; readonly text: string }> => {
  const start = performance.now();
  const answer = await fetch(`${url}/api/queries/${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: url.replace('127.0.0.1', 'localhost') },
    body: JSON.stringify(input),
  });
  const text = await answer.text();
  const ms = performance.now() - start;
  if (!answer.ok) throw new Error(`${query} by ${JSON.stringify(input)}: ${text}`);
  return { ms, text };
};

type Page = readonly [by: string, filters: HistoryAsked];
const everything: Page = ['nothing', {}];
const byName: Page = ['a name', { text: 'student 12' }];

const pagesOf = ({ schoolId, markbook, uploads }: School, by: string): readonly Page[] => {
  const { subjectId, yearGroupId, sets, tests } = markbook;
  const [setId = '', testId = ''] = [sets[0]?.setId, tests[0]?.testId];
  return [
    everything,
    byName,
    ['person', { by }],
    ['kind of which there are many', { kind: 'marks' }],
    ['kind of which there are few', { kind: 'structure' }],
    ['type of which there are few', { type: 'GradesAssigned' }],
    ['stream', { stream: `assessment-${schoolId}.${testId}` }],
    ['subject', { subjectId }],
    ['subject of which there is little', { subjectId: uploads.subjectId }],
    ['year group', { yearGroupId }],
    ['class', { setId }],
    ['assessment', { testId }],
    ['class and a kind of which there are few', { setId, kind: 'structure' }],
    ['assessment and person', { testId, by }],
    ['a name and a kind of which there are few', { text: 'student 12', kind: 'students' }],
    ['a month long ago', { from: '2015-10-01T00:00:00Z', to: '2015-11-01T00:00:00Z' }],
  ];
};

const accountsOf = async (databaseUrl: string, { schoolId }: School): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select account_id as id from read.accounts where school_id = $1 and role = 'teacher' order by account_id`,
      [schoolId],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
};
