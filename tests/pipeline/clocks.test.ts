import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFailed, test, vi } from 'vitest';
import { systemActor } from '../../api/actor.ts';
import { root } from '../../run/apps.ts';
import { freePort } from '../../run/postgres/programs.ts';
import { moment } from '../support/as-of.ts';
import { Client } from '../support/client.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { startMarktrail, temporaryDataDir } from '../support/marktrail.ts';
import { MASTER_KEY, ORIGIN, SIGNING_KEY } from '../support/product.ts';
import { openSchool, PASSWORD, type School } from '../support/school.ts';

/**
 * Two processes whose clocks differ: one is right, the other three years ahead. In the log stands what each clock said, so only the order of
 * the log can say what came first.
 */
const YEARS = 3;
const AHEAD_MS = YEARS * 365 * 24 * 3_600_000;

let atEnd: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of atEnd.toReversed()) await close();
  atEnd = [];
});

/** The same person at a process that is ahead. */
const signedInAhead = async (school: School, log: { EVENTSTORE_URL?: string }): Promise<Client> => {
  const dataDir = temporaryDataDir();
  const port = await freePort(0);
  const ahead = startMarktrail(
    {
      ...log,
      ROLE: 'api',
      PORT: String(port),
      DEMO: 'no',
      DATABASE_URL: school.databaseUrl,
      DATA_DIR: dataDir.path,
      MASTER_KEY,
      SIGNING_KEY,
      PUBLIC_URL: ORIGIN,
      NODE_OPTIONS: `--import=${join(root, 'tests/support/clock-ahead.mjs')}`,
      CLOCK_AHEAD_MS: String(AHEAD_MS),
    },
    ['--without-apps'],
  );
  onTestFailed(() => console.error(ahead.output()));
  atEnd.push(async () => {
    ahead.process.kill('SIGTERM');
    await ahead.ended;
    dataDir.remove();
  });
  await ahead.ready;
  const address = `http://127.0.0.1:${port}`;
  const client = new Client({
    ...school,
    fetch: (request) => fetch(new Request(request.url.replace(ORIGIN, address), request)),
  });
  await client.signIn(school.email('admin'), PASSWORD);
  return client;
};

