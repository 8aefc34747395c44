import { describe, expect, test } from 'vitest';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { SatOn } from '../../../api/school/sets/sets.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Client } from '../../support/client.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { admissionNo, fullName } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA, admin } = await schoolOfFile('leader', 'teacherA', 'admin');

const { newTest, marksFile, upload, totalInMarkbook, enter } = marksIn(() => school);

const sheetOf = (testId: string, who = teacherA, of: object = { setId: school.ids.setA }) => who.ask<Sheet>('sheet', { testId, ...of });
const rowOf = async (testId: string, short: string, who = leader) =>
  (await sheetOf(testId, who, { yearGroupId: school.ids.year })).students.find((one) => one.admissionNo === admissionNo(short))!;
const questionsOf = async (testId: string) => (await sheetOf(testId)).questions.map(({ questionId }) => questionId);

/** A save of an open grid of its own. `cells`: by student and question number; 0: the total; 'a': attendance. */
const type = async (who: Client, testId: string, cells: readonly (readonly [string, number | 'a', number | string, unknown[]?])[]) => {
  const questions = await questionsOf(testId);
  return enter(
    who,
    cells.map(([short, at, is, was]) => ({
      studentId: school.ids.students[short],
      testId,
      ...(at === 'a' ? { attendance: true } : at === 0 ? {} : { questionId: questions[at - 1] }),
      is,
      ...(was ? { was } : {}),
    })),
  );
};

test('a student with marks for some questions is shown as such in the markbook, until each has one, or a total is entered', async () => {
  const testId = await newTest();
  await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, null, 4], A2: [1, 2, 2] }), fileName });
  expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: null, source: null, marked: { questions: 2, of: 3 } });
  expect(await totalInMarkbook(testId, 'A2')).not.toHaveProperty('marked');
  expect(await totalInMarkbook(testId, 'A3')).not.toHaveProperty('marked');
  await type(teacherA, testId, [['A1', 2, 0]]);
  expect(await totalInMarkbook(testId, 'A1')).toEqual({
    total: 9,
    source: 'marks',
    attendance: 'sat',
  });
});

test('the day on which a class sat it: as somebody says for the class, else the day of its first mark, unless that is undone', async () => {
  const testId = await newTest();
  const { maths: subjectId, setA: setId } = school.ids;
  const day = (who = teacherA) => who.ask<SatOn>('sat-on', { setId, testId });
  expect(await day()).toEqual({ satOn: null, upload: null, firstMark: null, mayWrite: true });
  const typedAt = new Date(Date.now() - 48 * 3_600_000).toISOString();
  const { entryId, commandId } = await enter(teacherA, [{ studentId: school.ids.students['A1'], testId, is: 4 }], { typedAt });
  await upload(leader, testId, { A2: [5] });
  expect(Date.parse((await day()).firstMark ?? '')).toBe(Date.parse(typedAt));
  await teacherA.done('UndoCommand', { entryId, commandId });
  expect(Date.parse((await day()).firstMark ?? '')).toBeGreaterThan(Date.parse(typedAt));

  await teacherA.done('DateAssessment', { subjectId, setId, testId, satOn: '2026-01-10', was: null });
  expect(await day(leader)).toMatchObject({ satOn: '2026-01-10', mayWrite: true });
  await leader.done('DateAssessment', { subjectId, setId, testId, satOn: null, was: '2026-01-10' });
  expect(await day()).toMatchObject({ satOn: null });
  const refused = await teacherA.command('DateAssessment', { subjectId, setId: school.ids.setB, testId, satOn: '2026-01-10' });
  expect(refused.body.code).toBe('not-your-set');
});

test('the preview of a marks file counts the blanks in rows that hold marks, of those who sat', async () => {
  const testId = await newTest();
  await type(teacherA, testId, [
    ['A1', 3, 5],
    ['A3', 'a', 'absent'],
  ]);
  const preview = await teacherA.ask<UploadPreview>(
    'preview-marks',
    marksFile(testId, { A1: [5, null, null], A2: [null, null, null], A3: [1, null, null] }),
  );
  // A1 has a mark for question 3 already; A2 is not entered at all; A3 was absent.
  expect(preview.students.map(({ admissionNo: no, blanks }) => [no, blanks])).toEqual([
    [admissionNo('A1'), { row: 0, columns: [1] }],
    [admissionNo('A2'), undefined],
    [admissionNo('A3'), undefined],
  ]);
});

