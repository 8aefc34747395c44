import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CellHistory, Markbook, RecentUploads, UploadClasses, Uploaded, UploadPreview, Value } from '../../api/contract/marks.ts';
import type { Client } from '../support/client.ts';
import type { School } from '../support/school.ts';
import { admissionNo, fullName, openSchool } from '../support/school.ts';

let school: School;
let admin: Client;
let leader: Client;
let teacherA: Client;
let teacherB: Client;
beforeAll(async () => {
  school = await openSchool();
  [admin, leader, teacherA, teacherB] = await Promise.all([
    school.as('admin'),
    school.as('leader'),
    school.as('teacherA'),
    school.as('teacherB'),
  ]);
});
afterAll(() => school.close());

type Totals = Readonly<Record<string, readonly unknown[]>>;
let made = 0;
/** A fresh test of 20 marks (5, 10, 5), so that no test stands in another one's way. */
const newTest = async (): Promise<string> => {
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId: school.ids.maths, name: `Test ${(made += 1)}` });
  await admin.done('UploadQuestions', {
    testId,
    questions: [5, 10, 5].map((marksAvailable, index) => ({ number: index + 1, topic: 'Topic', marksAvailable })),
  });
  return testId;
};
const rowsOf = (totals: Totals) =>
  Object.entries(totals).map(([short, values]) => ({ admissionNo: admissionNo(short), name: fullName(short), totals: values }));
/** A totals file about one class after another; `Test 1` is the first of `testIds` in each of them. */
const totalsFile = (
  testIds: readonly string[],
  totals: Totals,
  sets: readonly string[] = [school.ids.setA, school.ids.setB, school.ids.setC],
) => ({ subjectId: school.ids.maths, classes: sets.map((setId) => ({ setId, testIds })), rows: rowsOf(totals) });
const fileName = 'totals.csv';
const upload = (who: Client, testId: string, totals: Totals, more: object = {}) =>
  who.done<Uploaded>('UploadTotals', { ...totalsFile([testId], totals), fileName, ...more });
const marksFile = (testId: string, marks: Totals, setIds: readonly string[] = [school.ids.setA]) => ({
  subjectId: school.ids.maths,
  testId,
  setIds,
  rows: rowsOf(marks).map(({ totals, ...row }) => ({ ...row, marks: totals })),
});

const history = (testId: string, short: string): Promise<CellHistory> =>
  leader.ask('cell', { testId, studentId: school.ids.students[short] });
const reading = async (testId: string, short: string) => (await history(testId, short)).reading;
const counts = (value: Value) => ({ state: 'counts', value });
const empty = { state: 'empty' };
const totalInMarkbook = async (testId: string, short: string) => {
  const { tests, students } = await leader.ask<Markbook>('markbook', { yearGroupId: school.ids.year });
  return students.find((one) => one.admissionNo === admissionNo(short))?.totals[tests.findIndex((one) => one.testId === testId)];
};
/** The answer of a command that is refused and changes nothing. */
const refused = async (who: Client, name: 'UploadTotals' | 'UploadMarks', body: object) => {
  const before = await school.backend.store.head();
  const answer = await who.command(name, { ...body, fileName });
  expect(await school.backend.store.head()).toBe(before);
  return { status: answer.status, code: answer.body.code, title: answer.body.title, errors: answer.body.errors ?? [] };
};
/** A file that is refused by the preview in the same words as by the command. */
const refusedTwice = async (who: Client, kind: 'totals' | 'marks', body: object) => {
  const answer = await refused(who, kind === 'totals' ? 'UploadTotals' : 'UploadMarks', body);
  const preview = await who.query(`preview-${kind}`, body);
  expect({ status: preview.status, code: preview.body.code, title: preview.body.title, errors: preview.body.errors ?? [] }).toEqual(answer);
  return answer;
};

