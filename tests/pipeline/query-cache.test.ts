import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import { JsonText } from '../../api/common/query.ts';
import { QueryCache, type Since } from '../../api/pipeline/query-cache.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import type { Client } from '../support/client.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { plain } from '../support/strict-answers.ts';

/** An answer that is the same for several readers is read once for all of them, and each gets only what is theirs. */
const { school } = await schoolOfFile();
const neighbour = await school.neighbour();

const { maths, mock, other, year, students } = school.ids;
const path = `/api/queries/markbook?yearGroupId=${year}`;
const get = async (client: Client, headers: Record<string, string> = {}): Promise<Response> =>
  client.send(path, { headers: { 'X-Min-Position': String(await school.backend.store.head()), ...headers } });
const markbookOf = async (answer: Response): Promise<Markbook> => JSON.parse(await plain(answer)) as Markbook;
const type = async (short: string, is: number, testId = mock): Promise<string> => {
  const cells = [{ studentId: students[short], testId, is }];
  const { status, body } = await (
    await school.as('leader')
  ).command('EnterMarks', { entryId: randomUUID(), subjectId: maths, seq: 1, cells });
  expect(status).toBe(200);
  return body.position ?? expect.fail('nothing was written');
};
const totalOf = ({ students: all, tests }: Markbook, short: string, testId = mock): number | null | undefined =>
  all.find(({ studentId }) => studentId === students[short])?.totals[tests.findIndex((one) => one.testId === testId)]?.total;
const runs = async (): Promise<number> => {
  const text = await (await (await school.as('admin')).send('/api/metrics')).text();
  return Number(/^marktrail_shared_query_runs_total (\d+)$/m.exec(text)?.[1]);
};

describe('the markbook', () => {
  test('is read once after a save, however many people of whatever role ask for it, and then told each what they may write', async () => {
    const people = await Promise.all((['admin', 'auditor', 'leader', 'teacherA', 'teacherB'] as const).map((role) => school.as(role)));
    const position = await type('A1', 12);
    const before = await runs();
    const answers = await Promise.all(
      [...people, ...people, ...people].map((client) => client.send(path, { headers: { 'X-Min-Position': position } })),
    );
    const markbooks = await Promise.all(answers.map(markbookOf));
    // A commit that is announced while the first reads lets the others read once more.
    expect((await runs()) - before).toBeLessThanOrEqual(2);
    expect(markbooks.map((markbook) => totalOf(markbook, 'A1'))).toEqual(markbooks.map(() => 12));
    const written = markbooks.slice(0, people.length).map(({ sets }) => sets.flatMap(({ name, mayWrite }) => (mayWrite ? [name] : [])));
    expect(written).toEqual([['11A', '11B', '11C'], [], ['11A', '11B', '11C'], ['11A'], ['11B']]);
  });

  test('is not shown to those who may not see it, though it has just been read for others', async () => {
    await get(await school.as('admin'));
    const asked = async (client: Client) => (await client.send(path)).status;
    expect(await asked(await school.as('scienceLeader'))).toBe(404);
    expect(await asked(await neighbour.as('admin'))).toBe(404);
    expect(await asked(await school.as('student'))).toBe(403);
  });

  test('of a class has its students only, and the means of all; nobody sees more or less for asking so', async () => {
    const { setA } = school.ids;
    const asked = (client: Client, setId: string) => client.query('markbook', { yearGroupId: year, setId });
    const teacher = await school.as('teacherB');
    await type('A1', 7);
    const all = await markbookOf(await get(teacher));
    const before = await runs();
    const body = await teacher.ask<Markbook>('markbook', { yearGroupId: year, setId: setA });
    expect((await runs()) - before).toBe(0);
    expect(body).toEqual({ ...all, setId: setA, students: all.students.filter(({ setId }) => setId === setA) });
    expect(all.students.length).toBeGreaterThan(body.students.length);
    const refusalOf = async (client: Client, setId: string) => {
      const { status, body: why } = await asked(client, setId);
      return [status, why.title];
    };
    expect(await refusalOf(teacher, randomUUID())).toEqual([404, 'There is no such class.']);
    // Not even whether there is such a class.
    for (const setId of [setA, randomUUID()]) {
      expect(await refusalOf(await school.as('scienceLeader'), setId)).toEqual([404, 'There is no such year group.']);
      expect(await refusalOf(await neighbour.as('admin'), setId)).toEqual([404, 'There is no such year group.']);
      expect((await refusalOf(await school.as('student'), setId))[0]).toBe(403);
    }
  });

  test('shows every save to whoever asks for its position, while others save and ask', async () => {
    const [leader, teacher] = [await school.as('leader'), await school.as('teacherA')];
    const saving = async (short: string, testId: string): Promise<void> => {
      for (let is = 1; is <= 12; is++) {
        const headers = { 'X-Min-Position': await type(short, is, testId) };
        const seen = await Promise.all([leader, teacher].map(async (client) => markbookOf(await client.send(path, { headers }))));
        expect(seen.map((markbook) => totalOf(markbook, short, testId))).toEqual([is, is]);
      }
    };
    await Promise.all([saving('A2', mock), saving('A3', mock), saving('B1', other)]);
  });

  test('tells what its version is, and to whoever holds that only that nothing has changed', async () => {
    const teacher = await school.as('teacherA');
    await type('A1', 3);
    const first = await get(teacher);
    const tag = first.headers.get('ETag') ?? '';
    const held = await get(teacher, { 'If-None-Match': tag });
    expect([held.status, await held.text(), held.headers.get('X-Channels')]).toEqual([304, '', first.headers.get('X-Channels')]);
    // A proxy that compresses makes it weak.
    expect((await get(teacher, { 'If-None-Match': `"other", W/${tag}` })).status).toBe(304);
    // What they may write differs.
    expect((await get(await school.as('teacherB'), { 'If-None-Match': tag })).status).toBe(200);
    await type('A1', 4);
    const changed = await get(teacher, { 'If-None-Match': tag });
    expect([changed.status, totalOf(await markbookOf(changed), 'A1')]).toEqual([200, 4]);
    await type('A1', 3);
    expect((await get(teacher, { 'If-None-Match': tag })).status).toBe(304);
  });

  test('is compressed as the client can read it', async () => {
    const teacher = await school.as('teacherA');
    const whole = await markbookOf(await get(teacher));
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get(teacher, { 'Accept-Encoding': accepted });
      expect([answer.headers.get('Content-Encoding'), answer.headers.get('Vary')]).toEqual([encoding, 'Accept-Encoding']);
      expect(await markbookOf(answer)).toEqual(whole);
    }
    const small = await teacher.send('/api/queries/me', { headers: { 'Accept-Encoding': 'br' } });
    expect(small.headers.get('Content-Encoding')).toBeNull();
  });
});

