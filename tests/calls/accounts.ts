import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { Client } from '../support/client.ts';
import { fullName, PASSWORD } from '../support/school.ts';
import { ORIGIN } from '../support/product.ts';
import type { ActorName } from '../matrix/world.ts';
import type { Cases } from './case.ts';
import { asks } from './case.ts';

const signedIn: readonly ActorName[] = ['admin', 'auditor', 'leader', 'teacherA', 'teacherB', 'scienceLeader', 'student', 'neighbour'];
const everybody: readonly ActorName[] = [...signedIn, 'nobody'];
const admins: readonly ActorName[] = ['admin'];
const fresh = (): string => `${randomUUID().slice(0, 18)}@calls.example`;
const token = 'x'.repeat(43);

export const accountsCases: Cases = {
  'GET /checkauth': {
    may: signedIn,
    as: 'leader',
    ask: () => ({}),
    right: ({ body }) => expect(body).toEqual({ scope: 'leader', name: 'leader', school: 'Test School' }),
  },
  'GET /user-load': {
    may: signedIn,
    as: 'student',
    ask: () => ({}),
    right: async ({ world, body }) => {
      const { ids } = world.school;
      const { students }: { students: object[] } = body;
      expect(students).toContainEqual({
        UniqueID: ids.students['A1'],
        StudentID: '00A1',
        LastFirst: fullName('A1'),
        subjectid: ids.maths,
        subject_name: 'Mathematics',
        YeargroupID: ids.year,
        Yeargroup: 11,
        SetID: ids.setA,
        SetName: '11A',
        SoWId: ids.scheme,
        SoWName: 'Scheme of Mathematics',
        Red: expect.any(Number),
        Amber: expect.any(Number),
        Green: expect.any(Number),
      });
      const own = { TeacherID: ids.recordA, Teacher: 'Teacher A', SubjectID: ids.maths, subject_name: 'Mathematics' };
      expect(await asks(await world.as('teacherA'), '/user-load')).toEqual({ teacher: own, teachers: [own] });
    },
  },
  'GET /profile': {
    may: signedIn,
    as: 'teacherA',
    ask: () => ({}),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual({
        user: {
          id: school.accounts.teacherA,
          name: 'teacherA',
          email: school.email('teacherA'),
          role: { id: 'teacher', name: 'Teacher' },
        },
      }),
  },
  'POST /oauth/token': {
    may: everybody,
    as: 'nobody',
    anew: true,
    // What a client sends of its own (client_id, client_secret, scope) may be of any kind.
    ask: ({ school }) => ({ body: { grant_type: 'password', username: school.email('leader'), password: PASSWORD } }),
    right: async ({ world: { school }, client, asked, body }) => {
      const { access_token: made, token_type: type }: { access_token: string; token_type: string } = body;
      expect(type).toBe('Bearer');
      for (const own of [{ client_id: 2 }, { client_id: '2', client_secret: 'any', scope: '' }]) {
        const sent = JSON.stringify({ ...(asked.body as object), ...own });
        const headers = { 'Content-Type': 'application/json', Origin: ORIGIN };
        expect((await client.send('/api/oauth/token', { method: 'POST', headers, body: sent })).status).toBe(200);
      }
      const program = new Client(school);
      const answer = await program.send('/api/checkauth', { headers: { Authorization: `Bearer ${made}` } });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ scope: 'leader' })]);
    },
  },
  'GET /logout': {
    may: signedIn,
    as: 'teacherB',
    anew: true,
    ask: () => ({}),
    right: async ({ client, body }) => {
      expect(body).toEqual({ name: 'teacherB' });
      expect((await client.send('/api/checkauth')).status).toBe(401);
    },
  },
  'POST /report_error': {
    may: everybody,
    as: 'leader',
    takesAnyText: true,
    ask: () => ({
      body: { user: 'leader', school: 'Test School', file: 'a.js', line: 7, message: 'TypeError', status: 500, status_text: 'no' },
    }),
    right: async ({ world, body }) => {
      const { id }: { id: string } = body;
      const { errors } = await asks<{ errors: { id: string }[] }>(await world.as('admin'), '/errors');
      expect(errors).toContainEqual(expect.objectContaining({ id }));
    },
  },
  'POST /forget-password': {
    may: everybody,
    as: 'nobody',
    takesNoBody: true,
    ask: () => ({ query: { email: fresh() } }),
    right: ({ body }) => expect(body).toEqual({ message: expect.any(String) }),
  },
  // With a token that no mail has; tests/auth/passwords.test.ts has real ones.
  'POST /reset-password': {
    may: everybody,
    as: 'nobody',
    status: 410,
    ask: () => ({ body: { email: 'ada@calls.example', password: 'a brand new one', password_confirmation: 'a brand new one', token } }),
    right: ({ body }) => expect(body).toMatchObject({ code: 'link-dead' }),
  },
  'POST /profile': {
    may: signedIn,
    as: 'teacherB',
    anew: true,
    ask: () => ({ body: { password: PASSWORD } }),
    right: ({ body }) => expect(body).toEqual({ verified: true, until: expect.any(String) }),
  },
  'PUT /profile/{id}': {
    may: ['teacherA'],
    as: 'teacherA',
    anew: true,
    before: async (client) => client.passed('profile/unlock', { password: PASSWORD }),
    ask: ({ school }) => ({ id: school.accounts.teacherA, body: { name: 'teacherA' } }),
    right: ({ body }) => expect(body).toEqual({ message: 'The profile was updated successfully' }),
  },
  'PUT /users_students/code': {
    may: admins,
    takesNoBody: true,
    ask: ({ school }) => ({ query: { subject: school.ids.maths, forcenew: '1', domain: 'calls.example' } }),
    right: async ({ world: { school }, client, body }) => {
      const first: { code: string; domain: string } = body;
      expect(first).toEqual({ code: expect.stringMatching(/^[A-Za-z0-9]{7}$/), domain: 'calls.example' });
      const again = await client.send(`/api/users_students/code?subject=${school.ids.maths}`, {
        method: 'PUT',
        headers: { Origin: ORIGIN },
      });
      expect(await again.json()).toEqual(first);
    },
  },
  'GET /users_teachers': {
    may: admins,
    ask: () => ({}),
    right: ({ world: { school }, body }) => {
      const { users, roles }: { users: object[]; roles: object[] } = body;
      expect(roles).toContainEqual({ id: 'leader', name: 'Leader' });
      expect(users).toContainEqual({
        id: school.accounts.teacherA,
        name: 'teacherA',
        email: school.email('teacherA'),
        role_id: 'teacher',
        role: { id: 'teacher', name: 'Teacher' },
        active: true,
        Teacher: 'Teacher A',
        subject_name: 'Mathematics',
        teachers: [{ TeacherID: school.ids.recordA, SubjectID: school.ids.maths }],
      });
    },
  },
  'POST /users_teachers': {
    may: admins,
    takesNoBody: true,
    ask: () => ({ query: { name: 'Ada Nwosu', email: fresh(), role: 'teacher' } }),
    right: async ({ client, asked, body }) => {
      expect(body).toEqual({ id: expect.any(String), role_id: 'teacher', email: asked.query?.['email'] });
      const { users } = await asks<{ users: object[] }>(client, '/users_teachers');
      expect(users).toContainEqual(expect.objectContaining({ email: asked.query?.['email'], active: false }));
    },
  },
  'PUT /users_teachers/{id}': {
    may: admins,
    takesNoBody: true,
    ask: ({ spare }) => ({ id: spare.invited, query: { role: 'leader', email: fresh() } }),
    right: async ({ client, asked }) => {
      const { users } = await asks<{ users: object[] }>(client, '/users_teachers');
      expect(users).toContainEqual(expect.objectContaining({ id: asked.id, role_id: 'leader', email: asked.query?.['email'] }));
    },
  },
  'GET /users_teachers/{id}': {
    may: admins,
    ask: ({ spare }) => ({ id: spare.invited }),
    right: async ({ client, asked, body }) => {
      expect(body).toEqual({ message: 'The activation was sent again' });
      // As a picture on another page would ask for it.
      const picture = await client.send(`/api/users_teachers/${asked.id}`, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
      expect(picture.status).toBe(403);
    },
  },
  'POST /verify-code': {
    may: everybody,
    ask: async ({ school: { as, ids } }) => {
      const { code } = await (await as('admin')).done('IssueJoinCode', { subjectId: ids.maths });
      return { body: { code } };
    },
    right: ({ body }) => expect(body).toMatchObject({ school: { name: 'Test School' }, subject: 'Mathematics', students: [] }),
  },
  // A choice that nobody was given; joining.test.ts goes the whole way, as of the next three.
  'PUT /verify-code/{id}': {
    may: everybody,
    status: 409,
    ask: () => ({ id: `${token}.one`, body: { email: fresh(), password: PASSWORD, password_confirmation: PASSWORD } }),
    right: ({ body }) => expect(body).toMatchObject({ code: 'refused' }),
  },
  'POST /recaptcha': {
    may: everybody,
    ask: () => ({ body: { response: 'e30=' } }),
    right: ({ body }) => expect(body).toEqual({ success: false }),
  },
  'POST /auth/register': {
    may: everybody,
    status: 422,
    ask: () => ({ body: { name: 'Ada Nwosu', email: fresh(), password: PASSWORD, password_confirmation: PASSWORD } }),
    right: ({ body }) => expect(body).toMatchObject({ errors: [expect.objectContaining({ path: 'robot' })] }),
  },
  'POST /new-db': {
    may: everybody,
    status: 410,
    ask: () => ({ body: { school: 'Greenfield', email: fresh(), password: PASSWORD, token } }),
    right: ({ body }) => expect(body).toMatchObject({ code: 'link-dead' }),
  },
  // Here is no provider; tests/auth/social.test.ts has one.
  'GET /sociallogin/{id}': {
    may: everybody,
    status: 404,
    ask: () => ({ id: 'google' }),
    right: ({ body }) => expect(body).toMatchObject({ code: 'not-found' }),
  },
  'GET /users_students': {
    may: admins,
    ask: () => ({}),
    right: ({ world: { school }, body }) => {
      const { users, students }: { users: object[]; students: object[] } = body;
      const one = { UniqueID: school.ids.students['A1'], StudentID: '00A1', LastFirst: fullName('A1') };
      expect(users).toContainEqual({ id: school.accounts.student, name: 'A1', email: school.email('student'), ...one });
      expect(students).toContainEqual({ ...one, SubjectID: school.ids.maths, SetID: school.ids.setA, SetName: '11A' });
    },
  },
  'PUT /users_students/{id}': {
    may: admins,
    takesNoBody: true,
    ask: ({ spare }) => ({ id: spare.student }),
    right: ({ body }) => expect(body).toMatchObject({ link: expect.stringContaining('/email/change-password?token=') }),
  },
  'POST /feedback': {
    may: ['admin', 'leader'],
    as: 'leader',
    takesNoBody: true,
    ask: ({ spare }) => ({ query: { name: 'Any', task_id: spare.tasks.CheckRanking, expiry: '2030-01-01' } }),
    right: ({ body }) => expect(body).toEqual({ message: expect.stringMatching(/told by mail$/) }),
  },
  'POST /email': {
    may: ['admin', 'leader'],
    as: 'leader',
    ask: ({ school }) => ({ body: { type: 1, teacher: school.ids.recordA, class: school.ids.setA } }),
    right: ({ body }) => expect(body).toEqual({ message: expect.any(String) }),
  },
  // Last, because it takes the account away.
  'DELETE /users_students/{id}': {
    may: admins,
    takesNoBody: true,
    ask: ({ spare }) => ({ id: spare.student }),
    right: async ({ client, asked }) => {
      const { users } = await asks<{ users: { id: string }[] }>(client, '/users_students');
      expect(users.map(({ id }) => id)).not.toContain(asked.id);
    },
  },
};