describe('a file that is refused as a whole', () => {
  test('with marks above the maximum: every one is listed', async () => {
    const [first, second] = [await newTest(), await newTest()];
    const answer = await refusedTwice(
      leader,
      'totals',
      totalsFile([first, second], { A1: [20, 21], A2: [5, 20], B1: [99, 3], C1: [1_000_000_000, null] }),
    );
    expect(answer).toEqual({
      status: 422,
      code: 'above-maximum',
      title: 'The submitted total exceeds the maximum on Test 1,Test 2',
      errors: [
        { path: 'rows.0.1', message: 'A1, Student: 21 for Test 2 is above the maximum of 20' },
        { path: 'rows.2.0', message: 'B1, Student: 99 for Test 1 is above the maximum of 20' },
        { path: 'rows.3.0', message: 'C1, Student: 1000000000 for Test 1 is above the maximum of 20' },
      ],
    });
  });

  test('with question marks above the maximum: student, mark, question and maximum are named', async () => {
    const answer = await refusedTwice(leader, 'marks', marksFile(await newTest(), { A1: [6, 10, 5], A2: [5, 11, 6] }));
    expect(answer).toMatchObject({ code: 'above-maximum', title: 'There are marks above the maximum on Q1,Q2,Q3. Nothing was uploaded.' });
    expect(answer.errors.map(({ message }) => message)).toEqual([
      'A1, Student: 6 for Q1 is above the maximum of 5',
      'A2, Student: 11 for Q2 is above the maximum of 10',
      'A2, Student: 6 for Q3 is above the maximum of 5',
    ]);
  });

  test.each([-1, 12.5, 'twelve', '12', true, 1e300, [1]])('with %j in place of a mark', async (value) => {
    const nonNumeric = 'The upload file contains non numeric data. Please check before uploading again.';
    const testId = await newTest();
    expect(await refusedTwice(leader, 'totals', totalsFile([testId], { A1: [4], A2: [value] }))).toMatchObject({
      status: 422,
      title: nonNumeric,
      errors: [{ path: 'rows.1.totals.0', message: nonNumeric }],
    });
    expect(await refusedTwice(leader, 'marks', marksFile(testId, { A1: [4], A2: [1, value] }))).toMatchObject({
      status: 422,
      title: nonNumeric,
      errors: [{ path: 'rows.1.marks.1', message: nonNumeric }],
    });
    expect(await reading(testId, 'A1')).toEqual(empty);
  });

  test('with the same student twice, in whatever spelling', async () => {
    const testId = await newTest();
    const file = totalsFile([testId], { A1: [4] });
    const answer = await refusedTwice(leader, 'totals', {
      ...file,
      rows: [...file.rows, { admissionNo: ' 00a1 ', name: 'Again', totals: [5] }],
    });
    expect(answer).toMatchObject({
      status: 422,
      errors: [{ path: 'rows.1.admissionNo', message: 'Again (00a1) is there already in row 1' }],
    });
  });

  test('with more than six tests', async () => {
    const tests = await Promise.all(Array.from({ length: 7 }, newTest));
    expect(await refusedTwice(leader, 'totals', totalsFile(tests, { A1: [1] }))).toMatchObject({
      status: 422,
      title: 'You can only select a maximum of 6 tests',
    });
    expect(await refusedTwice(leader, 'totals', totalsFile(tests.slice(0, 6), { A1: [1, 2, 3, 4, 5, 6, 7] }))).toMatchObject({
      status: 422,
    });
  });

  test('with students of a class in which its teacher may not write: they are named', async () => {
    const testId = await newTest();
    const answer = await refusedTwice(teacherA, 'totals', totalsFile([testId], { A1: [1], B2: [2], C3: [3] }));
    expect(answer).toMatchObject({ status: 403, code: 'not-your-set' });
    expect(answer.errors.map(({ message }) => message)).toEqual(['B2, Student (11B)', 'C3, Student (11C)']);
    expect(await reading(testId, 'A1')).toEqual(empty);
  });

  test('the same where only the tests of his own class were chosen', async () => {
    const testId = await newTest();
    expect(await refusedTwice(teacherA, 'totals', totalsFile([testId], { A1: [1], B2: [2] }, [school.ids.setA]))).toMatchObject({
      status: 403,
      code: 'not-your-set',
    });
    expect(
      await refusedTwice(teacherA, 'marks', marksFile(testId, { A1: [1], B2: [2] }, [school.ids.setA, school.ids.setB])),
    ).toMatchObject({ status: 403, code: 'not-your-set' });
  });

  test('for a test without questions, of another subject, chosen twice, or of a class whose tests were not chosen', async () => {
    const { unready, forces, setA } = school.ids;
    const testId = await newTest();
    expect(await refusedTwice(leader, 'totals', totalsFile([unready], { A1: [1] }))).toMatchObject({
      status: 422,
      title: 'Unready has no questions yet. Add them first: the maximum mark is their sum.',
    });
    expect(await refusedTwice(leader, 'marks', marksFile(unready, { A1: [1] }))).toMatchObject({ status: 422 });
    expect(await refusedTwice(leader, 'totals', totalsFile([forces], { A1: [1] }))).toMatchObject({
      status: 422,
      title: 'There is no such assessment in this subject.',
    });
    expect(await refusedTwice(leader, 'totals', totalsFile([testId, testId], { A1: [1, 2] }))).toMatchObject({
      status: 422,
      title: 'Each test can be chosen once per class.',
    });
    expect(await refusedTwice(leader, 'totals', totalsFile([testId], { A1: [1], B1: [2] }, [setA]))).toMatchObject({
      status: 422,
      title: 'Select the tests of 11B first.',
    });
    expect(await refusedTwice(leader, 'totals', totalsFile([testId], { A1: [1] }, [school.ids.setS]))).toMatchObject({
      status: 422,
      title: 'There is no such class in this subject.',
    });
    expect(await refusedTwice(leader, 'marks', marksFile(testId, { A1: [1, 2, 3, 4] }))).toMatchObject({
      status: 422,
      title: 'The file has marks for Q4, but this assessment has 3 questions.',
    });
  });
});

