import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { StudentsToView } from '../../api/students/students.contract.ts';
import type { TeachersToView } from '../../api/school/sets/sets.contract.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client } from '../support/client.ts';
import type { RoleName } from '../support/school.ts';
import { admissionNo, fullName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school } = await schoolOfFile();
const neighbour = await school.neighbour();

const student = (short: string): string => school.ids.students[short] ?? '';
const me = async (role: RoleName, viewAs: string): Promise<{ status: number; body: Me & { code?: string } }> => {
  const answer = await (await school.as(role)).send('/api/queries/me', { headers: { 'X-View-As': viewAs } });
  return { status: answer.status, body: (await answer.json()) as Me & { code?: string } };
};
const looks = async (): Promise<{ by: string; student: string; viewAs: unknown }[]> => {
  const found = [];
  for await (const { type, data, metadata } of school.backend.store.readAll('start')) {
    if (type !== 'StudentLookedAt') continue;
    const { actor } = JSON.parse(metadata) as { actor: { accountId: string; viewAs: unknown } };
    found.push({ by: actor.accountId, student: (JSON.parse(data) as { studentId: string }).studentId, viewAs: actor.viewAs });
  }
  return found;
};

describe('viewing as a role below', () => {
  test.each([
    ['admin', 'leader teacher student'],
    ['leader', 'teacher student'],
    ['teacherA', 'student'],
    ['auditor', ''],
    ['student', ''],
  ] as const)('%s may look as: %s', async (role, below) => {
    for (const viewAs of ['leader', 'teacher', 'student']) {
      if (viewAs === (role === 'teacherA' ? 'teacher' : role)) continue;
      const may = below.split(' ').includes(viewAs);
      const { status, body } = await me(role, viewAs);
      expect([viewAs, status, may ? body.viewAs : body.code]).toEqual([viewAs, may ? 200 : 403, may ? { role: viewAs } : 'forbidden']);
    }
    expect((await (await school.as(role)).ask<Me>('me')).viewAs).toBeUndefined();
  });

  test('rights are one’s own, and what is written says as whom', async () => {
    const { maths: subjectId, mock: testId } = school.ids;
    const save = { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId: student('A1'), testId, is: 3 }] };
    const headers = { 'X-View-As': 'teacher' };
    const leader = await school.as('leader');
    expect((await leader.command('EnterMarks', save, { headers })).body.result).toMatchObject({ stored: 1 });
    expect((await leader.command('RenameSchool', { name: 'Mine' }, { headers })).status).toBe(403);
    let written: unknown;
    for await (const { type, metadata } of school.backend.store.readAll('start'))
      if (type === 'MarksEntered') written = JSON.parse(metadata);
    expect(written).toMatchObject({ actor: { accountId: school.accounts.leader, role: 'leader', viewAs: { role: 'teacher' } } });
  });

  test.each(['king', 'teacher x', `leader ${randomUUID()}`, 'student not-an-id', '', 'student student'])(
    'nonsense is refused: %s',
    async (viewAs) => {
      expect((await me('admin', viewAs)).status).toBe(422);
    },
  );
});