describe('the sheet of an assessment', () => {
  const sheetPath = (of: Record<string, string>): string => `/api/queries/sheet?${new URLSearchParams({ testId: mock, ...of }).toString()}`;
  const sheetOf = async (answer: Response): Promise<Sheet> => JSON.parse(await plain(answer)) as Sheet;
  const refusal = async (client: Client, asked: string): Promise<unknown[]> => {
    const answer = await client.send(asked);
    return [answer.status, (JSON.parse(await plain(answer)) as { title: string }).title];
  };
  const refusals = async (asked: string): Promise<unknown[]> => {
    const people = await Promise.all([school.as('teacherB'), school.as('scienceLeader'), school.as('student'), neighbour.as('admin')]);
    return Promise.all(people.map((client) => refusal(client, asked)));
  };
  const REFUSED = [
    [403, 'You see your own classes only.'],
    [404, 'There is no such assessment.'],
    [403, 'Your account may not see this.'],
    [404, 'There is no such assessment.'],
  ];

  test('is read once after a save for people of different rights, each told what they may write, and refused to others', async () => {
    const people = await Promise.all((['teacherA', 'auditor', 'leader'] as const).map((role) => school.as(role)));
    const asked = sheetPath({ setId: school.ids.setA });
    const headers = { 'X-Min-Position': await type('A4', 9) };
    const before = await runs();
    const sheets = await Promise.all([...people, ...people].map(async (client) => sheetOf(await client.send(asked, { headers }))));
    const read = (await runs()) - before;
    // As of the markbook: an announcement may come while the first reads.
    expect([1, 2]).toContain(read);
    expect(sheets.map(({ students: all }) => all[3]?.total?.value)).toEqual(sheets.map(() => 9));
    expect(sheets.slice(0, 3).map(({ mayWrite, sets }) => [mayWrite, sets])).toEqual(
      [true, false, true].map((mayWrite) => [mayWrite, [{ setId: school.ids.setA, name: '11A', mayWrite }]]),
    );
    expect(await refusals(asked)).toEqual(REFUSED);
  });

  test('of a year group is for leaders, admins and auditors, though it has just been read for one of them', async () => {
    const asked = sheetPath({ yearGroupId: year });
    const people = await Promise.all([school.as('leader'), school.as('auditor')]);
    const sheets = await Promise.all(people.map(async (client) => sheetOf(await client.send(asked))));
    expect(sheets.map(({ mayWrite, sets }) => [mayWrite, sets.map((set) => set.mayWrite)])).toEqual([
      [true, [true, true, true]],
      [false, [false, false, false]],
    ]);
    expect(await refusals(asked)).toEqual(REFUSED);
    expect((await refusal(await school.as('teacherA'), asked))[0]).toBe(403);
  });

  test('does not say to people of another subject which classes there are', async () => {
    const asked = sheetPath({ setId: randomUUID() });
    expect(await refusal(await school.as('leader'), asked)).toEqual([404, 'There is no such class.']);
    expect(await refusal(await school.as('scienceLeader'), asked)).toEqual([404, 'There is no such assessment.']);
  });
});