describe('students of a file', () => {
  test('that nobody knows are listed and left out, the others are stored', async () => {
    const testId = await newTest();
    const file = totalsFile([testId], { A1: [4], X9: [5], A2: [6] });
    const unmatched = [{ admissionNo: '00X9', name: 'X9, Student' }];
    const preview = await leader.ask<UploadPreview>('preview-totals', file);
    expect(preview.unmatched).toEqual(unmatched);
    expect(await upload(leader, testId, { A1: [4], X9: [5], A2: [6] })).toMatchObject({ stored: 2, unmatched });
    expect(
      await leader.ask<UploadClasses>('upload-classes', {
        subjectId: school.ids.maths,
        students: file.rows.map(({ totals: _, ...row }) => row),
      }),
    ).toMatchObject({ unmatched, classes: [{ name: '11A', students: 2, mayWrite: true }] });
  });

  test('outside the selected group are left out of a results file', async () => {
    const testId = await newTest();
    const stored = await leader.done<Uploaded>('UploadMarks', { ...marksFile(testId, { A1: [4], B1: [5] }), fileName });
    expect(stored).toMatchObject({ stored: 1, unmatched: [{ admissionNo: '00B1', name: 'B1, Student' }] });
  });

  test('with a number for a StudentID keep its zeros: 00123 is not 123', async () => {
    const { maths, setC } = school.ids;
    for (const number of ['00123', '123']) {
      await admin.done('AddStudent', { subjectId: maths, setId: setC, admissionNo: number, name: `Number ${number}`, dateOfBirth: null });
    }
    const testId = await newTest();
    const file = {
      ...totalsFile([testId], {}),
      rows: [
        { admissionNo: '00123', name: '', totals: [7] },
        { admissionNo: '0123', name: '', totals: [8] },
      ],
    };
    const preview = await leader.ask<UploadPreview>('preview-totals', file);
    expect(preview.students.map((one) => [one.admissionNo, one.name])).toEqual([['00123', 'Number 00123']]);
    expect(preview.unmatched).toEqual([{ admissionNo: '0123', name: '' }]);
    await leader.done('UploadTotals', { ...file, fileName });
    const { students, tests } = await leader.ask<Markbook>('markbook', { yearGroupId: school.ids.year });
    const at = tests.findIndex((one) => one.testId === testId);
    expect(students.flatMap((one) => (one.totals[at]?.total === null ? [] : [[one.admissionNo, one.totals[at]?.total]]))).toEqual([
      ['00123', 7],
    ]);
  });

  test('off-roll are not matched', async () => {
    const { maths, setC } = school.ids;
    const { studentId } = await admin.done('AddStudent', {
      subjectId: maths,
      setId: setC,
      admissionNo: '00gone',
      name: 'Gone',
      dateOfBirth: null,
    });
    await admin.done('TakeOffRoll', { subjectId: maths, studentId });
    expect(await upload(leader, await newTest(), { gone: [3] })).toMatchObject({ stored: 0, unmatched: [{ admissionNo: '00gone' }] });
  });
});

