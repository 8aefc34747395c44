import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { History, HistoryAsked, HistoryEntry, RecordEntry } from '../../../api/history/history.contract.ts';
import { split } from '../../../events/codec/parts.ts';
import { leafHash } from '../../../events/proof/tree.ts';
import type { RecordedEvent } from '../../../events/store/port.ts';
import type { Client } from '../../support/client.ts';
import type { School } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const began = Date.now();
const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');
const neighbour = await school.neighbour();
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(async () => {
  await database.connect();
  const { entryId, commandId } = await teacherA.done('UploadTotals', {
    subjectId: school.ids.maths,
    classes: [{ setId: school.ids.setA, testIds: [school.ids.mock] }],
    rows: [{ admissionNo: '00A1', name: 'A1, Student', totals: [7] }],
    fileName: 'totals.csv',
  });
  await teacherA.done('UndoCommand', { entryId, commandId });
  await leader.done('RedoCommand', { entryId, commandId });
});
afterAll(() => database.end());

const inLog = async ({ schoolId }: School): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of school.backend.store.readAll('start')) if (event.stream.includes(schoolId)) events.push(event);
  return events;
};

const ask = async (filters: HistoryAsked = {}): Promise<History> => (await school.as('auditor')).ask<History>('history', filters);

/** All pages, put together. */
const all = async (filters: HistoryAsked = {}): Promise<History['events']> => {
  const events: History['events'][number][] = [];
  for (let before: string | null | undefined; before !== null;) {
    const page: History = await ask({ limit: 7, ...filters, ...(before === undefined ? {} : { before }) });
    expect(page.events.length).toBeLessThanOrEqual(7);
    events.push(...page.events);
    before = page.next;
  }
  return events;
};

test('an auditor pages through everything that happened in their school, and nothing else', async () => {
  const log = await inLog(school);
  expect(log.length).toBeGreaterThan(30);
  expect((await all()).map(({ eventId, type, stream, revision }) => [eventId, type, stream, revision])).toEqual(
    log.toReversed().map(({ id, type, stream, revision }) => [id, type, stream, Number(revision)]),
  );
  expect((await inLog(neighbour)).length).toBeGreaterThan(30);
});

test('each event says who did what, when, and by which command', async () => {
  const [redone, undone, uploaded] = (await ask({ limit: 3 })).events;
  expect([redone?.type, redone?.by]).toEqual(['CommandRedone', { accountId: school.accounts.leader, role: 'leader', name: 'leader' }]);
  expect([undone?.type, undone?.by?.name]).toEqual(['CommandUndone', 'teacherA']);
  expect([uploaded?.type, uploaded?.by?.name]).toEqual(['TotalsUploaded', 'teacherA']);
  expect(uploaded?.commandId).toMatch(/^[0-9a-f-]{36}$/);
  const at = Date.parse(uploaded?.at ?? '');
  expect([began <= at, at <= Date.now()]).toEqual([true, true]);
});

test('it is found by author, type, stream, subject and time', async () => {
  const { ids, accounts } = school;
  const types = async (filters: HistoryAsked): Promise<string[]> => [...new Set((await all(filters)).map(({ type }) => type))].sort();
  expect(await types({ by: accounts.teacherA })).toEqual(['CommandUndone', 'TotalsUploaded']);
  expect((await all({ type: 'SetAdded' })).length).toBe(4);
  expect(await types({ stream: `assessment-${school.schoolId}.${ids.mock}` })).toEqual(['AssessmentCreated', 'QuestionsUploaded']);
  const ofMaths = await types({ subjectId: ids.maths });
  expect(ofMaths).toEqual(expect.arrayContaining(['SubjectAdded', 'SchemeAdded', 'QuestionsUploaded', 'TotalsUploaded', 'CommandUndone']));
  expect(await all({ subjectId: ids.maths, stream: `assessment-${school.schoolId}.${ids.forces}` })).toEqual([]);
  const { at } = (await ask({ type: 'TotalsUploaded' })).events[0] ?? {};
  expect((await ask({ to: at ?? '' })).events[0]?.type).toBe('TotalsUploaded');
  expect((await ask({ from: at ?? '' })).events.at(-1)?.type).toBe('TotalsUploaded');
  expect(await all({ from: '2999-01-01T00:00:00Z' })).toEqual([]);
});

test('a page that follows an event of another school, or no event, is no page', async () => {
  const auditor = await school.as('auditor');
  const theirs = (await inLog(neighbour))[0]?.id ?? '';
  for (const before of [theirs, randomUUID()]) {
    expect((await auditor.query('history', { before })).status).toBe(404);
  }
  expect((await auditor.query('history', { from: 'yesterday' })).status).toBe(422);
  expect((await auditor.query('history', { limit: '20', type: 'SetAdded' }, { method: 'GET' })).status).toBe(200);
});

