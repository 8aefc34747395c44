import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { LiveChange, LiveHello } from '../../api/contract/live.ts';
import { touches } from '../../api/contract/channels.ts';
import type { CellHistory } from '../../api/marks/marks.contract.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import { nothingAsked } from '../support/nothing-asked.ts';
import { Live } from '../../api/live/live.ts';
import type { ReadAs } from '../../api/common/facts.ts';
import { Client } from '../support/client.ts';
import type { School } from '../support/school.ts';
import { openProduct } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

const school = await openSchool({ heartbeatMs: 40 });
const neighbour = await school.neighbour();
afterAll(() => school.close());

type Message = { readonly event: string; readonly data: unknown };

/** What somebody hears, message after message; comments (signs of life) are passed over. */
const listen = async (client: Client) => {
  const leaving = new AbortController();
  const answer = await client.send('/api/live', { signal: leaving.signal });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/event-stream');
  if (!answer.body) throw new Error('no stream');
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** undefined: the stream has ended */
  const next = async (): Promise<Message | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const of = (field: string): string => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? '';
        if (of('event') !== '') return { event: of('event'), data: JSON.parse(of('data')) };
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  const first = await next();
  expect(first?.event).toBe('hello');
  return {
    hello: first?.data as LiveHello,
    next,
    change: async (): Promise<LiveChange> => {
      const message = await next();
      expect(message?.event).toBe('changed');
      return message?.data as LiveChange;
    },
    leave: () => leaving.abort(),
  };
};

/** Another mark each time: the same one again would be no event. */
let typed = 0;
const type = async (in_: School, short = 'A1', who?: Client): Promise<number> => {
  typed = (typed + 1) % 21;
  const cells = [{ studentId: in_.ids.students[short], testId: in_.ids.mock, is: typed }];
  const save = { entryId: randomUUID(), subjectId: in_.ids.maths, seq: 1, cells };
  await (who ?? (await in_.as('teacherA'))).done('EnterMarks', save);
  return typed;
};
/** The channels of a mark of the mock exam: the subject, the year group and the assessment. */
const ofMock = ({ ids }: School): string[] =>
  [ids.maths, `${ids.maths}/${ids.year}`, `${ids.maths}/${ids.mock}`].map((of) => `marks:${of}`);
/** Where nobody listened it is not looked up which of the subject's marks have changed. */
const anyOf = ({ ids }: School): string[] => [`marks:${ids.maths}`, `marks:${ids.maths}/*`];
const addStudent = async (in_: School): Promise<void> => {
  const { maths: subjectId, setC: setId } = in_.ids;
  const student = { subjectId, setId, admissionNo: randomUUID().slice(0, 20), name: 'New', dateOfBirth: null };
  await (await in_.as('admin')).done('AddStudent', student);
};
const settled = (): Promise<void> =>
  school.backend.store.head().then((head) => school.backend.progress.waitFor(['results', 'roster', 'structure'], head, 30_000));

