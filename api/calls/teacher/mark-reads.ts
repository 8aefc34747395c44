import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import type { SheetCell } from '../../marks/sheet.contract.ts';
import { call } from '../call.ts';
import { resultId, totalId } from '../ids.ts';
import { question, questionOf } from '../question.ts';
import { averagesOfAll, bySet, bySetAndTest, forgotten } from './rows.ts';
import { read } from '../read.ts';

const student = { UniqueID: id, LastFirst: forgotten };
const mark = {
  MarkAwarded: z.int().nullable().describe('That counts; null: none.'),
  EnteredStatus: z.literal([1, 2]).nullable().describe('1: typed by staff; 2: from a file, or by the student. null: none.'),
};
const total = z.int().nullable();
const ofStaff = total.describe(
  'The total entered, else the sum of the marks if every question has one. null: neither, or absent or exempt.',
);

/** A student's row of totals in an assessment; its id is there once a total is entered. */
const totalRow = { TestTotalsID: id.nullable().describe('null: no total is entered.'), TestID: id, ...student };
const totalOf = (
  testId: string,
  { studentId, name }: { readonly studentId: string; readonly name: string | null },
  isEntered: boolean,
) => ({
  TestTotalsID: isEntered ? totalId(testId, studentId) : null,
  TestID: testId,
  UniqueID: studentId,
  LastFirst: name,
});

/** One that was taken away stays as an empty cell. */
const isEntered = (cell: SheetCell | null | undefined): boolean => (cell?.value ?? null) !== null;

const markOf = (cell: SheetCell | null | undefined): Answer<z.ZodObject<typeof mark>> => {
  if (!cell || !isEntered(cell)) return { MarkAwarded: null, EnteredStatus: null };
  return { MarkAwarded: cell.value, EnteredStatus: cell.source === 'staff' ? 1 : 2 };
};

