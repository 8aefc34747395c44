import { NOTHING } from '../../api/pipeline/about.ts';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueryDefinition } from '../../api/common/query.ts';
import type { LiveAnswer, LiveHello } from '../../api/contract/live.ts';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import type { Tracker } from '../../api/marks/submissions/submissions.contract.ts';
import { queries } from '../../api/queries.ts';
import { createAnswerCache } from '../../ui/api/answer-cache.ts';
import { Client } from '../support/client.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** A page that holds an answer is told over its line how it changes, and holds then what it would have been answered. */
const { school } = await schoolOfFile();

const { maths, mock, other, year, students, setA, setB, setC } = school.ids;
const path = `/api/queries/markbook?yearGroupId=${year}`;
const ofClass = (setId: string): string => `${path}&setId=${setId}`;

/** A page with an open markbook, or another answer: the real module that holds its answers, over a line of its own. */
const openPage = async (client: Client, { headers = {}, at = path, beforeLine }: Opened = {}) => {
  const cache = createAnswerCache();
  const line = randomUUID();
  const leaving = new AbortController();
  const heard: string[] = [];
  let shown: unknown;
  let hasEnded = false;
  const ask = async (): Promise<Response> => {
    const minPosition = String(await school.backend.store.head());
    const answer = await client.send(at, {
      headers: { 'X-Line': line, 'X-Min-Position': minPosition, ...cache.headers(at), ...headers },
    });
    if (answer.status === 200 || answer.status === 304)
      shown = cache.answered(at, 'markbook', answer.headers, answer.status === 304 ? undefined : await answer.json());
    return answer;
  };
  await ask();
  await beforeLine?.();
  const stream = await client.send(`/api/live?line=${line}`, { signal: leaving.signal, headers });
  const open = Promise.withResolvers<void>();
  const listen = async (): Promise<void> => {
    let text = '';
    for await (const part of (stream.body ?? expect.fail('no stream')).pipeThrough(new TextDecoderStream())) {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (event === 'hello') {
          cache.connected((JSON.parse(data ?? '') as LiveHello).epoch);
          open.resolve();
        }
        if (event !== 'answer' || data === undefined) continue;
        heard.push(data);
        for (const told of cache.applyLive(JSON.parse(data) as LiveAnswer)) {
          if (told.isOutdated) await ask();
          else shown = told.data;
        }
      }
    }
  };
  const ended = listen()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  await open.promise;
  return {
    ask,
    heard,
    ended,
    hasEnded: () => hasEnded,
    shown: () => shown as Markbook,
    tracker: () => shown as Tracker,
    /** Fulfilled once the line has told what is true there. */
    until: (position: string) => cache.until('markbook', BigInt(position), 20_000),
    leave: () => leaving.abort(),
  };
};

/** `beforeLine`: what happens after it has asked, and before its line opens. */
type Opened = { readonly headers?: Record<string, string>; readonly at?: string; readonly beforeLine?: () => Promise<unknown> };

const runs = async (): Promise<number> => {
  const text = await (await (await school.as('admin')).send('/api/metrics')).text();
  return Number(/^marktrail_shared_query_runs_total (\d+)$/m.exec(text)?.[1]);
};

const fresh = async (client: Client): Promise<Markbook> => client.ask<Markbook>('markbook', { yearGroupId: year });
/** The same without what is each reader's own, read anew and shared with nobody. */
const whole = (): Promise<Partial<Markbook>> =>
  school.backend.readAs(school.schoolId, async (query) => {
    const { shared } = queries.markbook as unknown as QueryDefinition<unknown>;
    const part = await shared?.read(query, { yearGroupId: year }, NOTHING);
    return JSON.parse(part?.text.text ?? '') as Partial<Markbook>;
  });
const enter = (client: Client, cells: readonly object[]) =>
  client.command('EnterMarks', { entryId: randomUUID(), subjectId: maths, seq: 1, cells });
/** Another mark each time: the same one again changes nothing. Of a student whom the random acts neither move nor excuse. */
let typed = 0;
const type = async (short = 'B4'): Promise<string> => {
  const { body } = await enter(await school.as('leader'), [{ studentId: students[short], testId: mock, is: (typed = (typed + 1) % 21) }]);
  return body.position ?? expect.fail('nothing was written');
};