describe('cells of a file', () => {
  test('each class has its own tests in the order chosen', async () => {
    const [one, two] = [await newTest(), await newTest()];
    const { setA, setB } = school.ids;
    await leader.done('UploadTotals', {
      ...totalsFile([], { A1: [1, 2], B1: [3, 4] }),
      classes: [
        { setId: setA, testIds: [one, two] },
        { setId: setB, testIds: [two, one] },
      ],
      fileName,
    });
    expect(await Promise.all([reading(one, 'A1'), reading(two, 'A1'), reading(two, 'B1'), reading(one, 'B1')])).toEqual(
      [1, 2, 3, 4].map(counts),
    );
  });

  test('that are empty neither set nor clear', async () => {
    const [one, two] = [await newTest(), await newTest()];
    await leader.done('UploadTotals', { ...totalsFile([one, two], { A1: [5, 6] }), fileName });
    await leader.done('UploadTotals', { ...totalsFile([one, two], { A1: [null, 7], A2: [null, null] }), fileName });
    expect(await Promise.all([reading(one, 'A1'), reading(two, 'A1'), reading(one, 'A2')])).toEqual([counts(5), counts(7), empty]);
  });

  test('are shown before they are replaced, with what stands there', async () => {
    const testId = await newTest();
    await upload(leader, testId, { A1: [5], A2: [0] });
    const { students } = await leader.ask<UploadPreview>('preview-totals', totalsFile([testId], { A1: [6], A2: [0], A3: [20] }));
    expect(students.map(({ cells }) => cells)).toEqual([
      [{ column: 0, is: 6, now: [5], change: 'replaced' }],
      [{ column: 0, is: 0, now: [0], change: 'equal' }],
      [{ column: 0, is: 20, now: [], change: 'new' }],
    ]);
    expect(
      await upload(
        leader,
        testId,
        { A1: [6], A2: [0], A3: [20] },
        {
          saw: [
            { admissionNo: '00A1', column: 0, values: [5] },
            { admissionNo: '00A2', column: 0, values: [0] },
          ],
        },
      ),
    ).toMatchObject({ stored: 2, unchanged: 1 });
    expect(await Promise.all(['A1', 'A2', 'A3'].map((short) => reading(testId, short)))).toEqual([6, 0, 20].map(counts));
  });
});

describe('two people in one cell', () => {
  test('two uploads of one class at once are merged cell by cell; where they differ both values are kept and shown', async () => {
    const [one, two] = [await newTest(), await newTest()];
    const saw: never[] = [];
    await Promise.all([
      teacherA.done('UploadTotals', { ...totalsFile([one, two], { A1: [10, null], A2: [12, null], A3: [8, null] }), fileName, saw }),
      leader.done('UploadTotals', { ...totalsFile([one, two], { A1: [null, 4], A2: [13, 5], A3: [8, 6], A4: [7, null] }), fileName, saw }),
    ]);
    expect(await Promise.all([reading(one, 'A1'), reading(two, 'A1'), reading(two, 'A2'), reading(one, 'A3'), reading(one, 'A4')])).toEqual(
      [10, 4, 5, 8, 7].map(counts),
    );
    const contested = await reading(one, 'A2');
    expect(contested).toMatchObject({ state: 'contested', values: expect.arrayContaining([12, 13]) });
    const shown = await totalInMarkbook(one, 'A2');
    expect(shown).toMatchObject({ contested: true, source: 'total', total: contested.state === 'contested' ? contested.value : undefined });
    expect(await totalInMarkbook(one, 'A3')).toMatchObject({ contested: false, total: 8 });

    const { changes } = await history(one, 'A2');
    expect(changes.map(({ is, head, by, how }) => ({ is, head, by, how })).sort((a, b) => Number(a.is) - Number(b.is))).toEqual([
      { is: 12, head: true, by: 'teacherA', how: 'upload' },
      { is: 13, head: true, by: 'leader', how: 'upload' },
    ]);
  });

  test('what changed after the preview is not overwritten: it becomes a question', async () => {
    const testId = await newTest();
    await upload(teacherA, testId, { A1: [10], A2: [10] });
    const saw = [
      { admissionNo: '00A1', column: 0, values: [10] },
      { admissionNo: '00A2', column: 0, values: [10] },
    ];
    await upload(leader, testId, { A1: [15] });
    await upload(teacherA, testId, { A1: [12], A2: [12], A3: [1] }, { saw });
    expect(await reading(testId, 'A1')).toEqual({ state: 'contested', value: 15, values: [15, 12] });
    expect(await reading(testId, 'A2')).toEqual(counts(12));
    expect(await reading(testId, 'A3')).toEqual(counts(1));
  });

  test('a contested cell is decided by an upload only where its user ticked it; elsewhere his value joins the others', async () => {
    const testId = await newTest();
    await upload(teacherA, testId, { A1: [10], A2: [10] }, { saw: [] });
    await upload(leader, testId, { A1: [11], A2: [11] }, { saw: [] });
    const preview = await teacherA.ask<UploadPreview>('preview-totals', totalsFile([testId], { A1: [12], A2: [12] }));
    expect(preview.counts).toEqual({ equal: 0, new: 0, replaced: 0, contested: 2 });
    const saw = preview.students.map(({ admissionNo: number, cells }) => ({ admissionNo: number, column: 0, values: cells[0]?.now }));
    await upload(teacherA, testId, { A1: [12], A2: [12] }, { saw, decides: [{ admissionNo: '00A1', column: 0 }] });
    expect(await reading(testId, 'A1')).toEqual(counts(12));
    expect(await reading(testId, 'A2')).toEqual({ state: 'contested', value: 10, values: [10, 11, 12] });
  });

  test('a tick in a cell where a third value has come since covers only what its user saw', async () => {
    const testId = await newTest();
    await upload(teacherA, testId, { A1: [10] }, { saw: [] });
    await upload(leader, testId, { A1: [11] }, { saw: [] });
    await upload(admin, testId, { A1: [13] }, { saw: [] });
    await upload(
      teacherA,
      testId,
      { A1: [12] },
      { saw: [{ admissionNo: '00A1', column: 0, values: [10, 11] }], decides: [{ admissionNo: '00A1', column: 0 }] },
    );
    expect(await reading(testId, 'A1')).toEqual({ state: 'contested', value: 13, values: [13, 12] });
  });

  test('who saw them all decides, in the grid too', async () => {
    const testId = await newTest();
    await upload(teacherA, testId, { A1: [10] }, { saw: [] });
    await upload(leader, testId, { A1: [11] }, { saw: [] });
    const decision = {
      entryId: randomUUID(),
      subjectId: school.ids.maths,
      testId,
      studentId: school.ids.students['A1'],
      is: 11,
      was: [10, 11],
    };
    expect(await teacherA.done('DecideMark', decision)).toEqual({ decided: true });
    expect(await reading(testId, 'A1')).toEqual(counts(11));
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 11, contested: false });
  });
});