test('a leader reads the record of their subjects, a teacher that of their classes and their own acts', async () => {
  const { ids } = school;
  const [admin, teacherB, scienceLeader] = [await school.as('admin'), await school.as('teacherB'), await school.as('scienceLeader')];
  const typesFor = async (client: Client, filters: HistoryAsked = {}): Promise<string[]> =>
    (await client.ask<History>('history', { limit: 200, ...filters })).events.map(({ type }) => type);
  const ofScience = await typesFor(scienceLeader);
  expect(ofScience).toEqual(expect.arrayContaining(['SubjectAdded', 'AssessmentCreated']));
  expect(ofScience).not.toContain('TotalsUploaded');
  expect(await typesFor(teacherA)).toEqual(expect.arrayContaining(['TotalsUploaded', 'CommandUndone', 'CommandRedone']));
  expect(await typesFor(teacherB)).not.toContain('TotalsUploaded');
  expect(await typesFor(teacherA)).not.toContain('StaffAccountOpened');
  const ofOthers = await teacherB.query('history', { setId: ids.setA });
  expect([ofOthers.status, ofOthers.body.title]).toEqual([404, 'There is no such class.']);
  const [uploaded] = (await admin.ask<History>('history', { type: 'TotalsUploaded' })).events;
  expect((await teacherA.query('history-entry', { eventId: uploaded?.eventId })).status).toBe(200);
  expect((await teacherB.query('history-entry', { eventId: uploaded?.eventId })).body.title).toBe('There is no such entry.');
});

test('an entry opens into what it changed, from what to what, what came of it, and its leaf in the ledger', async () => {
  const [uploaded] = (await ask({ type: 'TotalsUploaded' })).events;
  const auditor = await school.as('auditor');
  const opened = await auditor.ask<HistoryEntry>('history-entry', { eventId: uploaded?.eventId });
  expect(opened.changes.map(({ of, in: within, field, from, to }) => [of.text, within?.text, field, from, to])).toEqual([
    ['A1, Student', 'Mock', 'Total', [], '7'],
  ]);
  expect(opened.caused.map(({ type }) => type)).toEqual(['CommandRedone', 'CommandUndone']);
  const undo = opened.caused.find(({ type }) => type === 'CommandUndone');
  const undone = await auditor.ask<HistoryEntry>('history-entry', { eventId: undo?.eventId });
  expect([undone.takenBack.map(({ eventId }) => eventId), undone.together]).toEqual([[uploaded?.eventId], []]);
  const [inTheLog] = (await inLog(school)).filter(({ id }) => id === uploaded?.eventId);
  expect(opened.hash).toBe(inTheLog && leafHash(inTheLog));
  await (await school.as('admin')).done('ChangeSet', { subjectId: school.ids.maths, setId: school.ids.setC, name: '11D' });
  const [renamed] = (await ask({ type: 'SetRenamed' })).events;
  const { changes } = await auditor.ask<HistoryEntry>('history-entry', { eventId: renamed?.eventId });
  expect(changes.map(({ field, from, to }) => [field, from, to])).toEqual([['Name', ['11C'], '11D']]);
});

test('it is found by what is in it, by names, and by kind, and says in a sentence what was done', async () => {
  const sentence = ({ sentence: parts }: RecordEntry): string => parts.map(({ text }) => text).join('');
  const found = async (filters: HistoryAsked): Promise<string[]> => (await ask({ limit: 200, ...filters })).events.map(sentence);
  expect(await found({ type: 'TotalsUploaded' })).toEqual(['uploaded 1 total of Mock from totals.csv']);
  const ofMock = await found({ testId: school.ids.mock, kind: 'marks' });
  expect(ofMock).toHaveLength(3);
  expect(await found({ text: 'student a1', kind: 'marks' })).toEqual([]);
  expect(await found({ text: 'a1, student', kind: 'marks' })).toEqual(ofMock);
  expect(await found({ setId: school.ids.setA, kind: 'marks' })).toEqual(ofMock);
  expect(await found({ setId: school.ids.setB, kind: 'marks' })).toEqual([]);
});