// Before the random acts below, which move students.
test('that a student has begun to enter marks, and goes on, is told to those who have the tracker open, each of whom may reopen or not', async () => {
  await (await school.as('admin')).done('ShowAssessment', { testId: mock, visible: true });
  const teacher = await school.as('teacherA');
  const { questions } = await teacher.ask<Sheet>('sheet', { testId: mock, setId: setA });
  const at = `/api/queries/tracker?${new URLSearchParams({ testId: mock, setId: setA }).toString()}`;
  const people = [teacher, await school.as('auditor')];
  const pages = await Promise.all(people.map((client) => openPage(client, { at })));
  const stateOf = ({ students: all }: Tracker) => all.find(({ studentId }) => studentId === students['A1'])?.state;
  expect(pages.map((page) => [stateOf(page.tracker()), page.tracker().mayWrite])).toEqual([
    ['none', true],
    ['none', false],
  ]);
  const marks = questions.slice(0, 1).map(({ questionId }) => ({ questionId, mark: 1 }));
  const { body } = await (await school.as('student')).command('SaveFeedback', { testId: mock, marks });
  await Promise.all(pages.map((page) => page.until(body.position ?? '')));
  expect(pages.map((page) => stateOf(page.tracker()))).toEqual(['saved', 'saved']);
  for (const [n, page] of pages.entries()) {
    expect(page.heard).toHaveLength(1);
    expect(page.tracker()).toEqual(await people[n]?.ask('tracker', { testId: mock, setId: setA }));
    page.leave();
  }
});

test('whatever happens, pages of all roles hold what a fresh page is answered', async () => {
  const people = await Promise.all((['admin', 'auditor', 'leader', 'teacherA'] as const).map((role) => school.as(role)));
  const pages = await Promise.all(people.map((client) => openPage(client)));
  const classes = await Promise.all(
    people.flatMap((client) =>
      [setA, setB].map(async (setId) => ({ client, setId, page: await openPage(client, { at: ofClass(setId) }) })),
    ),
  );
  const [admin, , leader, teacher] = people;
  if (!admin || !leader || !teacher) return;
  const saved: { readonly client: Client; readonly entryId: string; readonly commandId: string }[] = [];
  const save = async (client: Client, cells: readonly object[]): Promise<void> => {
    const entryId = randomUUID();
    const { body } = await client.command('EnterMarks', { entryId, subjectId: maths, seq: 1, cells });
    const commandId = (body.result as { commandId?: string | null } | undefined)?.commandId;
    if (typeof commandId === 'string') saved.push({ client, entryId, commandId });
  };
  // No class has chosen it: it is in the markbook from its first mark on.
  const { testId: newcomer = '' } = await admin.done('CreateAssessment', { subjectId: maths, name: 'Of nobody yet' });
  const short = fc.constantFrom('A1', 'A2', 'B1', 'C4');
  const testId = fc.constantFrom(mock, other, newcomer);
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('type' as const), short, testId, fc.integer({ min: 0, max: 20 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('disagree' as const), short, testId, fc.integer({ min: 0, max: 19 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('attendance' as const), short, testId, fc.constantFrom(...(['absent', 'sat'] as const))) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('undo' as const), fc.nat()) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constant('move' as const), short, fc.constantFrom({ setId: setA }, { setId: setB }, 'off-roll' as const)),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant('rename' as const), fc.constantFrom('11A', '11 Alpha', 'Zeta')) },
  );
  const doing = async (what: typeof act extends fc.Arbitrary<infer Act> ? Act : never): Promise<void> => {
    switch (what[0]) {
      case 'type':
        return save(leader, [{ studentId: students[what[1]], testId: what[2], is: what[3] }]);
      case 'disagree': {
        const cell = { studentId: students[what[1]], testId: what[2] };
        await save(leader, [{ ...cell, is: what[3], was: [] }]);
        return save(admin, [{ ...cell, is: what[3] + 1, was: [] }]);
      }
      case 'attendance':
        return save(admin, [{ studentId: students[what[1]], testId: what[2], attendance: true, is: what[3] }]);
      case 'undo': {
        const last = saved[what[1] % Math.max(1, saved.length)];
        if (last) await last.client.command('UndoCommand', { entryId: last.entryId, commandId: last.commandId });
        return;
      }
      case 'move':
        await admin.done('ChangeStudents', { subjectId: maths, changes: [{ studentId: students[what[1]], place: what[2] }] });
        return;
      case 'rename':
        await admin.done('ChangeSet', { subjectId: maths, setId: setA, name: what[1] });
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (acts) => {
      for (const one of acts) await doing(one);
      // Concerns every page, so that each is told up to here.
      const position = await type('B4');
      const everyPage = [...pages, ...classes.map(({ page }) => page)];
      expect(await Promise.all(everyPage.map((page) => page.until(position)))).toEqual(everyPage.map(() => true));
      const now = await whole();
      for (const [n, page] of pages.entries()) {
        const { sets } = await fresh(people[n] ?? admin);
        expect(page.shown()).toEqual({ ...now, sets });
      }
      for (const { client, setId, page } of classes) {
        const { sets } = await fresh(client);
        const ofSet = now.students?.filter((student) => student.setId === setId);
        expect(page.shown()).toEqual({ ...now, sets, setId, students: ofSet });
        expect(page.shown()).toEqual(await client.ask<Markbook>('markbook', { yearGroupId: year, setId }));
      }
    }),
    { numRuns: 12 },
  );
  expect(pages.every(({ heard }) => heard.some((text) => text.includes('"change"')))).toBe(true);
  expect(classes.every(({ page: { heard } }) => heard.some((text) => text.includes('"change"')))).toBe(true);
  for (const page of [...pages, ...classes.map(({ page: one }) => one)]) page.leave();
});