describe('who listens hears', () => {
  test('a change of marks in their subject, with the position from which a question shows it', async () => {
    const teacher = await school.as('teacherA');
    await settled();
    const ear = await listen(teacher);
    const studentId = school.ids.students['A4'];
    const value = await type(school, 'A4');
    const { topics, position } = await ear.change();
    expect(topics).toEqual(ofMock(school));
    const { body } = await teacher.query('cell', { testId: school.ids.mock, studentId }, { minPosition: position });
    expect((body as unknown as CellHistory).reading).toEqual({ state: 'counts', value });
    ear.leave();
  });

  test('what a student confirms, where single questions are shown; what they only keep is nobody’s news', async () => {
    const { maths, mock: testId, questions } = school.ids;
    const [admin, student] = [await school.as('admin'), await school.as('student')];
    await admin.done('ShowAssessment', { testId, visible: true });
    await settled();
    const { change, leave } = await listen(await school.as('teacherA'));
    const marks = questions.map((questionId) => ({ questionId, mark: 2 }));
    await student.done('SaveFeedback', { testId, marks: marks.slice(1) });
    await student.done('SubmitFeedback', { testId, marks });
    expect((await change()).topics).toEqual([`marks:${maths}/${testId}`]);
    leave();
  });

  test('what another process has changed', async () => {
    const other = await school.another();
    await settled();
    const ear = await listen(await school.as('leader'));
    await type(school, 'B1', await school.signIn('teacherB', other));
    expect((await ear.change()).topics).toEqual(ofMock(school));
    ear.leave();
    await other.close();
  });

  test('nothing of a subject that is not theirs', async () => {
    await settled();
    const ear = await listen(await school.as('scienceLeader'));
    await type(school);
    await (await school.as('admin')).done('AddTeacher', { subjectId: school.ids.maths, name: randomUUID() });
    await settled();
    await (await school.as('admin')).done('AddTeacher', { subjectId: school.ids.science, name: randomUUID() });
    expect((await ear.change()).topics).toEqual([`structure:${school.ids.science}`]);
    const { schemeId } = await (await school.as('admin')).done('AddScheme', { subjectId: school.ids.science, name: randomUUID() });
    await ear.change();
    await (await school.as('admin')).done('ChangeScheme', { schemeId, name: randomUUID(), topics: [] });
    expect((await ear.change()).topics).toEqual([`structure:${school.ids.science}`]);
    ear.leave();
  });

  test('nothing of another school', async () => {
    await settled();
    const ear = await listen(await neighbour.as('admin'));
    await type(school);
    await addStudent(school);
    await settled();
    await type(neighbour);
    expect((await ear.change()).topics).toEqual(ofMock(neighbour));
    ear.leave();
  });

  test('everything of their school as an admin and as an auditor', async () => {
    await settled();
    for (const role of ['admin', 'auditor'] as const) {
      const ear = await listen(await school.as(role));
      await type(school);
      expect((await ear.change()).topics).toEqual(ofMock(school));
      await addStudent(school);
      expect((await ear.change()).topics).toEqual(['roster']);
      ear.leave();
    }
  });

  test('nothing at all as a student, nor without a session', async () => {
    const student = await school.signIn('student');
    const ear = await listen(student);
    await type(school);
    await addStudent(school);
    await settled();
    await student.signOut();
    expect(await ear.next()).toBeUndefined();
    expect((await new Client(school).send('/api/live')).status).toBe(401);
  });

  test('that any mark of the subject may have changed, from a projector of the version before, which tells no more', async () => {
    await settled();
    const ear = await listen(await school.as('leader'));
    const position = await school.backend.store.head();
    school.backend.progress.committed({
      reached: new Map([['results', { build: [1, 1, 0], position }]]),
      changes: [{ schoolId: school.schoolId, channels: [`marks:${school.ids.maths}`] }],
    });
    expect((await ear.next())?.data).toMatchObject({ topics: anyOf(school) });
    ear.leave();
  });

  test('that everything has to be looked at again, when a read model was built anew', async () => {
    await settled();
    const ear = await listen(await school.as('admin'));
    school.backend.progress.committed({ reached: new Map(), changes: [{ schoolId: '*', channels: ['*'] }] });
    expect(await ear.next()).toMatchObject({ event: 'hello', data: { since: String(await school.backend.store.head()), topics: {} } });
    school.backend.progress.committed({ reached: new Map(), changes: [{ schoolId: school.schoolId, channels: ['*'] }] });
    expect(await ear.next()).toMatchObject({ event: 'hello', data: { since: String(await school.backend.store.head()), topics: {} } });
    ear.leave();
  });
});