describe('the sheet of an assessment', () => {
  test('holds every student of the class with every question, and says where each mark comes from', async () => {
    const testId = await newTest();
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, 10, 4], A2: [1, null, 2] }), fileName });
    await type(teacherA, testId, [
      ['A2', 1, 3],
      ['A3', 2, 7],
    ]);
    const sheet = await sheetOf(testId);
    expect(sheet).toMatchObject({ testId, subjectId: school.ids.maths, max: 20, mayWrite: true });
    expect(sheet.sets).toEqual([{ setId: school.ids.setA, name: '11A', mayWrite: true }]);
    expect(sheet.questions.map(({ number, topic, max }) => [number, topic, max])).toEqual([
      [1, 'Topic', 5],
      [2, 'Topic', 10],
      [3, 'Topic', 5],
    ]);
    expect(sheet.students.map(({ name, admissionNo: no, setId }) => [name, no, setId])).toEqual(
      ['A1', 'A2', 'A3', 'A4'].map((short) => [fullName(short), admissionNo(short), school.ids.setA]),
    );
    const file = (value: number) => ({ value, source: 'upload' });
    const typed = (value: number) => ({ value, source: 'staff' });
    expect(sheet.students.map(({ cells }) => cells)).toEqual([
      [file(5), file(10), file(4)],
      [typed(3), null, file(2)],
      [null, typed(7), null],
      [null, null, null],
    ]);
    expect(sheet.students.map(({ staffTotal, marks, effective }) => [staffTotal, marks, effective])).toEqual([
      [19, { sum: 19, count: 3 }, { sum: 19, count: 3 }],
      [null, { sum: 5, count: 2 }, { sum: 5, count: 2 }],
      [null, { sum: 7, count: 1 }, { sum: 7, count: 1 }],
      [null, { sum: 0, count: 0 }, { sum: 0, count: 0 }],
    ]);
  });

  test('a contested mark comes with every value that stands, and an undo takes a typed mark back to that of the file', async () => {
    const testId = await newTest();
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [5, 10, 4] }), fileName });
    const { commandId } = await type(leader, testId, [['A1', 1, 3, [5]]]);
    await type(teacherA, testId, [['A1', 1, 2, [5]]]);
    expect((await rowOf(testId, 'A1')).cells[0]).toEqual({ value: 3, source: 'staff', values: [3, 2] });
    // A total that is the sum of marks is contested with them; one that was entered is not, whatever is beneath it.
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 17, flags: ['contested'] });
    const { entryId, commandId: total } = await enter(leader, [{ studentId: school.ids.students['A1'], testId, is: 18 }]);
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 18 });
    await leader.done('UndoCommand', { entryId, commandId: total });
    const { changes } = await leader.ask<{ changes: { commandId: string; entryId: string }[] }>('cell', {
      testId,
      studentId: school.ids.students['A1'],
      questionId: (await questionsOf(testId))[0],
    });
    for (const change of changes.slice(1)) await leader.done('UndoCommand', { entryId: change.entryId, commandId: change.commandId });
    expect(changes[1]?.commandId).toBe(commandId);
    expect((await rowOf(testId, 'A1')).cells[0]).toEqual({ value: 5, source: 'upload' });
  });

  test('its version is the same until something in it changes', async () => {
    const testId = await newTest();
    const { version } = await sheetOf(testId);
    expect((await sheetOf(testId)).version).toBe(version);
    await type(teacherA, testId, [['A4', 1, 1]]);
    expect((await sheetOf(testId)).version).not.toBe(version);
  });

  test('a question that is taken away takes its marks with it, and brings them back', async () => {
    const testId = await newTest();
    await type(teacherA, testId, [
      ['A1', 1, 5],
      ['A1', 2, 6],
      ['A1', 3, 1],
    ]);
    const { questions } = await admin.ask<AssessmentContents>('assessment', { testId });
    const kept = questions.slice(1).map(({ questionId, topic, marksAvailable }) => ({ questionId, topic, marksAvailable }));
    const { commandId } = await admin.done('EditQuestions', { testId, questions: kept });
    expect(await rowOf(testId, 'A1')).toMatchObject({
      staffTotal: 7,
      cells: [
        { value: 6, source: 'staff' },
        { value: 1, source: 'staff' },
      ],
    });
    await admin.done('UndoQuestions', { testId, commandId });
    expect((await rowOf(testId, 'A1')).cells.map((cell) => cell?.value)).toEqual([5, 6, 1]);
  });
});

describe('who may see a sheet', () => {
  test('a leader sees the whole year group, a teacher only their own classes, an auditor everything and writes nothing', async () => {
    const { mock: testId, year: yearGroupId, setB } = school.ids;
    const whole = await sheetOf(testId, leader, { yearGroupId });
    expect(whole.sets.map(({ name, mayWrite }) => [name, mayWrite])).toEqual([
      ['11A', true],
      ['11B', true],
      ['11C', true],
    ]);
    expect(whole.students).toHaveLength(12);
    for (const of of [{ yearGroupId }, { setId: setB }]) {
      const { status, body } = await teacherA.query('sheet', { testId, ...of });
      expect([status, body.code, body.title]).toEqual([403, 'not-your-set', 'You see your own classes only.']);
    }
    const audited = await sheetOf(testId, await school.as('auditor'), { yearGroupId });
    expect([audited.mayWrite, audited.students.length]).toEqual([false, 12]);
  });

  test('it is of one class or one year group of the subject', async () => {
    const { mock: testId, setA, setS, year, scienceYear } = school.ids;
    const answers = await Promise.all(
      [{}, { setId: setA, yearGroupId: year }, { setId: setS }, { yearGroupId: scienceYear }].map((of) =>
        leader.query('sheet', { testId, ...of }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.title])).toEqual([
      [422, 'Choose a class or a year group.'],
      [422, 'Choose a class or a year group.'],
      [404, 'There is no such class.'],
      [404, 'There is no such year group.'],
    ]);
  });

  test('a colleague’s save of the test is told to whoever has its sheet open', async () => {
    const { headers } = await teacherA.query('sheet', { testId: school.ids.mock, setId: school.ids.setA });
    expect(headers.get('X-Channels')?.split(' ')).toContain(`marks:${school.ids.maths}/${school.ids.mock}`);
  });
});
