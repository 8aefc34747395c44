import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { commandAccess } from '../../api/access.ts';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import type { CommandName } from '../../api/commands.ts';
import { Client } from '../support/client.ts';
import { heldBody } from '../support/held-body.ts';
import { commandSamples, spareParts } from '../support/samples.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { until } from '../support/until.ts';

/** Rights count at the moment of the deed, not when its request began: a body can take minutes, and so can a queue. */
const { school, admin } = await schoolOfFile('admin');

const head = () => school.backend.store.head();

const hired = async (role: string, teachers: object[] = []) => {
  const email = `${randomUUID()}@hired.example`;
  const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Hired', email, password: PASSWORD, role, teachers });
  const client = new Client(school);
  await client.signIn(email, PASSWORD);
  return { accountId, client, email };
};

describe('whoever loses their rights while their body is still coming', () => {
  const { ids } = school;
  const account = () => ({ name: 'Back door', email: `${randomUUID()}@door.example`, password: PASSWORD, role: 'admin' });
  const save = () => ({
    subjectId: ids.maths,
    entryId: randomUUID(),
    seq: 1,
    cells: [{ studentId: ids.students['A1'], testId: ids.mock, questionId: ids.questions[0], is: 3 }],
  });
  const totals = () => ({
    subjectId: ids.maths,
    fileName: 'late.csv',
    classes: [{ setId: ids.setA, testIds: [ids.mock] }],
    rows: [{ admissionNo: '00A1', name: 'A1, Student', totals: [7] }],
  });
  const sent: readonly [string, string, () => unknown, Record<string, string>?][] = [
    ['POST', 'commands/OpenStaffAccount', account],
    ['POST', 'commands/RenameSchool', () => ({ name: 'Mine' })],
    ['POST', 'commands/UploadTotals', totals],
    ['POST', 'commands/EnterMarks', save],
    ['POST', 'commands/EnterMarks', save, { 'X-View-As': 'teacher' }],
    ['POST', 'rest/subjects', () => ({ name: 'Botany' })],
    ['PUT', `rest/subjects/${ids.science}`, () => ({ name: 'Botany' })],
    ['POST', 'queries/export-students', () => ({ yearGroupId: ids.year })],
    ['POST', 'door/sessions/end', () => ({ accountId: school.accounts.leader, sessionId: randomUUID() })],
    ['POST', 'door/profile/unlock', () => ({ password: PASSWORD })],
    ['POST', 'identity/two-factor/enable', () => ({ password: PASSWORD })],
  ];

  test.each(sent)('%s %s does nothing', async (method, path, body, headers = {}) => {
    const { accountId, client } = await hired('admin');
    const held = heldBody(body());
    const answer = client.send(`/api/${path}`, {
      method,
      body: held.stream,
      headers: { 'Content-Type': 'application/json', ...headers },
      duplex: 'half',
    });
    await held.wanted;
    await admin.done('CloseStaffAccount', { accountId });
    const before = await head();
    held.comes();
    expect((await answer).status).toBe(401);
    expect(await head()).toBe(before);
  });

  test('nothing is read of a body that its sender may not send', async () => {
    const student = await school.as('student');
    for (const [path, may] of [
      ['commands/EnterMarks', false],
      ['commands/ImportStudents', false],
      ['queries/preview-totals', false],
      ['rest/subjects', false],
      ['queries/me', true],
    ] as const) {
      const held = heldBody({});
      let isRead = false;
      const reading = held.wanted.then(() => (isRead = true));
      const sending = student.send(`/api/${path}`, { method: 'POST', body: held.stream, duplex: 'half' });
      if (may) {
        await reading;
        held.comes();
      }
      expect([path, (await sending).status, isRead]).toEqual([path, may ? 200 : 403, may]);
    }
  });
});

test('a request of many rows stops where its sender loses their rights, and says what is stored', async () => {
  const { accountId, client } = await hired('admin');
  const { maths: SubjectID } = school.ids;
  const data = Array.from({ length: 400 }, (_, row) => ({ keyval: { SoWId: null }, values: { SoWName: `Late ${row}`, SubjectID } }));
  const names = async (): Promise<string[]> => {
    const rows = (await (await admin.send(`/api/admin/2?${new URLSearchParams({ SubjectID })}`)).json()) as { SoWName: string }[];
    return rows.map(({ SoWName }) => SoWName).filter((name) => name.startsWith('Late'));
  };
  const before = await head();
  const answer = client.post('/api/admin', JSON.stringify({ table: 'SoW', data }));
  await until(async () => (await head()) > before);
  await admin.done('CloseStaffAccount', { accountId });
  const refused = await answer;
  const { code, stored } = (await refused.json()) as { code: string; stored: string[] };
  expect([refused.status, code]).toEqual([401, 'not-authenticated']);
  expect(stored.length).toBeLessThan(data.length);
  await school.backend.progress.waitFor(['structure'], await head(), 30_000);
  expect(await names()).toHaveLength(stored.length);
});