describe('viewing as a certain teacher', () => {
  const { recordA, recordB, scienceRecord, maths, setA, setB } = school.ids;

  test.each([
    ['admin', [recordA, recordB, scienceRecord], [neighbour.ids.recordA, randomUUID()]],
    ['leader', [recordA, recordB], [scienceRecord, neighbour.ids.recordA, randomUUID()]],
    ['scienceLeader', [scienceRecord], [recordA, recordB]],
    ['teacherA', [], [recordA, recordB]],
    ['auditor', [], [recordA]],
    ['student', [], [recordA]],
  ] as const)('%s may be those of their subjects only', async (role, mine, others) => {
    for (const teacherId of mine) {
      const { status, body } = await me(role, `teacher ${teacherId}`);
      expect([status, body.viewAs]).toMatchObject([200, { role: 'teacher', teacherId }]);
    }
    for (const teacherId of others) {
      // A teacher's own role is no view of somebody else: nothing is said about the teacher.
      if (role === 'teacherA') expect((await me(role, `teacher ${teacherId}`)).body.viewAs).toBeUndefined();
      else expect([teacherId, (await me(role, `teacher ${teacherId}`)).status]).toEqual([teacherId, 403]);
    }
  });

  test('shows whose classes they are; the rights stay one’s own, and what is written says as which teacher', async () => {
    expect((await me('leader', `teacher ${recordA}`)).body.viewAs).toEqual({
      role: 'teacher',
      teacherId: recordA,
      name: 'Teacher A',
      subjects: [{ subjectId: maths, name: 'Mathematics' }],
      setIds: [setA],
    });
    const headers = { 'X-View-As': `teacher ${recordB}` };
    const save = (testId: string, subjectId: string, short: string) => ({
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      cells: [{ studentId: student(short), testId, is: 3 }],
    });
    const leader = await school.as('leader');
    expect((await leader.command('EnterMarks', save(school.ids.mock, maths, 'B1'), { headers })).body.result).toMatchObject({ stored: 1 });
    const science = await leader.command('EnterMarks', save(school.ids.forces, school.ids.science, 'A1'), { headers });
    expect([science.status, science.body.code]).toEqual([403, 'forbidden']);
    let written: unknown;
    for await (const { type, metadata } of school.backend.store.readAll('start'))
      if (type === 'MarksEntered') written = JSON.parse(metadata);
    expect(written).toMatchObject({
      actor: { accountId: school.accounts.leader, role: 'leader', viewAs: { role: 'teacher', id: recordB } },
    });
  });

  test('a record that was removed is nobody any more', async () => {
    const admin = await school.as('admin');
    const { teacherId = '' } = await admin.done('AddTeacher', { subjectId: maths, name: 'Short Stay' });
    await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
    expect((await me('leader', `teacher ${teacherId}`)).status).toBe(200);
    await admin.done('RemoveTeacher', { subjectId: maths, teacherId });
    await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
    expect((await me('leader', `teacher ${teacherId}`)).status).toBe(403);
  });

  test('leaders and admins choose among the teachers of the subject', async () => {
    for (const role of ['admin', 'leader'] as const) {
      const { teachers } = await (await school.as(role)).ask<TeachersToView>('teachers-to-view', { subjectId: maths });
      expect(teachers).toEqual([
        { teacherId: recordA, name: 'Teacher A', sets: [{ setId: setA, name: '11A' }] },
        { teacherId: recordB, name: 'Teacher B', sets: [{ setId: setB, name: '11B' }] },
        { teacherId: school.ids.leaderRecord, name: 'The leader', sets: [] },
      ]);
    }
    const { status } = await (await school.as('scienceLeader')).query('teachers-to-view', { subjectId: maths });
    expect(status).toBe(403);
  });
});

