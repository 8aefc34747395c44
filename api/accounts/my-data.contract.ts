/** What is stored about a student, as they may read it themselves. */
import { ATTENDANCES } from '../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';
import { markFlag, totalFlag } from '../contract/total-flag.ts';

const role = z.string().describe('Of the person: nobody is named.');
const test = z.object({
  testId: id,
  name: z.string(),
  max: z.int().nullable(),
  attendance: z.enum(ATTENDANCES),
  total: z.int().nullable().describe('Of staff; null: none.'),
  flags: z.array(totalFlag).exactOptional().describe('What is open about it. Left out: nothing.'),
  questions: z.array(
    z.object({
      questionId: id,
      number: z.int(),
      topic: z.string(),
      max: z.int(),
      mark: z.int().nullable(),
      flags: z.array(markFlag).exactOptional(),
      own: z.int().nullable().describe('What the student submitted last.'),
    }),
  ),
  changes: z
    .array(
      z.object({
        at: instant.nullable(),
        role: role.nullable(),
        how: z.enum(['upload', 'typed', 'decided']),
        what: z.enum(['total', 'mark', 'attendance']),
        number: z.int().nullable().describe('Of the question; null: the total or attendance, or the question is off the paper now.'),
        value: z.union([z.int(), z.string()]).describe('A mark, or `cleared`, `sat`, `absent`, `exempt`.'),
        undone: z.boolean(),
      }),
    )
    .describe('Everything that staff have entered, oldest first.'),
  submissions: z.array(z.object({ at: instant, total: z.int() })).describe('Each time that the student submitted marks.'),
});

const myData = z
  .object({
    name: z.string().nullable(),
    admissionNo: z.string().nullable(),
    dateOfBirth: isoDate.nullable(),
    accounts: z.array(z.object({ email: z.string().nullable(), since: instant })),
    subjects: z.array(
      z.object({
        subjectId: id,
        name: z.string(),
        memberships: z.array(z.object({ set: z.string().nullable().describe('null: off roll'), from: instant })),
        priors: z.array(z.object({ exam: z.string(), score: z.string(), yearCompleted: z.int().nullable() })),
        results: z.array(
          z.object({
            tests: z.array(z.string()),
            ranking: z.int().nullable(),
            score: z.number().nullable(),
            grade: z.string().nullable(),
            overridden: z.array(z.enum(['ranking', 'score', 'grade'])).describe('What the subject leader decided otherwise than computed.'),
          }),
        ),
        tests: z.array(test).describe('Of the assessments that students see.'),
      }),
    ),
    looks: z
      .array(z.object({ at: instant, role }))
      .describe('When a member of staff looked at the student’s own pages, at most once an hour. The newest first.'),
  })
  .describe('What is stored about a student. Hidden and deleted assessments and the comments of staff are handed out by the school.');
export type MyData = Answer<typeof myData>;

export const myDataQueries = { 'my-data': { input: z.object({}), answer: myData } };
