import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { postgresStore } from '../../events/store/postgres.ts';
import { Client } from '../support/client.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { openSchool, PASSWORD, type School } from '../support/school.ts';
import { Wire } from './wire.ts';

/** The log goes away, its database of read models and identities stays: as with a log of its own, on another machine. */
export let wire: Wire;
export let school: School;
let admin: Client;
let teacher: Client;

openedAnew(async (atEnd) => {
  school = await openSchool({
    store: async (databaseUrl) => {
      wire = await Wire.to(databaseUrl);
      atEnd(() => wire.close());
      return postgresStore({ connectionString: wire.url });
    },
  });
  atEnd(() => school.close());
  atEnd(() => wire.speak());
  [admin, teacher] = await Promise.all([school.as('admin'), school.as('teacherA')]);
});

const typed = (is: number, entryId: string = randomUUID()) => ({
  entryId,
  subjectId: school.ids.maths,
  seq: 1,
  cells: [{ studentId: school.ids.students['A1'], testId: school.ids.mock, is }],
});
export const health = async () =>
  (await (await admin.send('/api/health')).json()) as { status: string; problems: string[]; log: boolean; database: boolean };
export const position = async (): Promise<string> => {
  const answer = await admin.command('RenameSchool', { name: `Test School ${randomUUID()}` });
  return answer.body.position ?? '0';
};
const eventsIn = async (stream: string): Promise<number> => {
  let count = 0;
  for await (const _event of school.backend.store.read(stream)) count += 1;
  return count;
};

/** Commands are told so, reading goes on, and so does everything when it is back. `mark`: another one each time */
export const goesAway = async (how: 'silent' | 'cut', mark: number): Promise<void> => {
  const shown = await position();
  await teacher.ask('me');
  if (how === 'silent') wire.silence();
  else wire.cut();

  // More than there are connections, and several to one stream: nobody waits for those before them.
  const entryId = randomUUID();
  const key = randomUUID();
  const commands = await Promise.all([
    teacher.command('EnterMarks', typed(mark, entryId), { key }),
    ...Array.from({ length: 12 }, (_, n) => admin.command('RenameSchool', { name: `While it is away ${n}` })),
    ...Array.from({ length: 6 }, () => teacher.command('UploadTotals', upload())),
  ]);
  for (const { status, body, headers } of commands) {
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'store-unavailable', '2']);
    expect(body.title).toContain('cannot be reached');
  }
  // How soon, and how much sooner once the outage is known, `npm run bench -- --only outage` says.
  expect((await teacher.command('EnterMarks', typed(mark))).status).toBe(503);

  const told = await health();
  expect(told).toMatchObject({ status: 'degraded', log: false, database: true });
  expect(told.problems.filter((problem) => /log cannot be reached, so nothing can be stored/.test(problem))).toHaveLength(1);
  expect(await (await admin.send('/api/metrics')).text()).toContain('marktrail_reachable{part="log"} 0');
  expect(await (await admin.send('/api/metrics')).text()).toContain('marktrail_reachable{part="database"} 1');

  const another = new Client(school);
  await another.signIn(school.email('leader'), PASSWORD);
  expect((await another.query('markbook', { yearGroupId: school.ids.year }, { minPosition: shown })).status).toBe(200);
  await another.signOut();
  expect((await another.query('me', {}, { minPosition: shown })).status).toBe(401);

  wire.speak();
  await expect.poll(async () => (await health()).status).toBe('ok');
  // The same act again: stored once, whatever had become of it.
  const again = await teacher.command('EnterMarks', typed(mark, entryId), { key });
  expect(again.status).toBe(200);
  expect(again.body.result).toMatchObject({ stored: 1 });
  expect(await eventsIn(`entry-${school.schoolId}.${entryId}`)).toBe(1);
  await expect
    .poll(
      async () => (await teacher.query('markbook', { yearGroupId: school.ids.year }, { minPosition: again.body.position ?? '0' })).status,
    )
    .toBe(200);
};

const upload = () => ({
  subjectId: school.ids.maths,
  fileName: 'totals.csv',
  classes: [{ setId: school.ids.setA, testIds: [school.ids.mock] }],
  rows: [{ admissionNo: '00A2', name: 'A2, Student', totals: [3] }],
});
