import { z } from 'zod';
import { ProblemError } from '../common/problems.ts';
import { id } from '../contract/fields.ts';
import { call } from './call.ts';
import type { Caller } from './caller.ts';
import { ofSubject } from './scope.ts';
import { step } from './step.ts';
import type { Tables } from './tables.ts';
import { table, writesOf } from './tables.ts';

/** The administration: reads by number, and the writes of its tables. */
const tables: Tables = {
  subject: table({
    behind: ['AddSubject', 'RenameSubject', 'RemoveSubject'],
    models: ['structure'],
    key: 'subjectid',
    columns: z.strictObject({ subject_name: z.string(), SchoolID: id.optional() }),
    add: async (caller, rows) =>
      rows.map(({ place, values: { subject_name: name, SchoolID } }) => {
        ownSchool(caller, SchoolID);
        return step(place, 'AddSubject', { name }, ({ subjectId }) => subjectId);
      }),
    change: {
      subjectid: async (caller, rows) =>
        rows.map(({ place, key: subjectId, values: { subject_name: name = '', SchoolID } }) => {
          ownSchool(caller, SchoolID);
          return step(place, 'RenameSubject', { subjectId, name }, subjectId);
        }),
    },
    remove: {
      subjectid: async (_caller, rows) => rows.map(({ place, key: subjectId }) => step(place, 'RemoveSubject', { subjectId }, subjectId)),
    },
  }),
};

/** The caller's own is the only one that is there for them. @throws ProblemError `not-found` */
const ownSchool = ({ actor }: Caller, schoolId: string | undefined): void => {
  if (schoolId !== undefined && schoolId !== actor.schoolId) throw new ProblemError('not-found', 'There is no such school.');
};

const { post, put, delete: remove } = writesOf(tables);

export const adminCalls = {
  'GET /admin/1': call({
    purpose: 'Subjects of the school.',
    asks: z.strictObject({ SchoolID: id.optional() }),
    answers: z.array(z.object({ subjectid: id, subject_name: z.string(), SchoolID: id })),
    behind: ['subjects'],
    async adapt(caller, { asks: { SchoolID } }) {
      ownSchool(caller, SchoolID);
      const subjects = await caller.list('subjects');
      return subjects.map((one) => ({ subjectid: one.id, subject_name: one.name, SchoolID: caller.actor.schoolId }));
    },
  }),
  'GET /admin/5': call({
    purpose: 'Assessments of a subject.',
    asks: z.strictObject({ SubjectID: id }),
    answers: z.array(
      z.object({ TestID: id, TestName: z.string(), Allowinput: z.literal([0, 1]), SubjectID: id, MaxMark: z.int().nullable() }),
    ),
    behind: ['assessments'],
    async adapt(caller, { asks: { SubjectID } }) {
      await ofSubject(caller, SubjectID);
      const assessments = await caller.list('assessments', { subjectId: SubjectID });
      return assessments.map(({ id: TestID, name, visible, max }) => ({
        TestID,
        TestName: name,
        Allowinput: visible ? (1 as const) : (0 as const),
        SubjectID,
        MaxMark: max,
      }));
    },
  }),
  'POST /admin': post,
  'PUT /admin/{id}': put,
  'DELETE /admin/{id}': remove,
};
