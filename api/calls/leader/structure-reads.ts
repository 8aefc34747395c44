import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { byYeargroup, setRow } from '../admin/reading.ts';
import { endpointScoreId } from '../ids.ts';
import { examOf, setsOf } from '../structure.ts';
import { asStudentOfSet, studentOfSet } from '../students.ts';
import { read } from '../read.ts';

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
  'GET /leader/3': read('structure', {
    purpose: 'Classes of a year group.',
    asks: byYeargroup,
    answers: z.array(z.object({ SetId: id, SetName: z.string() })),
    make: (structure, { asks: { YeargroupID } }) => setsOf(structure, YeargroupID).map(({ SetId, SetName }) => ({ SetId, SetName })),
  }),
  'GET /leader/4': read('prior-summary', {
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
    differs: "Type is 'letter' or 'number', and also 'mixed' (scores of both kinds) or null (nobody has a score).",
    make: ({ year, exams }) =>
      exams.map(({ terminalExamId, name, ratio, type }) => ({
        EndID: terminalExamId,
        EndpointName: name,
        Ratio: ratio,
        Type: type,
        Yeargroup: year,
      })),
  }),
  'GET /leader/5': read('prior-summary', {
    purpose: 'Terminal exams of the subject of a year group.',
    asks: z.strictObject({ YeargroupID: id, SubjectID: id }),
    answers: z.array(endpoint),
    make: ({ exams }, { asks: { SubjectID } }) => exams.map((exam) => examOf(exam, SubjectID)),
  }),
  'GET /leader/6': read('prior-scores', {
    purpose: 'The students of a year group, each with their score in a terminal exam, if they have one.',
    asks: ofEndpoint,
    answers: z.array(
      score
        .extend({ EndScore: z.string().nullable().describe('null: none.'), DateCompleted: z.int().nullable() })
        .extend(studentOfSet.shape),
    ),
    make: ({ students }, { asks: { EndpointID } }) =>
      students.map(({ now, ...student }) => ({
        EndpointScoresID: endpointScoreId(EndpointID, student.studentId),
        EndpointID,
        EndScore: now?.score ?? null,
        DateCompleted: now?.yearCompleted ?? null,
        ...asStudentOfSet(student),
      })),
  }),
  'GET /leader/7': read('structure', {
    purpose: 'A terminal exam: a list of one.',
    asks: z.strictObject({ EndpointID: id }),
    answers: z.array(endpoint),
    make: ({ exams }, { asks: { EndpointID }, about: { subjectId } }) =>
      exams.flatMap((exam) => (exam.terminalExamId === EndpointID ? [examOf(exam, subjectId)] : [])),
  }),
  'GET /leader/8': read('structure', {
    purpose: 'Sets of a year group.',
    asks: byYeargroup,
    answers: z.array(setRow),
    make: (structure, { asks: { YeargroupID } }) => setsOf(structure, YeargroupID),
  }),
  'GET /leader/13': read('prior-scores', {
    purpose: 'The scores of a year group in a terminal exam: of those who have one.',
    asks: ofEndpoint,
    answers: z.array(score.extend({ StudentID: id.describe('The UniqueID of the student.'), UniqueID: id })),
    make: ({ students }, { asks: { EndpointID } }) =>
      students.flatMap(({ studentId, now }) => {
        if (!now) return [];
        const EndpointScoresID = endpointScoreId(EndpointID, studentId);
        const scored = { EndpointScoresID, EndpointID, EndScore: now.score, DateCompleted: now.yearCompleted };
        return [{ ...scored, StudentID: studentId, UniqueID: studentId }];
      }),
  }),
};
