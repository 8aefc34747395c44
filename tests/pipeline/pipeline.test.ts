import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionQuery } from '../../api/auth/log-in/session-actors.ts';
import { Appender } from '../../api/pipeline/appending.ts';
import { isRevisionConflict } from '../../api/pipeline/as-problem.ts';
import { commandAccess } from '../../api/access.ts';
import { commands } from '../../api/commands.ts';
import { Pipeline } from '../../api/pipeline/pipeline.ts';
import { partOf } from '../../events/codec/parts.ts';
import { memoryStore } from '../support/memory-store.ts';
import { OutcomeUnknown } from '../../events/store/port.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import type { Actor } from '../../api/actor.ts';
import { Client } from '../support/client.ts';
import { openCodec, wholeLog } from '../support/log.ts';
import { failure } from '../store/seen.ts';
import { openProduct } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');

const head = () => school.backend.store.head();
const eventsIn = async (stream: string): Promise<string[]> => {
  const types = [];
  for await (const { type } of school.backend.store.read(stream)) types.push(type);
  return types;
};
const structure = (): Promise<Structure> => admin.ask('structure', { subjectId: school.ids.maths });

describe('a command that is sent again', () => {
  test('gets the same answer, and nothing is written a second time', async () => {
    const key = randomUUID();
    const body = { subjectId: school.ids.maths, name: 'Once' };
    const first = await admin.command('CreateAssessment', body, { key });
    const after = await head();
    const second = await admin.command('CreateAssessment', body, { key });
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await head()).toBe(after);
  });

  test('at the same moment, to two processes, ten times over: one event, ten equal answers', async () => {
    const process = await school.another();
    const other = await school.signIn('admin', process);
    const key = randomUUID();
    const body = { subjectId: school.ids.maths, name: 'A crowd' };
    const before = await head();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? admin : other).command('AddTeacher', body, { key })),
    );
    expect(new Set(answers.map(({ body: answer }) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await head()).toBe(before + 1n);
    await process.close();
  });

  test('after a restart, by a process that never saw it', async () => {
    const key = randomUUID();
    const body = { subjectId: school.ids.maths, name: 'Before the restart' };
    const first = await admin.command('AddTeacher', body, { key });
    const after = await head();
    const restarted = await openProduct(school.databaseUrl);
    const again = await new Client(restarted, admin.cookie).command('AddTeacher', body, { key });
    await restarted.close();
    expect(again.body).toEqual(first.body);
    expect(await head()).toBe(after);
  });

  test('makes one account, however many ask for it at once', async () => {
    const process = await school.another();
    const other = await school.signIn('admin', process);
    const key = randomUUID();
    const body = { name: 'Impatient', email: 'impatient@school.example', password: PASSWORD, role: 'auditor' };
    const answers = await Promise.all([admin, other, admin].map((client) => client.command('OpenStaffAccount', body, { key })));
    expect(answers.map(({ status, body: answer }) => [status, answer.result])).toEqual(answers.map(() => [200, answers[0]?.body.result]));
    const newcomer = new Client(school);
    await newcomer.signIn(body.email, PASSWORD);
    expect(await newcomer.ask('me')).toMatchObject({ role: 'auditor', name: 'Impatient' });
    await process.close();
  });

  test('is known by the number of the save too: a grid that lost its answer asks under another key', async () => {
    const process = await school.another();
    const [here, there] = [await school.as('teacherA'), await school.signIn('teacherA', process)];
    const { maths: subjectId, mock: testId, students } = school.ids;
    const save = {
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      cells: [
        { studentId: students['A1'], testId, is: 4 },
        { studentId: students['A2'], testId, is: 99 },
      ],
    };
    const before = await head();
    const answers = await Promise.all([here, there, here, there].map((client) => client.command('EnterMarks', save)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await head()).toBe(before + 1n);
    await process.close();
  });

  test('gets its first answer also when the same would be refused by now', async () => {
    const key = randomUUID();
    const body = { subjectId: school.ids.maths, name: 'Unique name' };
    const first = await admin.command('CreateAssessment', body, { key });
    expect((await admin.command('CreateAssessment', body)).status).toBe(422);
    expect((await admin.command('CreateAssessment', body, { key })).body).toEqual(first.body);
  });

  test('to a log that does not tell repeats, with its ids there already, is held against what stands there', async () => {
    const opened = openCodec(school.databaseUrl);
    const example = (await wholeLog(school.backend.store, opened)).find((event) => event.type === 'AssessmentCreated')!;
    const log = memoryStore();
    let lost = 0;
    const mute: Pick<EventStore, 'append' | 'read' | 'tellsRepeats'> = {
      tellsRepeats: false,
      read: log.read,
      append: async (...args) => {
        const { revision, position } = await log.append(...args);
        if (lost-- > 0) throw new OutcomeUnknown('the answer got lost');
        return { revision, position };
      },
    };
    const { schoolId, schemaVersion: _, ...metadata } = example.metadata;
    const append = (at: string) =>
      new Appender(mute, opened.codec, 5_000).append(
        { state: undefined, revision: undefined, commands: new Map(), attempts: new Map() },
        { stream: example.stream, schoolId, decided: [example], metadata: { ...metadata, at } },
      );

    lost = 2;
    expect(await append('2026-11-02T10:00:00.000Z')).toMatchObject({ inOne: true });
    expect(isRevisionConflict(await failure(append('2026-11-02T10:00:00.001Z')))).toBe(true);
    await opened.close();
  });

  test('in another spelling of key and ids is still the same', async () => {
    const key = randomUUID();
    const body = { subjectId: school.ids.maths, name: 'Spelling' };
    const first = await admin.command('AddTeacher', body, { key });
    const second = await admin.command(
      'AddTeacher',
      { name: ' Spelling ', subjectId: school.ids.maths.toUpperCase() },
      { key: key.toUpperCase() },
    );
    expect(second.body).toEqual(first.body);
  });
});