describe('undo of an upload', () => {
  test('brings back what stood before, and redo takes it away again', async () => {
    const testId = await newTest();
    await upload(leader, testId, { A1: [10] });
    const { entryId, commandId } = await upload(teacherA, testId, { A1: [12], A2: [13] });
    const state = () => Promise.all([reading(testId, 'A1'), reading(testId, 'A2'), totalInMarkbook(testId, 'A1')]);
    const after = await state();
    await teacherA.done('UndoCommand', { entryId, commandId });
    expect(await state()).toMatchObject([counts(10), empty, { total: 10 }]);
    const { body } = await teacherA.command('UndoCommand', { entryId, commandId });
    expect(body).toMatchObject({ position: null, result: { undone: true } });
    await teacherA.done('RedoCommand', { entryId, commandId });
    expect(await state()).toEqual(after);
  });

  test('is not for another teacher, but for the leader', async () => {
    const testId = await newTest();
    const { entryId, commandId } = await upload(teacherB, testId, { B1: [12] });
    const inB = await admin.done<Uploaded>('UploadTotals', { ...totalsFile([testId], { A1: [3] }), fileName });
    const tried = [
      await teacherA.command('UndoCommand', { entryId, commandId }),
      // In his own class, but not his own upload.
      await teacherA.command('UndoCommand', { entryId: inB.entryId, commandId: inB.commandId }),
      await (await school.as('scienceLeader')).command('UndoCommand', { entryId, commandId }),
    ];
    expect(tried.map(({ status, body }) => `${status} ${body.code}`)).toEqual(['403 not-your-set', '403 forbidden', '403 not-your-set']);
    expect(await reading(testId, 'B1')).toEqual(counts(12));
    await leader.done('UndoCommand', { entryId, commandId });
    expect(await reading(testId, 'B1')).toEqual(empty);
  });

  test('is offered in the list of uploads to whom it is allowed', async () => {
    const testId = await newTest();
    const { commandId } = await upload(teacherA, testId, { A1: [12], A2: [1] });
    const listed = async (who: Client) =>
      (await who.ask<RecentUploads>('uploads', { subjectId: school.ids.maths })).uploads.find((one) => one.commandId === commandId);
    expect(await listed(teacherA)).toMatchObject({
      kind: 'totals',
      fileName,
      cells: 2,
      students: 2,
      sets: ['11A'],
      by: 'teacherA',
      undone: false,
      mayUndo: true,
    });
    expect(await listed(leader)).toMatchObject({ mayUndo: true });
    expect(await listed(await school.as('auditor'))).toMatchObject({ mayUndo: false });
    expect(await listed(teacherB)).toBeUndefined();
  });

  test('of what never was', async () => {
    const answer = await admin.command('UndoCommand', { entryId: randomUUID(), commandId: randomUUID() });
    expect([answer.status, answer.body.code]).toEqual([404, 'not-found']);
  });
});

