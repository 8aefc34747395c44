import { z } from 'zod';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { messages } from '../../contract/limits.ts';
import { ownersOf, partsOf } from '../admin/look-up.ts';
import type { Caller } from '../caller.ts';
import { endpointScoreId, resultId, totalId } from '../ids.ts';
import { entering } from '../marks.ts';
import type { Step } from '../step.ts';
import { nothingToDo, stepOfRows } from '../step.ts';
import type { InSubject } from '../students.ts';
import { studentsIn } from '../students.ts';
import type { Added, Tables } from '../tables.ts';
import { table } from '../tables.ts';

const STORED = 'All rows of a request are stored, or none.';

/** Older programs send 60 along with a teacher's upload. It says nothing about a student. */
const ignored = { FeedbackTotal: z.unknown().optional() };
const IGNORED = 'FeedbackTotal, the feedback total of 60 that is passed along, is accepted and ignored.';

const resultColumns = z.strictObject({
  StudentID: id,
  QuestionID: id,
  MarkAwarded: z.int(messages.manualNotInteger).min(0, messages.manualNotInteger).nullable(),
  EnteredStatus: z.literal([1, 2]).optional(),
  ...ignored,
});
type Result = Added<z.output<typeof resultColumns>> & { readonly id: string; readonly testId: string; readonly subjectId: string };

/** A row with a key names all that one without has: the key is made of it. @throws ProblemError `invalid-input` */
const required = (place: number, values: object, columns: readonly string[]): void => {
  for (const column of columns)
    if ((values as Readonly<Record<string, unknown>>)[column] === undefined)
      throw invalidInput(`data.${place}.values.${column}`, 'Required.');
};
/** @throws ProblemError `invalid-input` */
const ownKey = (
  place: number,
  { key, rowId, column }: { readonly key: string | null; readonly rowId: string; readonly column: string },
): string => {
  if (key !== null && key !== rowId) throw invalidInput(`data.${place}.keyval.${column}`, 'This is the id of another row.');
  return rowId;
};

/** What teachers write of marks, and leaders of prior scores. */
export const markTables: Tables = {
  TestTotals: table({
    behind: ['EnterMarks'],
    models: ['results'],
    key: 'TestTotalsID',
    columns: z.strictObject({
      TestID: id,
      StudentID: id,
      Total: z.int(messages.manualNotInteger).min(0, messages.manualNotInteger).nullable(),
      ...ignored,
    }),
    unique: ['StudentID', 'TestID'],
    differs: `${STORED} A total that stands by the same account already is not stored again. ${IGNORED}`,
    add: (caller, rows) =>
      entering(
        caller,
        rows.map(({ place, key, values }) => {
          required(place, values, ['TestID', 'StudentID', 'Total']);
          const { TestID, StudentID, Total } = values;
          const rowId = ownKey(place, { key, rowId: totalId(TestID, StudentID), column: 'TestTotalsID' });
          return { place, id: rowId, testId: TestID, studentId: StudentID, mark: Total };
        }),
      ),
  }),

  QuestionResults: table({
    behind: ['EnterMarks', 'UploadMarks'],
    models: ['results'],
    key: 'ResultID',
    columns: resultColumns,
    unique: ['StudentID', 'QuestionID'],
    differs: `${STORED} EnteredStatus 1, or none, is typed by hand: MarkAwarded null takes a mark away. 2 comes from a file: null says nothing. ${IGNORED}`,
    add: async (caller, rows) => {
      for (const { place, values } of rows) required(place, values, ['StudentID', 'QuestionID', 'MarkAwarded']);
      const owner = await ownersOf(
        caller,
        'question',
        rows.map(({ values }) => values.QuestionID),
      );
      const results = rows.map((row): Result => {
        const { QuestionID, StudentID } = row.values;
        const { of: testId, subjectId } = owner(QuestionID);
        const rowId = ownKey(row.place, { key: row.key, rowId: resultId(QuestionID, StudentID), column: 'ResultID' });
        return { ...row, id: rowId, testId: testId ?? '', subjectId };
      });
      const typed = results.filter(({ values }) => values.EnteredStatus !== 2);
      return [...(await typing(caller, typed)), ...(await uploading(caller, results))];
    },
  }),

  EndpointScores: table({
    behind: ['EnterPriorScores'],
    models: ['prior'],
    key: 'EndpointScoresID',
    columns: z.strictObject({
      StudentID: id,
      EndpointID: id,
      EndScore: z.union([z.string(), z.number()]).nullable(),
      DateCompleted: z.coerce.number().int(),
    }),
    unique: ['StudentID', 'EndpointID', 'DateCompleted'],
    differs: 'For leaders and admins. All rows of one exam and year are stored, or none; a row without a score says nothing.',
    add: async (caller, rows) => {
      for (const { place, values } of rows) required(place, values, ['StudentID', 'EndpointID', 'DateCompleted']);
      const owner = await ownersOf(
        caller,
        'exam',
        rows.map(({ values }) => values.EndpointID),
      );
      const scored = rows.map(({ place, key, values }) => {
        const { EndpointID, StudentID, EndScore, DateCompleted } = values;
        const rowId = ownKey(place, { key, rowId: endpointScoreId(EndpointID, StudentID), column: 'EndpointScoresID' });
        return { place, rowId, EndpointID, StudentID, DateCompleted, score: String(EndScore ?? '').trim() };
      });
      const withScore = scored.filter(({ score }) => score !== '');
      const silent = scored.filter(({ score }) => score === '');
      await inSubject(
        caller,
        silent.map(({ StudentID, EndpointID }) => ({ studentId: StudentID, subjectId: owner(EndpointID).subjectId })),
      );
      const entries = Map.groupBy(withScore, ({ EndpointID, DateCompleted }) => `${EndpointID} ${DateCompleted}`);
      return [
        ...entries.values().map((ofExam) => {
          const [{ EndpointID: terminalExamId = '', DateCompleted: yearCompleted = 0 } = {}] = ofExam;
          return stepOfRows(
            ofExam.map((row) => [row.place, row.rowId] as const),
            'EnterPriorScores',
            {
              subjectId: owner(terminalExamId).subjectId,
              terminalExamId,
              yearCompleted,
              scores: ofExam.map(({ StudentID: studentId, score }) => ({ studentId, score })),
            },
          );
        }),
        ...(silent.length === 0 ? [] : [nothingToDo(silent.map(({ place, rowId }) => [place, rowId] as const))]),
      ];
    },
  }),
};