describe('a key that was used already', () => {
  const refusedAs = async (name: Parameters<Client['command']>[0], body: unknown, key: string, who = admin) => {
    const before = await head();
    const answer = await who.command(name, body, { key });
    expect(await head()).toBe(before);
    return `${answer.status} ${answer.body.code}`;
  };

  test('is refused for another body, for another command, and for another stream', async () => {
    const key = randomUUID();
    await admin.done('AddTeacher', { subjectId: school.ids.maths, name: 'First use' }, key);
    expect(await refusedAs('AddTeacher', { subjectId: school.ids.maths, name: 'Second use' }, key)).toBe('422 key-reused');
    expect(await refusedAs('RenameSubject', { subjectId: school.ids.maths, name: 'Numbers' }, key)).toBe('422 key-reused');
    expect(await refusedAs('AddTeacher', { subjectId: school.ids.science, name: 'First use' }, key)).toBe('422 key-reused');
    expect(await refusedAs('CreateAssessment', { subjectId: school.ids.maths, name: 'First use' }, key)).toBe('422 key-reused');
  });

  test('for an account leaves that account as it is', async () => {
    const key = randomUUID();
    const body = { name: 'Nina', email: 'nina@keys.example', password: PASSWORD, role: 'teacher' };
    await admin.done('OpenStaffAccount', body, key);
    expect(await refusedAs('OpenStaffAccount', { ...body, role: 'admin' }, key)).toBe('422 key-reused');
    const nina = new Client(school);
    await nina.signIn(body.email, PASSWORD);
    expect(await nina.ask('me')).toMatchObject({ role: 'teacher' });
  });

  test('by somebody else is another key', async () => {
    const second = { name: 'Second admin', email: 'second@keys.example', password: PASSWORD, role: 'admin' };
    await admin.done('OpenStaffAccount', second);
    const colleague = new Client(school);
    await colleague.signIn(second.email, PASSWORD);
    const key = randomUUID();
    const mine = await admin.done('AddTeacher', { subjectId: school.ids.maths, name: 'Mine' }, key);
    const theirs = await colleague.done('AddTeacher', { subjectId: school.ids.maths, name: 'Theirs' }, key);
    expect(theirs['teacherId']).not.toBe(mine['teacherId']);
  });

  test('must be a uuid', async () => {
    expect(await refusedAs('RenameSchool', { name: 'No' }, 'key 1')).toBe('422 invalid-input');
  });
});

test('a command that changes nothing writes nothing', async () => {
  const before = await head();
  const { body } = await admin.command('RenameSubject', { subjectId: school.ids.science, name: 'Science' });
  expect(body).toEqual({ position: null, revision: null, result: {} });
  expect(await head()).toBe(before);
});