describe('an answer names the channels that concern it', () => {
  const yearTen = async (): Promise<{ yearGroupId: string; setId: string; studentId: string }> => {
    const { maths, scheme, mock } = school.ids;
    const admin = await school.as('admin');
    const { yearGroupId } = await admin.done('AddYearGroup', { subjectId: maths, year: 10 });
    const { setId } = await admin.done('AddSet', { subjectId: maths, yearGroupId, name: '10A', schemeId: scheme });
    await admin.done('ChangeSet', { subjectId: maths, setId, testIds: [mock] });
    const ten = { subjectId: maths, setId, admissionNo: 'ten', name: 'Ten', dateOfBirth: null };
    const { studentId } = await admin.done('AddStudent', ten);
    return { yearGroupId: String(yearGroupId), setId: String(setId), studentId: String(studentId) };
  };
  const channels = ({ headers }: { readonly headers: Headers }): string[] => (headers.get('X-Channels') ?? '').split(' ');
  const concerned = (follows: readonly string[], { topics }: LiveChange): boolean =>
    topics.some((changed) => follows.some((followed) => touches(followed, changed)));

  test('a mark of one year group concerns no answer about another, though both sit the same assessment', async () => {
    const { maths, mock, year, setA } = school.ids;
    const { studentId, setId } = await yearTen();
    const leader = await school.as('leader');
    const eleven = channels(await leader.query('markbook', { yearGroupId: year }));
    expect(eleven).toEqual([`structure:${maths}`, 'roster', `marks:${maths}/${year}`, `prior:${maths}`, 'staff', `tasks:${maths}`]);
    const cell = channels(await leader.query('cell', { testId: mock, studentId: school.ids.students['A1'] }));
    const uploads = channels(await leader.query('uploads', { subjectId: maths }));
    await settled();

    const ear = await listen(leader);
    const enter = { entryId: randomUUID(), subjectId: maths, seq: 1, cells: [{ studentId, testId: mock, is: 7 }] };
    await leader.done('EnterMarks', enter);
    const inTen = await ear.change();
    expect([eleven, uploads].map((follows) => concerned(follows, inTen))).toEqual([false, false]);
    await type(school);
    const inEleven = await ear.change();
    expect([eleven, cell, uploads].map((follows) => concerned(follows, inEleven))).toEqual([true, true, false]);

    await leader.done('UploadTotals', {
      subjectId: maths,
      fileName: 'ten.csv',
      classes: [{ setId, testIds: [mock] }],
      rows: [{ admissionNo: 'ten', name: 'Ten', totals: [9] }],
    });
    const uploaded = await ear.change();
    expect([eleven, uploads].map((follows) => concerned(follows, uploaded))).toEqual([false, true]);
    await (await school.as('admin')).done('ChangeSet', { subjectId: maths, setId: setA, name: 'Eleven A' });
    const renamed = await ear.change();
    expect([eleven, cell, uploads].map((follows) => concerned(follows, renamed))).toEqual([true, true, true]);
    await (await school.as('admin')).done('ChangeSet', { subjectId: maths, setId: setA, name: '11A' });
    await ear.change();
    ear.leave();
  });
});

describe('who asked before they listen is told', () => {
  const read = async (client: Client): Promise<bigint> => {
    const { headers } = await client.query('structure', { subjectId: school.ids.maths });
    return BigInt(headers.get('X-Read-Position') ?? -1);
  };
  /** What may be old of an answer that was read there. */
  const missed = async (client: Client, position: bigint): Promise<string[]> => {
    const ear = await listen(client);
    ear.leave();
    expect(BigInt(ear.hello.since)).toBeLessThanOrEqual(position);
    return Object.entries(ear.hello.topics).flatMap(([topic, at]) => (BigInt(at) > position ? [topic] : []));
  };

  test('what was changed in between, and nothing if nothing was', async () => {
    const leader = await school.as('leader');
    await settled();
    const before = await read(leader);
    expect(await missed(leader, before)).toEqual([]);
    await type(school);
    await settled();
    expect(await missed(leader, before)).toEqual(anyOf(school));
    expect(await missed(leader, await read(leader))).toEqual([]);
  });

  test('nothing of a subject or a school that is not theirs', async () => {
    const scienceLeader = await school.as('scienceLeader');
    await settled();
    const before = await school.backend.store.head();
    await type(school);
    await type(neighbour);
    await settled();
    expect(await missed(scienceLeader, before)).toEqual([]);
    expect(await missed(await neighbour.as('admin'), before)).toEqual(anyOf(neighbour));
    expect(await missed(await school.as('student'), before)).toEqual([]);
  });

  test('that all of it may be old, where it was read before this process began', async () => {
    const other = await school.another();
    await settled();
    const ear = await listen(await school.signIn('leader', other));
    ear.leave();
    expect(BigInt(ear.hello.since)).toBeGreaterThan(0n);
    await other.close();
  });
});

