import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Cases } from './case.ts';
import { asks } from './case.ts';

type Subject = { readonly subjectid: string; readonly subject_name: string };
type Ids = { readonly insertids: readonly string[]; readonly lastid: string };

export const adminCases: Cases = {
  'GET /admin/1': {
    may: ['admin'],
    ifOpen: true,
    ask: () => ({}),
    right: async ({ world: { school, neighbour }, client, body }) => {
      expect(body).toEqual(
        expect.arrayContaining([
          { subjectid: school.ids.maths, subject_name: 'Mathematics', SchoolID: school.schoolId },
          { subjectid: school.ids.science, subject_name: 'Science', SchoolID: school.schoolId },
        ]),
      );
      expect(await asks(client, '/admin/1', { SchoolID: school.schoolId })).toEqual(body);
      expect((await client.send(`/api/admin/1?SchoolID=${neighbour.schoolId}`)).status).toBe(404);
    },
  },
  'GET /admin/5': {
    may: ['admin'],
    ifOpen: true,
    ask: ({ school }) => ({ query: { SubjectID: school.ids.maths } }),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual(
        expect.arrayContaining([
          { TestID: school.ids.mock, TestName: 'Mock', Allowinput: 1, SubjectID: school.ids.maths, MaxMark: 20 },
          { TestID: school.ids.unready, TestName: 'Unready', Allowinput: 0, SubjectID: school.ids.maths, MaxMark: null },
        ]),
      ),
  },
  'POST /admin subject': {
    may: ['admin'],
    ask: ({ school }) => ({
      body: {
        table: 'subject',
        data: [{ keyval: { subjectid: null }, values: { subject_name: `Art ${randomUUID()}`, SchoolID: school.schoolId } }],
      },
    }),
    right: async ({ client, asked, body }) => {
      const { insertids, lastid }: Ids = body;
      expect(insertids).toEqual([lastid]);
      const { data } = asked.body as { data: [{ values: { subject_name: string } }] };
      const all = await asks<Subject[]>(client, '/admin/1');
      expect(all.find(({ subjectid }) => subjectid === lastid)?.subject_name).toBe(data[0].values.subject_name);
    },
  },
  'PUT /admin/{id} subject': {
    may: ['admin'],
    ifOpen: true,
    ask: ({ school }) => ({ id: school.ids.maths, body: { table: 'subject', values: { subject_name: 'Mathematics' } } }),
    right: ({ world: { school }, body }) => expect(body).toEqual({ insertids: [school.ids.maths], lastid: school.ids.maths }),
  },
  'DELETE /admin/{id} subject': {
    may: ['admin'],
    ask: ({ spare }) => ({ id: spare.subjectId, body: { table: 'subject' } }),
    right: async ({ client, asked }) => {
      const all = await asks<Subject[]>(client, '/admin/1');
      expect(all.map(({ subjectid }) => subjectid)).not.toContain(asked.id);
    },
  },
};