describe('an answer older than five seconds', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  /** An answer from two read models that have reached 5, and what says so: the stored positions, and announcements. */
  const asked = () => {
    const stored = new Map([
      ['results', 5n],
      ['structure', 5n],
    ]);
    const listeners: ((committed: Committed) => void)[] = [];
    let [reads, checks] = [0, 0];
    const cache = new QueryCache({
      positions: () => new Map([...stored].map(([model]) => [model, 5n])),
      storedPositions: async () => {
        checks += 1;
        return new Map(stored);
      },
      onCommitted: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
      readAs: (_, work) => work(async () => []),
    });
    const read = async () => ({ text: new JsonText<unknown>(`{"read":${(reads += 1)}}`), facts: undefined });
    const shared = { read, again: read, ownFields: () => ({}) };
    const declared = { models: ['results', 'structure'] as const, input: z.object({}), run: async () => ({}), shared };
    const question = { schoolId: 'school', name: 'question', declared, input: {}, of: [] };
    return {
      ask: async () => (await cache.ask(question)).version,
      askSince: async (since: Since) => (await cache.askSince(question, () => since)).version,
      reads: () => reads,
      checks: () => checks,
      store: (position: bigint) => {
        for (const model of stored.keys()) stored.set(model, position);
      },
      announce: (position: bigint, channels: readonly string[]) => {
        const positions = new Map([...stored.keys()].map((model) => [model, position]));
        for (const listener of listeners) listener({ positions, changes: [{ schoolId: 'school', channels }] });
      },
    };
  };
  const pass = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1_000);

  test('is not read again while the stored positions have not moved, however long; they are looked at once for all who ask', async () => {
    const { ask, reads, checks } = asked();
    await ask();
    for (let round = 1; round <= 40; round += 1) {
      pass(6);
      await Promise.all([ask(), ask(), ask()]);
      expect([reads(), checks()]).toEqual([1, round]);
      await ask();
      expect(checks()).toBe(round);
    }
  });

  test('is read again if a position has moved and nothing was announced', async () => {
    const { ask, store, reads } = asked();
    await ask();
    store(6n);
    await ask();
    expect(reads()).toBe(1);
    pass(6);
    await ask();
    expect(reads()).toBe(2);
  });

  test('is read again if the database has lost what it showed', async () => {
    const { ask, store, reads } = asked();
    await ask();
    store(4n);
    pass(6);
    await ask();
    expect(reads()).toBe(2);
  });

  test('is not read again for what was announced and does not concern it, for half a minute, and at once for what does', async () => {
    const { ask, store, announce, reads } = asked();
    await ask();
    store(6n);
    announce(6n, ['staff']);
    for (let round = 1; round <= 4; round += 1) {
      pass(6);
      await ask();
    }
    expect(reads()).toBe(1);
    // Before that one there may have been another, which was lost.
    pass(7);
    await ask();
    expect(reads()).toBe(2);
    announce(7n, ['marks:mathematics']);
    await ask();
    expect(reads()).toBe(3);
  });

  test('of which only parts were read is read as a whole', async () => {
    const { ask, askSince, announce, reads } = asked();
    const version = await ask();
    announce(6n, ['marks']);
    await askSince({ version, changed: [], upTo: 6n, isAll: true });
    await ask();
    expect(reads()).toBe(2);
    pass(6);
    await ask();
    expect(reads()).toBe(3);
  });

  test('is forgotten once nobody has asked for it for minutes', async () => {
    const { ask, reads, checks } = asked();
    await ask();
    pass(400);
    await ask();
    expect([reads(), checks()]).toEqual([2, 0]);
  });
});