describe.each(['PostgreSQL', 'EventStoreDB'])('with the log in %s and a process that is three years ahead', (kind) => {
  const opened = async () => {
    const log = kind === 'PostgreSQL' ? undefined : await startEventStore();
    if (log) atEnd.push(() => log.stop());
    const school = await openSchool(log ? { eventStoreUrl: log.url } : {});
    atEnd.push(() => school.close());
    const admin = await school.as('admin');
    return { school, admin, ahead: await signedInAhead(school, log ? { EVENTSTORE_URL: log.url } : {}) };
  };
  const renamed = async (who: Client, name: string): Promise<string> => {
    const { body, status } = await who.command('RenameSchool', { name });
    expect(status).toBe(200);
    return body.position ?? '';
  };

  test('what came later in the log is later: uploads, the history, and every moment that is asked for', async () => {
    const { school, admin, ahead } = await opened();
    const uploaded = async (who: Client, total: number): Promise<string> => {
      const key = randomUUID();
      const fileName = `${total}.csv`;
      const { setA, mock } = school.ids;
      await who.done(
        'UploadTotals',
        {
          subjectId: school.ids.maths,
          fileName,
          classes: [{ setId: setA, testIds: [mock] }],
          rows: [{ admissionNo: '00A2', name: 'A2, Student', totals: [total] }],
        },
        key,
      );
      return fileName;
    };
    const files = [await uploaded(admin, 1), await uploaded(ahead, 2), await uploaded(admin, 3), await uploaded(ahead, 4)];
    const list = await admin.query('uploads', { subjectId: school.ids.maths });
    const { uploads } = list.body as unknown as { uploads: { fileName: string; at: string; commandId: string }[] };
    expect(uploads.map(({ fileName }) => fileName)).toEqual(files.toReversed());
    expect(uploads.map(({ at }) => Date.parse(at) > Date.now() + AHEAD_MS / 2)).toEqual([true, false, true, false]);
    const older = await admin.query('uploads', { subjectId: school.ids.maths, before: uploads[1]?.commandId });
    expect((older.body as unknown as { uploads: { fileName: string }[] }).uploads.map(({ fileName }) => fileName)).toEqual([
      '2.csv',
      '1.csv',
    ]);

    await renamed(admin, 'One');
    const afterOne = await moment();
    await renamed(ahead, 'Two');
    await renamed(admin, 'Three');
    const afterThree = await moment();
    const names = async (input: object, asOf?: string) => {
      const { body } = await admin.query('history', { type: 'SchoolRenamed', ...input }, asOf === undefined ? {} : { asOf });
      return (body as unknown as { events: unknown[] }).events.length;
    };
    // The event of 2029 came before the third and is no later than that; it hides nothing, and is not there before.
    expect([await names({}, afterOne), await names({}, afterThree)]).toEqual([1, 3]);
    expect([await names({ to: afterOne }), await names({ to: afterThree }), await names({ from: afterOne })]).toEqual([1, 3, 2]);
  });

  test('health names the clock that is off, at the process that has it and at the others', async () => {
    const { admin, ahead } = await opened();
    await renamed(ahead, 'Two');
    const problems = async (who: Client) => ((await (await who.send('/api/health')).json()) as { problems: string[] }).problems.join('\n');
    expect(await problems(ahead)).toMatch(/The clock of this server is \d+ days ahead of the database's: set it\./);
    expect(await problems(admin)).toMatch(/The newest event in the log is dated \d+ days ahead of this server's clock/);
    await renamed(admin, 'Three');
    expect(await problems(admin)).not.toContain('dated');
  });
});

/** When the school's events happened, in the order of the log. */
const timesOf = async (school: School): Promise<string[]> => {
  const times: string[] = [];
  for await (const { metadata } of school.backend.eventsOf(school.schoolId)) times.push(metadata.at);
  return times;
};

test("the product's own code can say when something happened", async () => {
  const school = await openSchool();
  atEnd.push(() => school.close());
  const last = '2024-09-02T09:00:00.000Z';
  const actor = { ...systemActor(school.schoolId), name: 'Ada', email: '', accountId: school.accounts.admin, role: 'admin' as const };
  await school.backend.bus.execute('RenameSchool', { actor, body: { name: 'Long ago' }, at: new Date(last) });
  expect((await timesOf(school)).at(-1)).toBe(last);
});

test('no request says when something happened: not its body, nor its headers, nor its address', async () => {
  const school = await openSchool();
  atEnd.push(() => school.close());
  const admin = await school.as('admin');
  const past = '2024-09-02T09:00:00.000Z';
  const headers = Object.fromEntries(
    ['At', 'X-At', 'Date', 'X-Date', 'X-Timestamp', 'X-Clock', 'X-As-Of', 'X-Marktrail-At', 'X-Request-Start', 'Last-Modified'].map(
      (name) => [name, past],
    ),
  );
  const began = new Date().toISOString();
  const before = await timesOf(school);
  const sent = async (path: string, body: object, more: object) => {
    const answer = await admin.post(`${path}?at=${past}&now=${past}`, JSON.stringify({ ...body, ...more }), headers);
    await answer.text();
    return answer.status;
  };
  const names = ['at', 'now', 'clock', 'time', 'own', 'actor', 'metadata'];
  const claims = Object.fromEntries(names.map((name) => [name, past]));
  const { maths, mock, students } = school.ids;
  const cells = [{ studentId: students['A1'], testId: mock, is: 3 }];
  const bodies = {
    RenameSchool: { name: 'Anew' },
    AddSubject: { name: 'History' },
    EnterMarks: { entryId: randomUUID(), subjectId: maths, seq: 1, cells },
    OpenStaffAccount: { name: 'New', email: 'new@clock.example', password: PASSWORD, role: 'auditor' },
  };
  for (const [name, body] of Object.entries(bodies)) {
    // What is said beside the request changes nothing; what is said in it is refused.
    for (const claim of names) expect(await sent(`/api/commands/${name}`, body, { [claim]: past })).toBe(422);
    expect(await sent(`/api/commands/${name}`, body, {})).toBe(200);
  }
  await sent('/api/rest/subjects', { name: 'Geography' }, claims);
  const after = (await timesOf(school)).slice(before.length);
  expect(after.length).toBeGreaterThanOrEqual(Object.keys(bodies).length);
  for (const at of after) expect(at >= began).toBe(true);
});

test('within a stream time never goes backwards, unless the last event is more than a minute ahead', async () => {
  const school = await openSchool();
  atEnd.push(() => school.close());
  const admin = await school.as('admin');
  const renamedAt = async (ahead: number): Promise<number> => {
    vi.useFakeTimers({ toFake: ['Date'], now: began + ahead });
    await admin.done('RenameSchool', { name: `At ${ahead}` });
    vi.useRealTimers();
    let at = '';
    for await (const { metadata } of school.backend.store.read(`school-${school.schoolId}`))
      ({ at } = JSON.parse(metadata) as { at: string });
    return Date.parse(at) - began;
  };
  const began = Date.now();
  expect([await renamedAt(1_000), await renamedAt(50_000), await renamedAt(2_000), await renamedAt(51_000)]).toEqual([
    1_000, 50_000, 50_000, 51_000,
  ]);
  expect([await renamedAt(200_000), await renamedAt(60_000), await renamedAt(61_000)]).toEqual([200_000, 60_000, 61_000]);
});