describe('saves of an open grid', () => {
  const save = (who: Client, body: object) =>
    who.done<{ stored: number; refused: { reason: string; message: string }[] }>('EnterMarks', { subjectId: school.ids.maths, ...body });

  test('store what may be stored, and list the rest with a reason', async () => {
    const testId = await newTest();
    const { students } = school.ids;
    const entryId = randomUUID();
    const body = {
      entryId,
      seq: 1,
      cells: [
        { studentId: students['A1'], testId, is: 5 },
        { studentId: students['A2'], testId, is: 21 },
        { studentId: students['A3'], testId, is: -1 },
        { studentId: students['B1'], testId, is: 5 },
        { studentId: randomUUID(), testId, is: 5 },
        { studentId: students['A4'], testId, questionId: randomUUID(), is: 5 },
        { studentId: students['A4'], testId, attendance: true, is: 'absent' },
      ],
    };
    const answer = await save(teacherA, body);
    expect(answer.stored).toBe(2);
    expect(answer.refused.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'above-maximum: Max mark available is 20',
      'not-a-mark: Value must be an integer',
      'not-your-set: You may not write in this class.',
      'unknown-student: This student is in no class of this subject.',
      'unknown-question: There is no such question in this subject.',
    ]);
    const head = await school.backend.store.head();
    expect(await save(teacherA, body)).toEqual(answer);
    expect(await school.backend.store.head()).toBe(head);
  });

  test('a cell that is typed twice in one save has its last value', async () => {
    const testId = await newTest();
    const studentId = school.ids.students['A1'];
    expect(
      await save(teacherA, {
        entryId: randomUUID(),
        seq: 1,
        cells: [
          { studentId, testId, is: 5, was: [] },
          { studentId, testId, is: 6, was: [5] },
        ],
      }),
    ).toEqual({ stored: 1, refused: [] });
    expect((await history(testId, 'A1')).changes).toMatchObject([{ is: 6, was: [] }]);
  });

  test('an entry belongs to its author: another one is neither answered from it nor writes into it', async () => {
    const testId = await newTest();
    const body = { entryId: randomUUID(), seq: 1, cells: [{ studentId: school.ids.students['A1'], testId, is: 99 }] };
    await save(teacherA, body);
    const answer = await leader.command('EnterMarks', { subjectId: school.ids.maths, ...body });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });

  test('absent: the total is kept, and does not count', async () => {
    const testId = await newTest();
    const studentId = school.ids.students['A1'];
    const entryId = randomUUID();
    await save(teacherA, { entryId, seq: 1, cells: [{ studentId, testId, is: 15 }] });
    await save(teacherA, { entryId, seq: 2, cells: [{ studentId, testId, attendance: true, is: 'absent' }] });
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: null, attendance: 'absent' });
    await save(teacherA, { entryId, seq: 3, cells: [{ studentId, testId, attendance: true, is: 'sat' }] });
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 15, attendance: 'sat' });
  });

  test('a leader who saw 18 and writes 20 corrects it; an offline tab that saw something else asks', async () => {
    const testId = await newTest();
    const studentId = school.ids.students['A1'];
    await save(teacherA, { entryId: randomUUID(), seq: 1, cells: [{ studentId, testId, is: 18, was: [] }] });
    await save(leader, { entryId: randomUUID(), seq: 1, cells: [{ studentId, testId, is: 20, was: [18] }] });
    expect(await reading(testId, 'A1')).toEqual(counts(20));
    await save(teacherA, {
      entryId: randomUUID(),
      seq: 1,
      typedAt: '2026-01-01T08:00:00Z',
      cells: [{ studentId, testId, is: 17, was: [18] }],
    });
    expect(await reading(testId, 'A1')).toEqual({ state: 'contested', value: 20, values: [20, 17] });
  });
});