test('one mark is told in a few bytes, with the position and the epoch, and read once for all who listen, also of a class', async () => {
  const pages = await Promise.all(
    (['admin', 'leader', 'teacherA', 'teacherB'] as const).flatMap((role) =>
      [path, ofClass(setA), ofClass(setB)].map(async (at) => openPage(await school.as(role), { at })),
    ),
  );
  // What the pages asked as they opened, and those of the test before, is read before anything is counted.
  const first = await type();
  await Promise.all(pages.map((page) => page.until(first)));
  const before = await runs();
  const position = await type();
  await Promise.all(pages.map((page) => page.until(position)));
  expect((await runs()) - before).toBe(1);
  for (const { heard, leave } of pages) {
    expect(heard).toHaveLength(2);
    const [, last = ''] = heard;
    expect(last.length).toBeLessThan(1_000);
    const { change, ...told } = JSON.parse(last) as LiveAnswer;
    expect(change).toBeDefined();
    expect(BigInt(told.position)).toBeGreaterThanOrEqual(BigInt(position));
    expect(Object.keys(told).toSorted()).toEqual(['epoch', 'from', 'id', 'position', 'tag']);
    leave();
  }
});

test('a page whose line opens a little later hears of what changes from then on', async () => {
  const admin = await school.as('admin');
  const witness = await openPage(admin);
  for (let turn = 0; turn < 10; turn++) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await type();
    const position = await type();
    const page = await openPage(admin, { beforeLine: () => witness.until(position) });
    expect(await page.until(await type())).toBe(true);
    page.leave();
    // oxlint-enable no-await-in-loop
  }
  witness.leave();
});

test('a page that holds another version than the line thinks asks again', async () => {
  const cache = createAnswerCache();
  const headers = new Headers({ ETag: '"one.a"', 'X-Follow': 'book e', 'X-Read-Position': '5' });
  cache.answered('/markbook', 'markbook', headers, { marks: [1] });
  cache.connected('e');
  const told = (from: string, tag: string) =>
    cache.applyLive({ id: 'book', epoch: 'e', position: '6', from, tag, change: { of: { marks: { at: { 0: { is: 2 } } } } } });
  expect(told('zero.a', 'two.a')).toEqual([{ as: 'markbook', isOutdated: true }]);
  expect(told('one.a', 'two.a')).toEqual([{ as: 'markbook', data: { marks: [2] }, isOutdated: false }]);
  // Heard twice, and what was under way before it.
  expect(told('one.a', 'two.a')).toEqual([]);
  expect(cache.answered('/markbook', 'markbook', headers, { marks: [1] })).toEqual({ marks: [2] });
  expect(cache.applyLive({ id: 'book', epoch: 'e', position: '7' })).toEqual([{ as: 'markbook', isOutdated: true }]);
});