describe('without a server', () => {
  const actorOf = (schoolId: string) =>
    ({ accountId: randomUUID(), schoolId, role: 'admin', name: '', email: '', subjectIds: [], setIds: [], studentId: null }) as const;
  const opened = (readAs: ReadAs) => {
    let hear: (committed: Committed) => void = () => undefined;
    const stopping = new AbortController();
    const positions = () => new Map();
    const live = new Live({
      onCommitted: (listener) => {
        hear = listener;
        return () => undefined;
      },
      positions,
      readAs,
      queries: nothingAsked,
      stopping: stopping.signal,
    });
    const lineOf = (schoolId: string): Promise<string> =>
      live
        .stream({ actor: actorOf(schoolId), again: () => Promise.resolve(actorOf(schoolId)), disconnected: new AbortController().signal })
        .text();
    return { lineOf, hear: (committed: Committed) => hear(committed), stop: () => stopping.abort() };
  };

  test('a look-up that takes long delays no other school', async () => {
    const [slow, quick, subject, command] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const asked = Promise.withResolvers<void>();
    const { lineOf, hear, stop } = opened((schoolId) => {
      if (schoolId === slow) return new Promise(() => undefined);
      asked.resolve();
      return Promise.reject(new Error('not known'));
    });
    const [, heard] = [lineOf(slow), lineOf(quick)];
    for (const schoolId of [slow, quick])
      hear({ positions: new Map([['results', 7n]]), changes: [{ schoolId, channels: [`marks:${subject}`, `save:${command}`] }] });
    await asked.promise;
    await new Promise((resolve) => setImmediate(resolve));
    stop();
    expect(await heard).toContain(`{"position":"7","topics":["marks:${subject}","marks:${subject}/*"]}`);
  });

  test('a change is told with the position of the read model that came furthest: that is where it shows', async () => {
    const schoolId = randomUUID();
    const { lineOf, hear, stop } = opened(() => Promise.reject(new Error('nothing is looked up')));
    const heard = lineOf(schoolId);
    hear({
      positions: new Map([
        ['structure', 5n],
        ['roster', 9n],
      ]),
      changes: [{ schoolId, channels: ['roster'] }],
    });
    // Who listens is looked up first.
    await new Promise((resolve) => setImmediate(resolve));
    stop();
    expect(await heard).toContain('{"position":"9","topics":["roster"]}');
  });
});

test('who asks for its head only opens no line: nobody would end it', async () => {
  const client = await school.as('admin');
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  for (let asked = 0; asked < 50; asked++) expect((await client.send('/api/live', { method: 'HEAD' })).status).toBe(200);
  expect(timers() - before).toBeLessThan(25);
});

describe('the line ends', () => {
  test('with the session', async () => {
    const client = await school.signIn('teacherB');
    const ear = await listen(client);
    await client.signOut();
    expect(await ear.next()).toBeUndefined();
  });

  test('before it begins, where one account has a hundred of them', async () => {
    const client = await school.signIn('teacherB');
    const ears = await Promise.all(Array.from({ length: 100 }, () => listen(client)));
    const refused = await client.send('/api/live');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    ears[0]?.leave();
    (await listen(client)).leave();
    for (const ear of ears) ear.leave();
  });

  test('before it begins, where all accounts together have as many as the server keeps connections for', async () => {
    const few = await openProduct(school.databaseUrl, { mostConnections: 2 });
    const [teacher, leader] = [await school.signIn('teacherA', few), await school.signIn('leader', few)];
    const ears = [await listen(teacher), await listen(leader)];
    const refused = await leader.send('/api/live');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60']);
    expect((await leader.query('me')).status).toBe(200);
    expect(await (await leader.send('/api/metrics')).text()).toContain('marktrail_refused_by_limit_total{limit="live lines"} ');
    ears[0]?.leave();
    (await listen(leader)).leave();
    ears[1]?.leave();
    await few.close();
  });

  test('with the account, and with a change of its role', async () => {
    const admin = await school.as('admin');
    for (const end of ['CloseStaffAccount', 'ChangeStaffAccount'] as const) {
      const email = `${randomUUID()}@live.example`;
      const { accountId } = await admin.done('OpenStaffAccount', { name: 'Gone soon', email, password: PASSWORD, role: 'leader' });
      const client = new Client(school);
      await client.signIn(email, PASSWORD);
      await settled();
      const ear = await listen(client);
      await admin.done(end, end === 'ChangeStaffAccount' ? { accountId, role: 'teacher' } : { accountId });
      let last = await ear.next();
      // The change itself may be heard before the line ends.
      while (last) last = await ear.next();
      expect((await client.send('/api/live')).status).toBe(401);
    }
  });

  test('with the product', async () => {
    const other = await openProduct(school.databaseUrl);
    const ear = await listen(await school.signIn('leader', other));
    await other.close();
    expect(await ear.next()).toBeUndefined();
  });
});