/** Totals and question marks of a class. */
export const markReads = {
  'GET /teacher/3': read('sheet', {
    purpose: 'Totals of a class in an assessment, to type them: a row for each student.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ...totalRow,
        Total: total.describe('That staff have entered.'),
      }),
    ),
    make: ({ students }, { asks: { TestID } }) =>
      students.map((one) => ({ ...totalOf(TestID, one, isEntered(one.total)), Total: one.total?.value ?? null })),
  }),
  'GET /teacher/6': read('sheet', {
    purpose: 'Which students of a class have a total in an assessment.',
    asks: bySetAndTest,
    answers: z.array(z.object({ StudentID: id.describe('The UniqueID.'), TestID: id, TestTotalsID: id })),
    make: ({ students }, { asks: { TestID } }) =>
      students.flatMap(({ studentId, total: entered }) =>
        isEntered(entered) ? [{ StudentID: studentId, TestID, TestTotalsID: totalId(TestID, studentId) }] : [],
      ),
  }),
  'GET /teacher/12': read('sheet', {
    purpose: 'The results grid of a class: a row for each student and question.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ResultID: id.nullable().describe('null: nothing is entered.'),
        ...question,
        StudentID: id.describe('The UniqueID.'),
        ...student,
        ...mark,
      }),
    ),
    make: ({ students, questions }) =>
      students.flatMap(({ studentId, name, cells }) =>
        questions.map((paperQuestion, place) => ({
          ResultID: isEntered(cells[place]) ? resultId(paperQuestion.questionId, studentId) : null,
          ...questionOf(paperQuestion),
          StudentID: studentId,
          UniqueID: studentId,
          LastFirst: name,
          ...markOf(cells[place]),
        })),
      ),
  }),
  'GET /teacher/18': call({
    purpose: 'Marks of the students of a class in each question, beside the mean of all students: for reports of students.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ...student,
        TestID: id,
        TestName: z.string(),
        ...question,
        SResult: z.int().describe('The mark that counts; left out, it counts 0.'),
        AvResult: z.number().describe('The mean of everybody of the subject who sat it.'),
        Ratio: z.number().describe('The difference of the two, of the marks available: above 0 a strength, below 0 a target.'),
      }),
    ),
    behind: ['sheet'],
    models: ['roster', 'results'],
    async adapt(caller, { asks: { SetID: setId, TestID } }) {
      const { students, questions, name: TestName } = await caller.query('sheet', { testId: TestID, setId });
      const averages = new Map((await averagesOfAll(caller, TestID)).map(({ QuestionID, AvResult }) => [QuestionID, AvResult]));
      return students
        .filter(({ attendance, effective }) => attendance.value === 'sat' && effective.count > 0)
        .flatMap(({ studentId, name, cells }) =>
          questions.flatMap((paperQuestion, place) => {
            const AvResult = averages.get(paperQuestion.questionId);
            if (AvResult === undefined) return [];
            const SResult = cells[place]?.value ?? 0;
            const Ratio = (SResult - AvResult) / paperQuestion.max;
            return [{ UniqueID: studentId, LastFirst: name, TestID, TestName, ...questionOf(paperQuestion), SResult, AvResult, Ratio }];
          }),
        );
    },
  }),
  'GET /teacher/19': call({
    purpose: 'Totals of the students of a class in an assessment, with its thresholds: for reports of students.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ...student,
        Total: ofStaff,
        STotal: total.describe('That the student has confirmed.'),
        MaxMark: total,
        Red: z.int(),
        Amber: z.int(),
        Green: z.int(),
      }),
    ),
    behind: ['sheet', 'tracker', 'structure'],
    async adapt(caller, { asks: { SetID: setId, TestID: testId }, about: { subjectId } }) {
      const { max: MaxMark } = await caller.query('sheet', { testId, setId });
      const { students } = await caller.query('tracker', { testId, setId });
      const { yearGroups } = await caller.query('structure', { subjectId });
      const thresholds = yearGroups.flatMap(({ sets }) => sets).find((one) => one.setId === setId)?.thresholds;
      return students.flatMap(({ studentId, name, staffTotal, total: studentTotal }) =>
        thresholds
          ? [
              {
                UniqueID: studentId,
                LastFirst: name,
                Total: staffTotal,
                STotal: studentTotal,
                MaxMark,
                Red: thresholds.red,
                Amber: thresholds.amber,
                Green: thresholds.green,
              },
            ]
          : [],
      );
    },
  }),
  'GET /teacher/20': read('sheet', {
    purpose: 'Marks and totals of a class in an assessment, for its report: a row for each student and question.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({ ...student, StudentID: z.string().nullable(), ...question, MarkAwarded: mark.MarkAwarded, Total: ofStaff }),
    ),
    make: ({ students, questions }) =>
      students.flatMap(({ studentId, name, admissionNo, staffTotal, cells }) =>
        questions.map((paperQuestion, place) => ({
          UniqueID: studentId,
          LastFirst: name,
          StudentID: admissionNo,
          ...questionOf(paperQuestion),
          MarkAwarded: markOf(cells[place]).MarkAwarded,
          Total: staffTotal,
        })),
      ),
  }),
  'GET /teacher/21': call({
    purpose: 'Who of a class has submitted marks for an assessment.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ...student,
        QCount: z.int().describe('Questions of the assessment.'),
        Cnt: z.int().describe('Questions of the student that have a mark: fewer than QCount is incomplete.'),
        Status: z.int().describe('Twice QCount: staff have marked every question.'),
        TTotal: ofStaff,
        STotal: total.describe('That the student has confirmed.'),
      }),
    ),
    behind: ['tracker', 'sheet'],
    async adapt(caller, { asks: { SetID: setId, TestID: testId } }) {
      const { students, questions: QCount } = await caller.query('tracker', { testId, setId });
      const sheet = await caller.query('sheet', { testId, setId });
      const counts = new Map(sheet.students.map(({ studentId, effective }) => [studentId, effective.count]));
      return students.map(({ studentId, name, group, staffMarks, staffTotal, total: studentTotal }) => {
        const Cnt = group === 'incomplete' ? Math.max(0, Math.min(counts.get(studentId) ?? 0, QCount - 1)) : QCount;
        const Status = Cnt + (group === 'staff' ? QCount : Math.min(staffMarks, Cnt));
        return { UniqueID: studentId, LastFirst: name, QCount, Cnt, Status, TTotal: staffTotal, STotal: studentTotal };
      });
    },
  }),
  'GET /teacher/24': call({
    purpose: 'Totals of a class in an assessment, those of its teacher beside those of the students.',
    asks: bySetAndTest,
    answers: z.array(
      z.object({
        ...totalRow,
        Total: ofStaff,
        TTotal: ofStaff.describe('The same as Total.'),
        STotal: total.describe('That the student has confirmed.'),
      }),
    ),
    behind: ['tracker', 'sheet'],
    async adapt(caller, { asks: { SetID: setId, TestID } }) {
      const { students } = await caller.query('tracker', { testId: TestID, setId });
      const sheet = await caller.query('sheet', { testId: TestID, setId });
      const entered = new Set(sheet.students.flatMap((one) => (isEntered(one.total) ? one.studentId : [])));
      return students.map((one) => ({
        ...totalOf(TestID, one, entered.has(one.studentId)),
        Total: one.staffTotal,
        TTotal: one.staffTotal,
        STotal: one.total,
      }));
    },
  }),
  'GET /teacher/25': read('markbook', {
    purpose: 'Totals of a class in all its assessments, for its rank check.',
    asks: bySet,
    answers: z.array(z.object({ ...student, SetID: id, TestID: id, TestName: z.string(), MaxMark: total, Total: z.int() })),
    make: ({ students, tests }, { asks: { SetID } }) =>
      students.flatMap(({ studentId, name, totals }) =>
        tests.flatMap(({ testId, name: TestName, max }, place) => {
          const of = totals[place]?.total ?? null;
          return of === null ? [] : [{ UniqueID: studentId, LastFirst: name, SetID, TestID: testId, TestName, MaxMark: max, Total: of }];
        }),
      ),
  }),
};
