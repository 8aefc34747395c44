import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';

/** The subjects that the caller may see. */
export const subjectIdsOf = async (caller: Caller): Promise<readonly string[]> =>
  (await caller.query('me', {})).subjects.map(({ subjectId }) => subjectId);

/** Parameters, as the documents spell them. */
export const bySubjectID = z.strictObject({ SubjectID: id });
export const bySubjectId = z.strictObject({ SubjectId: id });
export const byYeargroup = z.strictObject({ YeargroupID: id });

/** Rows, by their documented names. */
export const sowRow = z.object({ SoWId: id, SoWName: z.string(), SubjectID: id });
export const sowTopicRow = z.object({
  SoWTopicID: id,
  SoWTopic: z.string(),
  SoWID: id,
  Mappings: z.int().describe('How many links it has: whoever removes it is asked first if it has any.'),
});
export const questionRow = z.object({
  QuestionID: id,
  QuestionNumber: z.int(),
  TestTopic: z.string(),
  MarksAvailable: z.int(),
  TestID: id,
  Mappings: z.int().describe('How many links it has: whoever removes it is asked first if it has any.'),
});
export const yearRow = z.object({ YeargroupID: id, Yeargroup: z.int(), SubjectId: id });
export const setRow = z.object({ SetId: id, SetName: z.string(), YeargroupID: id, SoWID: id.nullable() });
export const studentRow = z.object({
  UniqueID: id,
  StudentID: z.string().nullable().describe('null, like the name: the student was forgotten.'),
  LastFirst: z.string().nullable(),
  DoB: z.iso.date().nullable().describe('2001-01-01: unknown. null: not told to whoever asks.'),
  SetID: id,
  SubjectID: id,
  SetName: z.string(),
});
export const teacherRow = z.object({ TeacherID: id, Teacher: z.string().nullable().describe('null: forgotten.'), SubjectID: id });
