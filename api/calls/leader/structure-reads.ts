import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { byYeargroup, setRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import { endpointScoreId } from '../ids.ts';
import { setsIn } from '../structure.ts';

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
    behind: ['structure'],
    adapt: async (caller, { asks: { YeargroupID }, about: { subjectId } }) =>
      (await setsIn(caller, subjectId, YeargroupID)).map(({ SetId, SetName }) => ({ SetId, SetName })),
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
    async adapt(caller, { asks: { YeargroupID: yearGroupId }, about: { subjectId } }) {
      const { year, exams } = await caller.query('prior-summary', { subjectId, yearGroupId });
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
      const { exams } = await caller.query('prior-summary', { subjectId: SubjectID, yearGroupId });
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
    async adapt(caller, { asks: { YeargroupID: yearGroupId, EndpointID }, about: { subjectId } }) {
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
    behind: ['structure'],
    async adapt(caller, { asks: { EndpointID }, about: { subjectId } }) {
      const { exams } = await caller.query('structure', { subjectId });
      return exams.flatMap(({ terminalExamId, name, yearSat }) =>
        terminalExamId === EndpointID ? [{ EndpointID, EndpointName: name, YearSat: yearSat, SubjectID: subjectId }] : [],
      );
    },
  }),
  'GET /leader/8': call({
    purpose: 'Sets of a year group.',
    asks: byYeargroup,
    answers: z.array(setRow),
    behind: ['structure'],
    adapt: (caller, { asks: { YeargroupID }, about: { subjectId } }) => setsIn(caller, subjectId, YeargroupID),
  }),
  'GET /leader/13': call({
    purpose: 'The scores of a year group in a terminal exam: of those who have one.',
    asks: ofEndpoint,
    answers: z.array(score.extend({ StudentID: id.describe('The UniqueID of the student.'), UniqueID: id })),
    behind: ['prior-scores'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId, EndpointID }, about: { subjectId } }) {
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
