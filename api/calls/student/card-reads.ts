import { z } from 'zod';
import { placeOf, shownTotals, subjectOfShown } from '../../analysis/student/student.facts.ts';
import { noSuch } from '../../common/about.ts';
import { id, isoDate } from '../../contract/fields.ts';
import { call } from '../call.ts';
import { question, questionOf } from '../question.ts';
import { binary } from '../structure.ts';
import { ofStudent, placeRow, subjectsOf } from './reading.ts';
import { read } from '../read.ts';

const total = z.int().nullable();
const ofTest = z.strictObject({ ...ofStudent.asks, TestID: id });

/** At the average, as far as whole per cents tell, is neither a strength nor a target. */
const ratioOf = (difference: number): number => (Math.abs(difference) < 0.005 ? 0 : difference);

/** Assessments of a student: totals, questions, tasks. */
export const cardReads = {
  'GET /student/25': call({
    purpose: 'The assessments of a student, in all subjects, the newest first.',
    asks: z.strictObject(ofStudent.asks),
    viewed: ofStudent.viewed,
    answers: z.array(
      placeRow.omit({ StudentID: true, LastFirst: true }).extend({
        Red: z.int(),
        Amber: z.int(),
        Green: z.int(),
        TestID: id,
        TestName: z.string(),
        MaxMark: total.describe('null: no questions yet.'),
        TTotal: total.describe('Of staff. null: none.'),
        STotal: total.describe('Confirmed by the student, else the sum of the marks of staff if every question has one.'),
        Total: total.describe('The same as TTotal.'),
        Status: z.literal([0, 1, 2]).describe('0 not sat, 1 no student feedback yet, 2 feedback submitted.'),
        Average: total.describe('Of the class: a whole per cent of a snapshot. null: fewer than five students.'),
      }),
    ),
    behind: ['student-home'],
    differs: 'Visible assessments only. Averages of others are those of a snapshot.',
    async adapt(caller) {
      const rows = [];
      for (const { StudentID: _, LastFirst: __, ...place } of await subjectsOf(caller)) {
        const { thresholds, tests } = await caller.query('student-home', { subjectId: place.SubjectID });
        const { red: Red, amber: Amber, green: Green } = thresholds;
        for (const { testId, name, max, total: ofStaff, ownTotal, entered, classPercent } of tests) {
          const totals = { TTotal: ofStaff, STotal: ownTotal, Total: ofStaff, Status: entered, Average: classPercent };
          rows.push({ ...place, Red, Amber, Green, TestID: testId, TestName: name, MaxMark: max, ...totals });
        }
      }
      return rows;
    },
  }),
  'GET /student/26': call({
    purpose: 'The totals of a class in an assessment, in ascending order.',
    asks: z.strictObject({ SetID: id, TestID: id }),
    answers: z.array(z.object({ Total: z.int() })),
    behind: [],
    models: ['structure', 'roster', 'assessments', 'results'],
    differs:
      'The totals come without ids, from a snapshot: whatever else a student reads of others, and on whatever day, differs from it by nobody or by at least five students. A student asks about their own class and visible assessments.',
    adapt: (caller, { asks: { SetID, TestID } }) =>
      caller.sql(async (query) => {
        if (caller.actor.studentId !== null) {
          const { set } = await placeOf(query, caller.actor, await subjectOfShown(query, TestID));
          if (set?.setId !== SetID) throw noSuch('class');
        }
        return (await shownTotals(query, SetID, TestID)).map((Total) => ({ Total }));
      }),
  }),
  'GET /student/27': read('student-card', {
    purpose: 'An assessment of a student, question by question, against everybody who sat it.',
    asks: ofTest,
    viewed: ofStudent.viewed,
    answers: z.array(
      z.object({
        TestID: id,
        TestName: z.string(),
        ...question,
        SResult: total.describe('The mark that counts; left out, it counts 0. null: nobody of the class has a mark for it.'),
        AvResult: z.number().nullable().describe('Whole per cents of a snapshot, as marks. null: fewer than five, or no mark.'),
        Ratio: z
          .number()
          .nullable()
          .describe(
            'The difference of the two, of the marks available: above 0 a strength, below 0 a target. Less than half a per cent is 0.',
          ),
        Rag: total.describe('100 * mark / available, truncated.'),
      }),
    ),
    differs: 'Averages of others are whole per cents of snapshots, which differ by nobody or by at least five students.',
    make: ({ name, questions }, { asks: { TestID } }) =>
      questions.map(({ mark, average, value, ...paperQuestion }) => ({
        TestID,
        TestName: name,
        ...questionOf(paperQuestion),
        SResult: value === null ? null : (mark ?? 0),
        AvResult: average === null ? null : (average * paperQuestion.max) / 100,
        Ratio: average === null || value === null ? null : ratioOf((mark ?? 0) / paperQuestion.max - average / 100),
        Rag: value,
      })),
  }),
  'GET /student/29': read('revision-list', {
    purpose: 'What to revise for an assessment, by topic header.',
    asks: z.strictObject({ TestID: id }),
    answers: z.array(z.object({ RevLinkID: id, RevHead: z.string(), TestTopic: z.string(), QuestionID: id })),
    make: ({ headers }) =>
      headers.flatMap(({ headerId, name, questions }) =>
        questions.map(({ questionId, topic, text }) => ({
          RevLinkID: headerId,
          RevHead: name,
          TestTopic: text ?? topic,
          QuestionID: questionId,
        })),
      ),
  }),
  'GET /student/30': read('submission', {
    purpose: 'An assessment of a student, to enter marks.',
    asks: ofTest,
    viewed: ofStudent.viewed,
    answers: z.array(
      z.object({
        TestID: id,
        TestName: z.string(),
        ...question,
        MarkAwarded: total.describe('Of staff, else what the student has entered. null: none.'),
        SResult: total.describe('What the student has entered.'),
        EnteredStatus: z.literal([1, 2]).nullable().describe('1: of staff; 2: of the student. null: none.'),
      }),
    ),
    make: ({ name, questions }, { asks: { TestID } }) =>
      questions.map(({ mark, staff, ...paperQuestion }) => ({
        TestID,
        TestName: name,
        ...questionOf(paperQuestion),
        MarkAwarded: staff ?? mark,
        SResult: mark,
        EnteredStatus: staff !== null ? (1 as const) : mark !== null ? (2 as const) : null,
      })),
  }),
  'GET /student/38': read('student-tasks', {
    purpose: 'What waits for a student: the assessments of open feedback tasks.',
    asks: z.strictObject(ofStudent.asks),
    viewed: ofStudent.viewed,
    answers: z.array(
      z.object({
        TaskID: id,
        TestID: id,
        TestName: z.string(),
        SubjectID: id,
        subject_name: z.string(),
        Expiry: isoDate,
        Cnt: z.literal([0, 1]).describe('0: not submitted.'),
      }),
    ),
    make: ({ tests }) =>
      tests.flatMap(({ taskId: TaskID, testId, name, subjectId, subject, expiry: Expiry, submitted }) => {
        if (TaskID === null || Expiry === null) return [];
        const ofTest = { TestID: testId, TestName: name, SubjectID: subjectId, subject_name: subject };
        return [{ TaskID, ...ofTest, Expiry, Cnt: binary(submitted) }];
      }),
  }),
};