describe('nothing is told any more to somebody', () => {
  /** What the page heard after rights were taken and a mark was typed; nothing that is in the answer may be in it. */
  const heardAfter = async (client: Client, taking: () => Promise<unknown>): Promise<LiveAnswer[]> => {
    const page = await openPage(client);
    const witness = await openPage(await school.as('admin'));
    await witness.until(await type());
    await page.until(await type());
    const before = page.heard.length;
    expect(before).toBeGreaterThan(0);
    await taking();
    await witness.until(await type());
    await witness.until(await type());
    page.leave();
    witness.leave();
    await page.ended;
    return page.heard.slice(before).map((text) => JSON.parse(text) as LiveAnswer);
  };
  const account = async (role: 'leader' | 'teacher', teacherId: string | undefined) => {
    const admin = await school.as('admin');
    const email = `${randomUUID()}@live.example`;
    const opened = await admin.done('OpenStaffAccount', {
      name: 'Somebody',
      email,
      password: PASSWORD,
      role,
      teachers: [{ subjectId: maths, teacherId }],
    });
    const client = new Client(school);
    await client.signIn(email, PASSWORD);
    return { client, accountId: opened.accountId, admin };
  };
  const record = async (): Promise<string | undefined> => {
    const admin = await school.as('admin');
    const { teacherId } = await admin.done('AddTeacher', { subjectId: maths, name: randomUUID() });
    await admin.done('ChangeTeacher', { subjectId: maths, teacherId, setIds: [setC] });
    return teacherId;
  };

  test('whose session has ended', async () => {
    const { client } = await account('teacher', await record());
    expect(await heardAfter(client, () => client.signOut())).toEqual([]);
  });

  test('whose role has changed', async () => {
    const { client, accountId, admin } = await account('leader', await record());
    expect(await heardAfter(client, () => admin.done('ChangeStaffAccount', { accountId, role: 'teacher' }))).toEqual([]);
  });

  test('whose account was closed', async () => {
    const { client, accountId, admin } = await account('leader', await record());
    expect(await heardAfter(client, () => admin.done('CloseStaffAccount', { accountId }))).toEqual([]);
  });

  test('whose teacher record was removed, or has no class of the year group any more: the page asks, and is refused', async () => {
    for (const take of ['RemoveTeacher', 'ChangeTeacher'] as const) {
      const teacherId = await record();
      const { client, admin } = await account('teacher', teacherId);
      const heard = await heardAfter(client, () =>
        admin.done(take, { subjectId: maths, teacherId, ...(take === 'ChangeTeacher' ? { setIds: [] } : {}) }),
      );
      expect(heard.length).toBeGreaterThan(0);
      for (const one of heard) expect(Object.keys(one).toSorted()).toEqual(['epoch', 'id', 'position']);
      expect((await client.send(path)).status).toBe(take === 'RemoveTeacher' ? 404 : 403);
    }
  });

  test('who looks as a student, though the answer was asked for before', async () => {
    const admin = await school.as('admin');
    const page = await openPage(admin, { headers: { 'X-View-As': 'student' } });
    const witness = await openPage(admin);
    await witness.until(await type());
    page.leave();
    witness.leave();
    await page.ended;
    expect(page.heard).toEqual([]);
  });
});

test('what a teacher may write is told when it changes', async () => {
  const admin = await school.as('admin');
  const { teacherId } = await admin.done('AddTeacher', { subjectId: maths, name: `Changing ${randomUUID().slice(0, 8)}` });
  await admin.done('ChangeTeacher', { subjectId: maths, teacherId, setIds: [setC] });
  const email = `${randomUUID()}@live.example`;
  await admin.done('OpenStaffAccount', {
    name: 'C',
    email,
    password: PASSWORD,
    role: 'teacher',
    teachers: [{ subjectId: maths, teacherId }],
  });
  const client = new Client(school);
  await client.signIn(email, PASSWORD);
  const page = await openPage(client);
  const writable = () => page.shown().sets.flatMap(({ setId, mayWrite }) => (mayWrite ? [setId] : []));
  expect(writable()).toEqual([setC]);
  await admin.done('ChangeTeacher', { subjectId: maths, teacherId, setIds: [setB] });
  await page.until(await type());
  expect(writable()).toEqual([setB]);
  expect(page.shown()).toEqual(await fresh(client));
  page.leave();
});
