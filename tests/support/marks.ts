import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CellHistory, Markbook, MarksEnteredAnswer, Value } from '../../api/marks/marks.contract.ts';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import type { Client } from './client.ts';
import type { School } from './school.ts';
import { admissionNo, fullName } from './school.ts';

/** Marks by the student's short name. */
type Columns = Readonly<Record<string, readonly unknown[]>>;
export const fileName = 'totals.csv';

/** A cell as the query `cell` answers it. */
export const counts = (value: Value) => ({ state: 'counts', value });
export const empty = { state: 'empty' };

/** Uploads files of marks to a test school. `of`: the school, once it is open. */
export const marksIn = (of: () => School) => {
  let made = 0;
  /** A new test of 20 marks (5, 10, 5), so that tests do not interfere. */
  const newTest = async (): Promise<string> => {
    const admin = await of().as('admin');
    const { testId = '' } = await admin.done('CreateAssessment', { subjectId: of().ids.maths, name: `Test ${(made += 1)}` });
    const questions = [5, 10, 5].map((marksAvailable, index) => ({ number: index + 1, topic: 'Topic', marksAvailable }));
    await admin.done('UploadQuestions', { testId, questions });
    return testId;
  };

  const shown: string[] = [];
  /** A new test that the students of the class 11A may enter their own marks for. */
  const shownTest = async (): Promise<{ testId: string; questions: string[] }> => {
    const { maths: subjectId, setA: setId, mock, other } = of().ids;
    const [admin, testId] = [await of().as('admin'), await newTest()];
    shown.push(testId);
    await admin.done('ChangeSet', { subjectId, setId, testIds: [mock, other, ...shown] });
    await admin.done('ShowAssessment', { testId, visible: true });
    const { questions } = await admin.ask<Sheet>('sheet', { testId, setId });
    return { testId, questions: questions.map(({ questionId }) => questionId) };
  };

  /** Takes the first question off its paper. Resolves to what undoes that. */
  const withoutFirst = async ({ testId, questions: [, ...others] }: { testId: string; questions: string[] }) => {
    const questions = others.map((questionId, index) => ({ questionId, topic: 'Topic', marksAvailable: [10, 5][index] }));
    const { commandId } = await (await of().as('admin')).done('EditQuestions', { testId, questions });
    return { testId, commandId };
  };

  const rowsOf = (columns: Columns) =>
    Object.entries(columns).map(([short, values]) => ({ admissionNo: admissionNo(short), name: fullName(short), totals: values }));

  /** A totals file for several classes; `Test 1` is the first of `testIds` in each of them. */
  const totalsFile = (testIds: readonly string[], totals: Columns, sets?: readonly string[]) => {
    const { maths, setA, setB, setC } = of().ids;
    return { subjectId: maths, classes: (sets ?? [setA, setB, setC]).map((setId) => ({ setId, testIds })), rows: rowsOf(totals) };
  };

  const marksFile = (testId: string, marks: Columns, setIds?: readonly string[]) => ({
    subjectId: of().ids.maths,
    testId,
    setIds: setIds ?? [of().ids.setA],
    rows: rowsOf(marks).map(({ totals, ...row }) => ({ ...row, marks: totals })),
  });

  const upload = (who: Client, testId: string, totals: Columns, more: object = {}) =>
    who.done<Uploaded>('UploadTotals', { ...totalsFile([testId], totals), fileName, ...more });

  /** A save of an open grid: in a sitting of its own, unless `more` says otherwise. Resolves to what undoes it, too. */
  const enter = async (who: Client, cells: readonly object[], more: object = {}) => {
    const save = { entryId: randomUUID(), subjectId: of().ids.maths, seq: 1, ...more };
    return { entryId: save.entryId, ...(await who.done<MarksEnteredAnswer>('EnterMarks', { ...save, cells })) };
  };

  /** The cell of a student's total. */
  const history = async (testId: string, short: string): Promise<CellHistory> =>
    (await of().as('leader')).ask('cell', { testId, studentId: of().ids.students[short] });
  const reading = async (testId: string, short: string) => (await history(testId, short)).reading;

  const totalInMarkbook = async (testId: string, short: string) => {
    const leader = await of().as('leader');
    const { tests, students } = await leader.ask<Markbook>('markbook', { yearGroupId: of().ids.year });
    return students.find((one) => one.admissionNo === admissionNo(short))?.totals[tests.findIndex((one) => one.testId === testId)];
  };

  /** The refusal of a file, which must be the same in the preview and change nothing. */
  const refused = async (who: Client, kind: 'totals' | 'marks', body: object) => {
    const { store } = of().backend;
    const before = await store.head();
    const answers = [
      await who.command(kind === 'totals' ? 'UploadTotals' : 'UploadMarks', { ...body, fileName }),
      await who.query(`preview-${kind}`, body),
    ].map((answer) => ({ status: answer.status, code: answer.body.code, title: answer.body.title, errors: answer.body.errors ?? [] }));
    expect(await store.head()).toBe(before);
    expect(answers[1]).toEqual(answers[0]);
    return answers[0];
  };

  return { newTest, shownTest, withoutFirst, totalsFile, marksFile, upload, enter, history, reading, totalInMarkbook, refused };
};