test('two processes that write to one stream at once both get through, each change once', async () => {
  const process = await school.another();
  const other = await school.signIn('admin', process);
  const subjectId = school.ids.maths;
  const names = Array.from({ length: 24 }, (_, index) => `Set ${index}`);
  const answers = await Promise.all(
    names.map((name, index) =>
      (index % 2 ? admin : other).command('AddSet', { subjectId, yearGroupId: school.ids.year, name, schemeId: school.ids.scheme }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  await process.close();
  const { yearGroups } = await structure();
  const made = yearGroups[0]?.sets.filter(({ name }) => names.includes(name)) ?? [];
  expect(new Set(made.map(({ name }) => name)).size).toBe(24);
  expect(made).toHaveLength(24);
});

describe('a process that remembers a stream which another one wrote to since', () => {
  const subjectId = (): string => school.ids.maths;
  let elsewhere: Awaited<ReturnType<typeof school.another>>;
  let other: Client;

  beforeAll(async () => {
    elsewhere = await school.another();
    other = await school.signIn('admin', elsewhere);
  });
  afterAll(() => elsewhere.close());

  test('refuses nothing on what it remembers: a name that is free again is given', async () => {
    const { teacherId } = await admin.done('AddTeacher', { subjectId: subjectId(), name: 'Leaves soon' });
    await other.done('RemoveTeacher', { subjectId: subjectId(), teacherId });
    expect((await admin.command('AddTeacher', { subjectId: subjectId(), name: 'Leaves soon' })).status).toBe(200);
  });

  test('knows a key that the other was given, and refuses another request under it', async () => {
    await admin.done('AddTeacher', { subjectId: subjectId(), name: 'Warms the memory' });
    const key = randomUUID();
    const body = { subjectId: subjectId(), name: 'Came elsewhere' };
    const first = await other.command('AddTeacher', body, { key });
    const changed = await admin.command('AddTeacher', { ...body, name: 'Another name' }, { key });
    const again = await admin.command('AddTeacher', body, { key });
    expect(changed.body).toMatchObject({ code: 'key-reused' });
    expect(again.body).toEqual(first.body);
  });
});

describe('a command of more than 1 MiB', () => {
  /** Long names of letters that take three bytes each. */
  const rows = Array.from({ length: 2_600 }, (_, index) => ({
    admissionNo: `L${index}`,
    name: `${index}`.padEnd(50, 'ệ'),
    set: '11C',
    dateOfBirth: null,
  }));

  test('goes out in parts, and comes back whole', async () => {
    const { maths, mock } = school.ids;
    const imported = await admin.command('ImportStudents', { subjectId: maths, fileName: 'large.csv', rows }, { key: randomUUID() });
    expect(imported.body.result).toMatchObject({ added: 2_600 });
    expect(await eventsIn(`roster-${school.schoolId}`)).toContain('Part');
    await school.backend.progress.waitFor(['roster'], await head(), 30_000);

    const upload = {
      subjectId: maths,
      testId: mock,
      setIds: [school.ids.setC],
      fileName: 'marks.csv',
      rows: rows.map(({ admissionNo, name }, index) => ({ admissionNo, name, marks: [index % 6, index % 11, index % 5] })),
    };
    const stored = await admin.done<{ stored: number; unmatched: unknown[] }>('UploadMarks', upload);
    expect(stored).toMatchObject({ stored: 7_800, unmatched: [] });

    const preview = await admin.ask<{ counts: unknown; students: { name: string }[] }>('preview-marks', {
      subjectId: maths,
      testId: mock,
      setIds: upload.setIds,
      rows: upload.rows,
    });
    expect(preview.counts).toEqual({ equal: 7_800, new: 0, replaced: 0, contested: 0 });
    expect(preview.students[2_599]?.name).toBe(rows[2_599]?.name);
  });

  test('is voided by a foreign event between its parts, and the next attempt succeeds', async () => {
    const opened = openCodec(school.databaseUrl);
    const { store, readAs, progress } = school.backend;
    const intruder = (): Promise<unknown> =>
      admin.done('AddStudent', {
        subjectId: school.ids.maths,
        setId: school.ids.setC,
        admissionNo: 'intruder',
        name: 'In Between',
        dateOfBirth: null,
      });
    let appends = 0;
    /** The same store, but after the first part somebody else is quicker. */
    const overtaken: EventStore = {
      tellsRepeats: store.tellsRepeats,
      append: async (...args) => {
        const result = await store.append(...args);
        appends += 1;
        if (appends === 1) await intruder();
        return result;
      },
      read: (...args) => store.read(...args),
      readAll: (...args) => store.readAll(...args),
      eventAt: (...args) => store.eventAt(...args),
      head: () => store.head(),
      subscribe: (...args) => store.subscribe(...args),
      close: () => Promise.resolve(),
    };
    const pipeline = new Pipeline({
      commands,
      access: commandAccess,
      locks: { hold: (_, work) => work() },
      store: overtaken,
      codec: opened.codec,
      keys: opened.keys,
      readAs,
      waitFor: (...args) => progress.waitFor(...args),
      positions: () => progress.positions(),
      isAbout: () => true,
      askAs: (...args) => school.backend.askAs(...args),
      sessions: sessionQuery,
    });
    const actor: Actor = {
      accountId: school.accounts.admin,
      schoolId: school.schoolId,
      role: 'admin',
      name: '',
      email: '',
      subjectIds: [],
      setIds: [],
      studentId: null,
    };
    const more = rows.map((row) => ({ ...row, admissionNo: `M${row.admissionNo}` }));
    const answer = await pipeline.execute('ImportStudents', {
      actor,
      key: randomUUID(),
      body: { subjectId: school.ids.maths, fileName: 'more.csv', rows: more },
    });
    await opened.close();
    await progress.waitFor(['roster'], await head(), 30_000);

    expect(answer.result).toMatchObject({ added: 2_600 });
    const attempts = new Set<number>();
    for await (const event of store.read(`roster-${school.schoolId}`)) attempts.add(partOf(event)?.attempt ?? 0);
    expect([...attempts].sort()).toEqual([0, 1, 2]);
    const classes = await admin.ask<{ unmatched: unknown[] }>('upload-classes', {
      subjectId: school.ids.maths,
      students: [...more.slice(0, 3), { admissionNo: 'intruder' }].map(({ admissionNo }) => ({ admissionNo, name: '' })),
    });
    expect(classes.unmatched).toEqual([]);
  });
});

describe('X-Min-Position', () => {
  test('shows what the command did that answered it', async () => {
    const { body } = await admin.command('RenameSchool', { name: 'Renamed School' });
    const me = await admin.query('me', {}, { minPosition: body.position ?? '' });
    expect(me.body).toMatchObject({ school: { name: 'Renamed School' } });
  });

  test('beyond the head of the log ends with read-model-behind, and when to ask again', async () => {
    const answer = await admin.query('me', {}, { minPosition: '9999999999999999999' });
    expect([answer.status, answer.body.code, answer.headers.get('Retry-After')]).toEqual([503, 'read-model-behind', '1']);
  });

  test('must be a position', async () => {
    for (const minPosition of ['-1', 'abc', '1.5', '99999999999999999999']) {
      expect((await admin.query('me', {}, { minPosition })).status).toBe(422);
    }
  });
});

test('a poison event stops its own read model only, and shows in /api/health', async () => {
  const { store, progress } = school.backend;
  const { maths, setA, mock, other, students } = school.ids;
  const stream = `assessment-${school.schoolId}.${other}`;
  // A number that no column of this read model can hold; others do not keep it.
  const paper = { questions: [{ questionId: randomUUID(), number: 3_000_000_000, topic: 'Poison', marksAvailable: 5 }] };
  for await (const last of store.read(stream)) {
    if (last.type !== 'QuestionsUploaded') continue;
    await store.append(
      stream,
      [
        {
          id: randomUUID(),
          type: last.type,
          data: JSON.stringify(paper),
          metadata: last.metadata.replace(/"commandId":"[^"]*"/, `"commandId":"${randomUUID()}"`),
        },
      ],
      last.revision,
    );
    break;
  }
  const health = async () => {
    const answer = await admin.send('/api/health');
    expect(answer.status).toBe(200); // it answers people: no load balancer shall pass it by
    return (await answer.json()) as { status: string; problems: string[]; projections: { name: string; state: string }[] };
  };
  await expect.poll(async () => (await health()).status).toBe('degraded');
  const { problems, projections } = await health();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(
    /^The read model assessments has stopped at an event of 20\S+ \d\d:\d\d UTC, .* npm run marktrail -- projections status$/,
  );
  // What the error was may be about people, servers or other schools, and everybody can ask.
  expect(await (await admin.send('/api/health')).text()).not.toMatch(/cannot apply|3000000000|QuestionsUploaded|integer/);
  expect(projections.filter(({ state }) => state !== 'running').map(({ name }) => name)).toEqual(['assessments']);

  await admin.done('AddStudent', { subjectId: maths, setId: setA, admissionNo: 'healthy', name: 'Still Here', dateOfBirth: null });
  await progress.waitFor(['roster', 'structure', 'results', 'accounts'], await head(), 30_000);
  const teacher = await school.as('teacherA');
  const typed = { entryId: randomUUID(), subjectId: maths, seq: 1, cells: [{ studentId: students['A1'], testId: mock, is: 7 }] };
  expect(await teacher.done('EnterMarks', typed)).toMatchObject({ stored: 1 });

  const upload = {
    subjectId: maths,
    classes: [{ setId: setA, testIds: [mock] }],
    rows: [{ admissionNo: '00A1', name: '', totals: [9] }],
    fileName: 'x.csv',
  };
  const before = await head();
  const refused = await teacher.command('UploadTotals', upload);
  expect([refused.status, refused.body.code]).toEqual([503, 'read-model-behind']);
  expect(await head()).toBe(before);
});