describe('viewing as a student', () => {
  test.each([
    ['admin', 'A1 B1 C1', ''],
    ['leader', 'A1 B1 C1', ''],
    ['scienceLeader', 'A1 A4', 'B1 C1'],
    ['teacherA', 'A1 A4', 'B1 C1'],
    ['teacherB', 'B1', 'A1 C1'],
  ] as const)('%s may be: %s, and not: %s', async (role, mine, others) => {
    for (const short of mine.split(' ')) {
      const { status, body } = await me(role, `student ${student(short)}`);
      expect([short, status, body.viewAs]).toMatchObject([
        short,
        200,
        { role: 'student', studentId: student(short), name: fullName(short) },
      ]);
    }
    for (const short of others.split(' ').filter(Boolean))
      expect([short, (await me(role, `student ${student(short)}`)).status]).toEqual([short, 403]);
  });

  test.each([
    ['admin', 'A1 A2 A3 A4 B1 B2 B3 B4 C1 C2 C3 C4'],
    ['scienceLeader', 'A1 A2 A3 A4'],
    ['teacherB', 'B1 B2 B3 B4'],
  ] as const)('%s chooses among: %s', async (role, mine) => {
    const client = await school.as(role);
    const all = await client.ask<StudentsToView>('students-to-view');
    expect(all.students.map(({ name }) => name)).toEqual(mine.split(' ').map(fullName));
    const { maths: subjectId, setB: setId } = school.ids;
    const places = [{ subjectId, setId, set: '11B', year: 11 }];
    expect((await client.ask<StudentsToView>('students-to-view', { find: 'STUDENT 11b  b2' })).students).toEqual(
      mine.includes('B2') ? [{ studentId: student('B2'), name: fullName('B2'), admissionNo: admissionNo('B2'), places }] : [],
    );
  });

  test('live changes are told of one’s own students only', async () => {
    const headers = { 'X-View-As': `student ${student('A1')}` };
    const teacher = await school.as('teacherB');
    expect((await teacher.send('/api/live', { headers })).status).toBe(403);
  });

  test('nobody is a student of another school', async () => {
    for (const role of ['admin', 'leader', 'teacherA'] as const) {
      expect((await me(role, `student ${neighbour.ids.students['A1']}`)).status).toBe(403);
    }
  });

  test('nothing can be changed, by whatever request', async () => {
    const headers = { 'X-View-As': `student ${student('A1')}` };
    const admin = await school.as('admin');
    const before = await school.backend.store.head();
    const paths = [
      '/api/commands/RenameSchool',
      '/api/commands/EnterMarks',
      '/api/door/profile/unlock',
      '/api/door/profile',
      '/api/door/profile/sign-out-everywhere',
      '/api/door/password/forgotten',
      '/api/identity/two-factor/enable',
      '/api/anything/else',
    ];
    for (const path of paths) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await admin.send(path, {
          method,
          body: '{"name":"Mine"}',
          headers: { 'Content-Type': 'application/json', Origin: 'http://marktrail.test', ...headers },
        });
        const { code, title } = (await answer.json()) as { code: string; title: string };
        expect([path, method, answer.status, code, title]).toEqual([path, method, 403, 'view-only', authMessages.viewOnly]);
      }
    }
    expect(await school.backend.store.head()).toBe(before);
    expect((await admin.query('me')).status).toBe(200);
  });

  test('who looked at whom is written down, once an hour, and not where it was refused', async () => {
    const teacher = await school.signIn('teacherB');
    for (let n = 0; n < 5; n++) await teacher.send('/api/queries/me', { headers: { 'X-View-As': `student ${student('B2')}` } });
    await teacher.send('/api/queries/me', { headers: { 'X-View-As': `student ${student('C2')}` } });
    const other = await school.another();
    await new Client(other, teacher.cookie).send('/api/queries/me', { headers: { 'X-View-As': `student ${student('B2')}` } });
    const mine = (await looks()).filter(({ by }) => by === school.accounts.teacherB);
    const of = (short: string) => mine.filter((look) => look.student === student(short));
    expect(of('B2').length).toBeGreaterThanOrEqual(1);
    expect(of('B2').length).toBeLessThanOrEqual(2); // an hour may have ended
    expect(of('B2')[0]?.viewAs).toEqual({ role: 'student', id: student('B2') });
    expect(of('C2')).toEqual([]);
  });

  test('a right that is taken away ends it with the next request', async () => {
    const { maths: subjectId, recordB, setB, setC } = school.ids;
    const view = () => me('teacherB', `student ${student('C3')}`);
    const admin = await school.as('admin');
    const assign = async (setIds: string[]) => {
      await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds });
      await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
    };
    expect((await view()).status).toBe(403);
    await assign([setB, setC]);
    expect((await view()).status).toBe(200);
    await assign([setB]);
    expect((await view()).status).toBe(403);
  });
});
