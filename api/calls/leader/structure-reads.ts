import { z } from 'zod';
import { mayReadSubject } from '../../actor.ts';
import { inOrder } from '../../common/in-order.ts';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { byYeargroup, setRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import { endpointScoreId } from '../ids.ts';
import { readableYearGroup, rowsOfYearGroup } from '../scope.ts';
import { yearGroupIn } from './reading.ts';

/** $1 school; $2 year group. */
const SETS = `
select set_id as "SetId", name as "SetName", year_group_id as "YeargroupID", scheme_id as "SoWID"
from sets where school_id = $1 and year_group_id = $2 and not deleted order by ${inOrder('name')}, set_id`;

const endpoint = z.object({ EndpointID: id, EndpointName: z.string(), YearSat: z.int(), SubjectID: id });
const ofEndpoint = z.strictObject({ YeargroupID: id, EndpointID: id });
const score = z.object({
  EndpointScoresID: id,
  EndpointID: id,
  EndScore: z.string().describe('As it was typed: a number, or a grade.'),
  DateCompleted: z.int().describe('The year.'),
});

/** Classes, terminal exams, and what of these students have sat before. */
export const structureReads = {
  'GET /leader/3': call({
    purpose: 'Classes of a year group.',
    asks: byYeargroup,
    answers: z.array(z.object({ SetId: id, SetName: z.string() })),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { YeargroupID } }) =>
      caller.sql(async (query) => {
        await readableYearGroup(query, caller.actor, YeargroupID);
        const sets = await query<{ SetId: string; SetName: string }>(SETS, [YeargroupID]);
        return sets.map(({ SetId, SetName }) => ({ SetId, SetName }));
      }),
  }),
  'GET /leader/4': call({
    purpose: 'How much of a year group each terminal exam covers.',
    asks: byYeargroup,
    answers: z.array(
      z.object({
        EndID: id,
        EndpointName: z.string(),
        Ratio: z.number().describe('Of the students on roll, 0 to 1.'),
        Type: z.enum(['letter', 'number', 'mixed']).nullable().describe('null: nobody has a score.'),
        Yeargroup: z.int(),
      }),
    ),
    behind: ['prior-summary'],
    differs: "Type is 'letter' or 'number', and also 'mixed' (scores of both kinds) or null (nobody has a score).",
    async adapt(caller, { asks: { YeargroupID: yearGroupId } }) {
      const { year, exams } = await caller.query('prior-summary', { subjectId: await yearGroupIn(caller, yearGroupId), yearGroupId });
      return exams.map(({ terminalExamId, name, ratio, type }) => ({
        EndID: terminalExamId,
        EndpointName: name,
        Ratio: ratio,
        Type: type,
        Yeargroup: year,
      }));
    },
  }),
  'GET /leader/5': call({
    purpose: 'Terminal exams of the subject of a year group.',
    asks: z.strictObject({ YeargroupID: id, SubjectID: id }),
    answers: z.array(endpoint),
    behind: ['prior-summary'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId, SubjectID } }) {
      const subjectId = await yearGroupIn(caller, yearGroupId, SubjectID);
      const { exams } = await caller.query('prior-summary', { subjectId, yearGroupId });
      return exams.map(({ terminalExamId, name, yearSat }) => ({
        EndpointID: terminalExamId,
        EndpointName: name,
        YearSat: yearSat,
        SubjectID,
      }));
    },
  }),
  'GET /leader/6': call({
    purpose: 'The students of a year group, each with their score in a terminal exam, if they have one.',
    asks: ofEndpoint,
    answers: z.array(
      score
        .extend({ EndScore: z.string().nullable().describe('null: none.'), DateCompleted: z.int().nullable() })
        .extend({ UniqueID: id, StudentID: z.string().nullable(), LastFirst: z.string().nullable(), SetID: id, SetName: z.string() }),
    ),
    behind: ['prior-scores'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId, EndpointID } }) {
      const subjectId = await yearGroupIn(caller, yearGroupId);
      const { students } = await caller.query('prior-scores', { subjectId, terminalExamId: EndpointID, yearGroupId });
      return students.map(({ studentId, admissionNo, name, setId, setName, now }) => ({
        EndpointScoresID: endpointScoreId(EndpointID, studentId),
        EndpointID,
        EndScore: now?.score ?? null,
        DateCompleted: now?.yearCompleted ?? null,
        UniqueID: studentId,
        StudentID: admissionNo,
        LastFirst: name,
        SetID: setId,
        SetName: setName,
      }));
    },
  }),
  'GET /leader/7': call({
    purpose: 'A terminal exam: a list of one.',
    asks: z.strictObject({ EndpointID: id }),
    answers: z.array(endpoint),
    behind: [],
    models: ['structure'],
    async adapt(caller, { asks: { EndpointID } }) {
      const rows = await caller.sql((query) =>
        query<z.output<typeof endpoint>>(
          `select x.terminal_exam_id as "EndpointID", x.name as "EndpointName", x.year_sat as "YearSat", x.subject_id as "SubjectID"
             from terminal_exams x join subjects s on s.school_id = $1 and s.subject_id = x.subject_id
            where x.school_id = $1 and x.terminal_exam_id = $2`,
          [EndpointID],
        ),
      );
      const found = rows.filter(({ SubjectID }) => mayReadSubject(caller.actor, SubjectID));
      if (found.length === 0) throw new ProblemError('not-found', 'There is no such terminal exam.');
      return found;
    },
  }),
  'GET /leader/8': call({
    purpose: 'Sets of a year group.',
    asks: byYeargroup,
    answers: z.array(setRow),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { YeargroupID } }) => rowsOfYearGroup(caller, YeargroupID, SETS),
  }),
  'GET /leader/13': call({
    purpose: 'The scores of a year group in a terminal exam: of those who have one.',
    asks: ofEndpoint,
    answers: z.array(score.extend({ StudentID: id.describe('The UniqueID of the student.'), UniqueID: id })),
    behind: ['prior-scores'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId, EndpointID } }) {
      const subjectId = await yearGroupIn(caller, yearGroupId);
      const { students } = await caller.query('prior-scores', { subjectId, terminalExamId: EndpointID, yearGroupId });
      return students.flatMap(({ studentId, now }) =>
        now
          ? [
              {
                EndpointScoresID: endpointScoreId(EndpointID, studentId),
                EndpointID,
                EndScore: now.score,
                DateCompleted: now.yearCompleted,
                StudentID: studentId,
                UniqueID: studentId,
              },
            ]
          : [],
      );
    },
  }),
};