/** What a row without a score is about is there all the same. @throws ProblemError `not-found` */
const inSubject = async (caller: Caller, rows: readonly OfStudent[]): Promise<void> => {
  if (rows.length === 0) return;
  const studentIn = await studentsOf(caller, rows);
  const isKnown = rows.every((row) => studentIn(row) !== undefined);
  if (!isKnown) throw new ProblemError('not-found', 'There is no such student in the subject.');
};

const typing = async (caller: Caller, rows: readonly Result[]): Promise<readonly Step[]> =>
  rows.length === 0
    ? []
    : entering(
        caller,
        rows.map(({ place, id: rowId, testId, values: { StudentID, QuestionID, MarkAwarded } }) => {
          return { place, id: rowId, testId, studentId: StudentID, questionId: QuestionID, mark: MarkAwarded };
        }),
      );

type OfStudent = { readonly studentId: string; readonly subjectId: string };

/** The students of these subjects; undefined: not in the subject. */
const studentsOf = async (caller: Caller, rows: readonly OfStudent[]) => {
  const of = new Map<string, ReadonlyMap<string, InSubject>>();
  for (const subjectId of new Set(rows.map((row) => row.subjectId)))
    of.set(subjectId, new Map((await studentsIn(caller, subjectId)).map((student) => [student.studentId, student])));
  return ({ studentId, subjectId }: OfStudent): InSubject | undefined => of.get(subjectId)?.get(studentId);
};

/** The marks of a file, as an upload for each assessment. @param results of them those with EnteredStatus 2 @throws ProblemError `not-found` */
const uploading = async (caller: Caller, results: readonly Result[]): Promise<readonly Step[]> => {
  const rows = results.filter(({ values }) => values.EnteredStatus === 2);
  const marked = rows.filter(({ values }) => values.MarkAwarded !== null);
  const silent = rows.filter(({ values }) => values.MarkAwarded === null);
  const studentIn = await studentsOf(
    caller,
    marked.map(({ subjectId, values: { StudentID: studentId } }) => ({ subjectId, studentId })),
  );
  const questions = await partsOf(
    caller,
    'test',
    marked.map(({ testId }) => testId),
  );
  const steps = [...Map.groupBy(marked, ({ testId }) => testId)].map(([testId, ofTest]): Step => {
    const questionIds = questions.get(testId) ?? [];
    const inClass = ofTest.map((row) => {
      const student = studentIn({ subjectId: row.subjectId, studentId: row.values.StudentID });
      const { admissionNo = null, name = null } = student ?? {};
      const column = questionIds.indexOf(row.values.QuestionID);
      if (student?.isInClass && admissionNo !== null && name !== null && column >= 0)
        return { row, student: { ...student, admissionNo, name }, column };
      throw new ProblemError('not-found', 'There is no such student, assessment or question.', {
        errors: [{ path: `data.${row.place}.values`, message: 'There is no such student in a class of the subject, or no such question.' }],
      });
    });
    const byStudent = [...Map.groupBy(inClass, ({ student }) => student.studentId).values()];
    return stepOfRows(
      ofTest.map(({ place, id: of }) => [place, of] as const),
      'UploadMarks',
      {
        subjectId: ofTest[0]?.subjectId ?? '',
        testId,
        setIds: [...new Set(inClass.map(({ student }) => student.setId))],
        fileName: 'results.csv',
        rows: byStudent.map((cells) => ({
          admissionNo: cells[0]?.student.admissionNo ?? '',
          name: cells[0]?.student.name ?? '',
          marks: questionIds.map((_, column) => cells.find((cell) => cell.column === column)?.row.values.MarkAwarded ?? null),
        })),
      },
    );
  });
  return [...steps, ...(silent.length === 0 ? [] : [nothingToDo(silent.map(({ place, id: of }) => [place, of] as const))])];
};