describe('what only admins may do, and who teaches what', () => {
  const actorOf = (accountId: string, role: Actor['role'], subjectIds: readonly string[] = []): Actor => ({
    ...systemActor(school.schoolId),
    accountId,
    role,
    subjectIds,
    configures: true,
  });
  const give = (name: CommandName, actor: Actor, body: unknown): Promise<string> =>
    school.backend.bus.execute(name, { actor, body }).then(
      () => 'done',
      (error: { problem?: { code: string } }) => error.problem?.code ?? String(error),
    );
  const asked = (Object.keys(commandAccess) as CommandName[]).filter((name) => commandAccess[name].standing === 'in the log');

  test('is decided by what the log says of the author, whatever they were when they were looked up', async () => {
    const samples = commandSamples(school, await spareParts(school));
    const [closed, demoted] = await Promise.all([hired('admin'), hired('admin')]);
    await admin.done('CloseStaffAccount', { accountId: closed.accountId });
    await admin.done('ChangeStaffAccount', { accountId: demoted.accountId, role: 'auditor' });
    expect(asked).toEqual(expect.arrayContaining(['OpenStaffAccount', 'ForgetStudent', 'ImportStudents', 'ChangeTeacher']));
    for (const name of asked) {
      for (const accountId of [closed.accountId, demoted.accountId, randomUUID()])
        expect([name, await give(name, actorOf(accountId, 'admin'), samples[name])]).toEqual([name, 'not-authenticated']);
    }
    for (const role of ['student', 'leader'] as const) expect((await (await school.as(role)).query('me')).status).toBe(200);
  });

  test('a leader without a teacher record in the subject changes nobody there', async () => {
    const { maths } = school.ids;
    const { accountId } = await hired('leader');
    await admin.done('OpenStructureToLeaders', { open: true });
    const adding = { subjectId: maths, name: 'Anybody' };
    expect(await give('AddTeacher', actorOf(accountId, 'leader', [maths]), adding)).toBe('not-authenticated');
    expect(await give('AddTeacher', actorOf(school.accounts.leader, 'leader', [maths]), adding)).toBe('done');
  });

  test('an admin who closes another is not undone by that one, who knew nothing of it in another process', async () => {
    const elsewhere = await school.another();
    const { accountId } = await hired('admin');
    const actor = actorOf(accountId, 'admin');
    const opening = (email: string) => ({ name: 'Back door', email, password: PASSWORD, role: 'admin' });
    expect(await give('OpenStaffAccount', actor, opening('first@door.example'))).toBe('done');
    await elsewhere.backend.bus.execute('CloseStaffAccount', { actor: actorOf(school.accounts.admin, 'admin'), body: { accountId } });
    const before = await head();
    expect(await give('OpenStaffAccount', actor, opening('second@door.example'))).toBe('not-authenticated');
    expect(await head()).toBe(before);
    await expect(new Client(school).signIn('second@door.example', PASSWORD)).rejects.toThrow('401');
  });

  test('a repeated request of somebody who was closed since is not answered again: it could be a link to another account', async () => {
    const { accountId, client } = await hired('admin');
    const key = randomUUID();
    const reset = { accountId: school.accounts.student };
    expect(await client.done('ResetStudentAccount', reset, key)).toHaveProperty('link');
    await admin.done('CloseStaffAccount', { accountId });
    await expect(
      school.backend.bus.execute('ResetStudentAccount', { actor: actorOf(accountId, 'admin'), key, body: reset }),
    ).rejects.toMatchObject({ problem: { code: 'not-authenticated' } });
  });

  test('an admin may forget the own account: the act that began as theirs is finished', async () => {
    const { accountId, client } = await hired('admin');
    await client.done('ForgetStaffAccount', { accountId });
    expect((await client.query('me')).status).toBe(401);
    expect((await admin.command('CloseStaffAccount', { accountId })).body).toMatchObject({ position: null });
  });
});