test('whatever is named in an event finds it, a page at a time, with what took it back: in any class, of any kind, beside another thing', async () => {
  const { ids, accounts } = school;
  const A = [ids.setA, ...['A1', 'A2', 'A3', 'A4'].map((name) => ids.students[name] ?? '')];
  const [, a1 = ''] = A;
  const log = (await inLog(school)).toReversed();
  const uploaded = log.find(({ type }) => type === 'TotalsUploaded')!;
  const { commandId } = JSON.parse(uploaded.metadata) as { commandId: string };
  type Found = readonly (readonly string[])[];
  /** Of each list of things one is named. */
  const naming = (...each: Found): string[] =>
    log
      .filter(({ stream, data }) => {
        const said = `${stream.slice(stream.indexOf('.'))} ${data} ${data.includes(commandId) ? uploaded.data : ''}`;
        return each.every((things) => things.some((thing) => said.includes(thing)));
      })
      .map(({ id }) => id);
  const found = async (filters: HistoryAsked): Promise<string[]> => (await all({ ...filters, limit: 2 })).map(({ eventId }) => eventId);
  expect(naming(A).length).toBeGreaterThan(4);
  expect(await found({ setId: ids.setA })).toEqual(naming(A));
  expect(await found({ about: ids.setA })).toEqual(naming(A));
  expect(await found({ studentId: a1 })).toEqual(naming([a1]));
  expect(await found({ studentId: a1, in: ids.mock })).toEqual(naming([a1], [ids.mock]));
  expect(await found({ studentId: a1, setId: ids.setA, kind: 'marks' })).toHaveLength(3);
  expect(await found({ yearGroupId: ids.year })).toEqual(naming([ids.year]));
  expect(await found({ setId: ids.setA, by: accounts.teacherA })).toHaveLength(2);
  const ofTeacher = [...(await found({ by: accounts.teacherA })), ...naming([accounts.teacherA])];
  expect(new Set(await found({ about: accounts.teacherA }))).toEqual(new Set(ofTeacher));
  const { at } = (await ask({ studentId: a1, type: 'TotalsUploaded' })).events[0] ?? {};
  expect((await ask({ studentId: a1, from: at ?? '' })).events.at(-1)?.eventId).toBe(uploaded.id);
});

test('it is a file as well: for a spreadsheet, which runs nothing of it, and a line an entry', async () => {
  const { subjectId, setId } = { subjectId: school.ids.maths, setId: school.ids.setC };
  await (await school.as('admin')).done('ChangeSet', { subjectId, setId, name: '=1+1' });
  const auditor = await school.as('auditor');
  const events = await all({ kind: 'structure' });
  const lines = (await (await auditor.send('/api/history.ndjson?kind=structure')).text()).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as RecordEntry).eventId)).toEqual(events.map(({ eventId }) => eventId));
  const csv = await auditor.send('/api/history.csv?kind=structure');
  expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename="history.csv"');
  const rows = (await csv.text()).trimEnd().split('\r\n');
  expect([rows.length, rows[0]?.startsWith('Time (UTC),Who,')]).toEqual([events.length + 1, true]);
  expect(rows[1]).toContain(',renamed a class to =1+1,SetRenamed,');
  expect((await (await school.as('student')).send('/api/history.csv')).status).toBe(403);
});

test('a file of many entries is sent as it is read, and ends with whoever asked for it', async () => {
  const { store, progress } = school.backend;
  const [sample] = (await inLog(school)).filter(({ type }) => type === 'SetRenamed');
  const renamed = Array.from({ length: 900 }, () => ({ ...sample!, id: randomUUID() }));
  await store.append(sample!.stream, renamed, 'any');
  await progress.waitFor(['record'], await store.head(), 30_000);
  const { eventAt } = store;
  let read = 0;
  store.eventAt = (position) => {
    read += 1;
    return eventAt.call(store, position);
  };
  try {
    const auditor = await school.as('auditor');
    const path = '/api/history.ndjson?type=SetRenamed';
    const gone = new AbortController();
    const file = (await auditor.send(path, { signal: gone.signal })).body!.getReader();
    await file.read();
    expect(read).toBeLessThan(renamed.length);
    gone.abort();
    await file.cancel();
    const whole = (await (await auditor.send(path)).text()).trimEnd().split('\n').length;
    expect(whole).toBeGreaterThan(renamed.length);
    expect(read).toBeLessThan(2 * renamed.length);
  } finally {
    store.eventAt = eventAt;
  }
});

test('the index holds the parts of an event that is too large for one append, and types that nobody knows; the record neither', async () => {
  const { store, progress } = school.backend;
  const [sample] = await inLog(school);
  const stream = `entry-${school.schoolId}.${randomUUID()}`;
  const large = {
    id: randomUUID(),
    type: 'LargeOne',
    data: JSON.stringify({ text: 'x'.repeat(3_000_000) }),
    metadata: sample?.metadata ?? '',
  };
  const appends = split([large]);
  let expected: bigint | 'none' = 'none';
  for (const append of appends) expected = (await store.append(stream, append, expected)).revision;
  await progress.waitFor(['history'], await store.head(), 30_000);
  const { rows } = await database.query<{ id: string }>('select event_id as id from read.history where stream = $1 order by position', [
    stream,
  ]);
  expect([rows.length, rows.at(-1)?.id]).toEqual([5, large.id]);
  expect(await all({ stream })).toEqual([]);
});
