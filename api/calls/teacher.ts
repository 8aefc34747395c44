import { z } from 'zod';
import { id } from '../contract/fields.ts';
import { messages } from '../contract/limits.ts';
import { invalidInput } from '../common/problems.ts';
import { call } from './call.ts';
import { totalId } from './ids.ts';
import { entering } from './marks.ts';
import { readableSubject } from './scope.ts';
import type { Tables } from './tables.ts';
import { table, writesOf } from './tables.ts';

/** What teachers ask and write. */
const tables: Tables = {
  TestTotals: table({
    behind: ['EnterMarks'],
    models: ['results'],
    key: 'TestTotalsID',
    columns: z.strictObject({ TestID: id, StudentID: id, Total: z.int(messages.manualNotInteger).nullable() }),
    differs: 'All rows of a request are stored, or none. A total that stands by the same account already is not stored again.',
    add: (caller, rows) =>
      entering(
        caller,
        rows.map(({ place, key, values: { TestID, StudentID, Total } }) => {
          const own = totalId(TestID, StudentID);
          if (key !== null && key !== own)
            throw invalidInput(`data.${place}.keyval.TestTotalsID`, 'This is the id of the total of another student or assessment.');
          return { place, id: own, testId: TestID, studentId: StudentID, mark: Total };
        }),
      ),
  }),
};

const { post } = writesOf(tables);

export const teacherCalls = {
  'GET /teacher/4': call({
    purpose: 'Students of a subject, with their classes: those on roll.',
    asks: z.strictObject({ SubjectID: id }),
    answers: z.array(
      z.object({ StudentID: z.string().nullable(), UniqueID: id, LastFirst: z.string().nullable(), SetID: id, SetName: z.string() }),
    ),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SubjectID } }) =>
      caller.sql(async (query) => {
        await readableSubject(query, caller.actor, SubjectID);
        return query(
          `select s.admission_no as "StudentID", s.student_id as "UniqueID", s.name as "LastFirst", t.set_id as "SetID", t.name as "SetName"
             from enrolments e
             join students s using (school_id, student_id)
             join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
            where e.school_id = $1 and e.subject_id = $2
            order by t.name, s.name, s.student_id`,
          [SubjectID],
        );
      }),
  }),
  'POST /teacher': post,
};
