import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { CellHistory } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { SubmissionPage, ToSubmit, Tracker } from '../../../api/marks/submissions/submissions.contract.ts';
import { Client } from '../../support/client.ts';
import { marksIn } from '../../support/marks.ts';
import { expectMarksAsInLog } from '../../support/marks-in-log.ts';
import { rest } from '../../support/rest.ts';
import { admissionNo, PASSWORD } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, teacherA, student: A1 } = await schoolOfFile('admin', 'leader', 'teacherA', 'student');
let A2: Client;
beforeAll(async () => {
  const email = 'a2@submissions.example';
  await admin.done('OpenStudentAccount', { studentId: school.ids.students['A2'], name: 'A2', email, password: PASSWORD });
  A2 = new Client(school);
  await A2.signIn(email, PASSWORD);
});

const { newTest, shownTest, withoutFirst, marksFile, totalInMarkbook, upload, enter } = marksIn(() => school);

const marksOf = (questions: readonly string[], marks: readonly number[]) =>
  marks.map((mark, index) => ({ questionId: questions[index], mark }));
const submit = (who: Client, { testId, questions }: { testId: string; questions: string[] }, marks: readonly number[]) =>
  who.command('SubmitFeedback', { testId, marks: marksOf(questions, marks) });
const page = (testId: string, who = A1) => who.ask<SubmissionPage>('submission', { testId });
const rowOf = async (testId: string, short = 'A1') => {
  const { students } = await teacherA.ask<Sheet>('sheet', { testId, setId: school.ids.setA });
  return students.find((one) => one.admissionNo === admissionNo(short))!;
};
const typed = (testId: string, cells: readonly object[], short = 'A1') =>
  enter(
    teacherA,
    cells.map((cell) => ({ testId, studentId: school.ids.students[short], ...cell })),
  );
const tracker = (testId: string) => teacherA.ask<Tracker>('tracker', { testId, setId: school.ids.setA });

describe('a student’s own marks', () => {
  test('from the banner to the confirmation: kept on the way, once, and shown to staff as the student’s', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    const banner = async () => (await A1.ask<ToSubmit>('to-submit')).tests.find((one) => one.testId === testId);
    expect(await banner()).toMatchObject({ subject: 'Mathematics', state: 'none', staffTotal: null });
    await A1.done('SaveFeedback', { testId, marks: marksOf(questions, [5, 4]) });
    expect(await page(testId)).toMatchObject({
      state: 'saved',
      total: 9,
      open: true,
      questions: [{ mark: 5 }, { mark: 4 }, { mark: null }],
    });
    expect(await banner()).toMatchObject({ state: 'saved' });
    expect((await rowOf(testId)).effective).toEqual({ sum: 0, count: 0 });

    expect((await submit(A1, of, [5, 4, 1])).body.result).toEqual({ total: 10 });
    expect(await page(testId)).toMatchObject({
      state: 'confirmed',
      confirmedTotal: 10,
      open: false,
      closedBy: 'submitted',
      message: "Submitted: waiting for your teacher's total",
      mayReopen: false,
    });
    expect(await banner()).toBeUndefined();
    const again = await submit(A1, of, [5, 4, 2]);
    expect([again.status, again.body.code, again.body.title]).toEqual([409, 'refused', 'You have submitted your marks already.']);
    expect(await rowOf(testId)).toMatchObject({
      staffTotal: null,
      marks: { sum: 0, count: 0 },
      effective: { sum: 10, count: 3 },
      cells: [
        { value: 5, source: 'student' },
        { value: 4, source: 'student' },
        { value: 1, source: 'student' },
      ],
    });
    // The totals of staff are never the student's.
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: null, source: null });
  });

  test('what staff enter counts instead, and its undo brings the student’s mark back', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await submit(A1, of, [5, 4, 1]);
    const { entryId, commandId } = await typed(testId, [{ questionId: questions[1], is: 7, was: [] }]);
    expect(await rowOf(testId)).toMatchObject({
      marks: { sum: 7, count: 1 },
      effective: { sum: 13, count: 3 },
      cells: [{ source: 'student' }, { value: 7, source: 'staff', student: 4 }, { source: 'student' }],
    });
    const cell = () => leader.ask<CellHistory>('cell', { testId, studentId: school.ids.students['A1'], questionId: questions[1] });
    expect((await cell()).student).toEqual([{ mark: 4, at: expect.any(String), counts: false }]);
    await teacherA.done('UndoCommand', { entryId, commandId });
    expect(await rowOf(testId)).toMatchObject({ marks: { sum: 0, count: 0 }, effective: { sum: 10, count: 3 } });
    expect((await cell()).student).toEqual([{ mark: 4, at: expect.any(String), counts: true }]);
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A1: [1, null, null] }), fileName: 'marks.csv' });
    expect((await rowOf(testId)).cells[0]).toEqual({ value: 1, source: 'upload', student: 5 });
  });

  test('is no blank in the preview of a marks file: 0 is not offered where the student’s mark counts', async () => {
    const of = await shownTest();
    await submit(A1, of, [5, 4, 1]);
    const file = marksFile(of.testId, { A1: [5, null, null], A3: [1, null, 2] });
    const { students } = await teacherA.ask<UploadPreview>('preview-marks', file);
    expect(students.map(({ blanks }) => blanks)).toEqual([undefined, { row: 1, columns: [1] }]);
  });

  test('a total that is not the teacher’s says so; the student reopens and corrects it', async () => {
    const of = await shownTest();
    const { testId } = of;
    await submit(A1, of, [5, 4, 1]);
    await upload(teacherA, testId, { A1: [12] });
    expect(await page(testId)).toMatchObject({
      staffTotal: 12,
      mismatch: true,
      message: '*This submitted feedback does not match the total your teacher uploaded',
      mayReopen: true,
    });
    const reopen = { key: randomUUID() };
    const { result } = (await A1.command('ReopenFeedback', { testId }, reopen)).body;
    expect(await page(testId)).toMatchObject({ state: 'reopened', open: true, mayReopen: false });
    // What was confirmed counts until it is confirmed anew, and each confirmation is kept.
    expect((await rowOf(testId)).effective).toEqual({ sum: 10, count: 3 });
    await submit(A1, of, [5, 6, 1]);
    expect(await page(testId)).toMatchObject({ state: 'confirmed', mismatch: false, message: null, mayReopen: false });
    expect((await A1.command('ReopenFeedback', { testId })).status).toBe(409);
    // Whoever did not hear the first answer gets it.
    expect([result, (await A1.command('ReopenFeedback', { testId }, reopen)).body.result]).toEqual([{ total: 10 }, { total: 10 }]);
    const history = await leader.ask<CellHistory>('cell', {
      testId,
      studentId: school.ids.students['A1'],
      questionId: of.questions[1],
    });
    expect(history.student.map(({ mark, counts }) => [mark, counts])).toEqual([
      [4, false],
      [6, true],
    ]);
    await teacherA.done('ReopenFeedback', { testId, studentId: school.ids.students['A1'] });
    expect((await page(testId)).open).toBe(true);
  });

  test('who was absent may not, and what they confirmed before is kept', async () => {
    const of = await shownTest();
    const { testId } = of;
    await submit(A1, of, [5, 4, 1]);
    await typed(testId, [{ attendance: true, is: 'absent' }]);
    await typed(testId, [{ attendance: true, is: 'exempt' }], 'A2');
    expect(await page(testId)).toMatchObject({ open: false, closedBy: 'absent' });
    const refused = await submit(A2, of, [1, 1, 1]);
    expect([refused.status, refused.body.title]).toEqual([409, 'You are marked as exempt from this assessment.']);
    expect((await A2.ask<ToSubmit>('to-submit')).tests.map((one) => one.testId)).not.toContain(testId);
    await typed(testId, [{ attendance: true, is: 'sat' }]);
    expect((await page(testId)).closedBy).toBe('submitted');
  });

  test('nobody writes for a hidden assessment, one of another class, or for somebody else', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await admin.done('ShowAssessment', { testId, visible: false });
    for (const name of ['SaveFeedback', 'SubmitFeedback'] as const) {
      const { status, body } = await A1.command(name, { testId, marks: marksOf(questions, [1, 1, 1]) });
      expect([name, status, body.title]).toEqual([name, 404, 'This assessment is not open to you: your teacher may have closed it.']);
    }
    expect((await A1.query('submission', { testId })).status).toBe(404);
    expect((await A1.ask<ToSubmit>('to-submit')).tests.map((one) => one.testId)).not.toContain(testId);

    const foreign = await newTest();
    await admin.done('ShowAssessment', { testId: foreign, visible: true });
    expect((await A1.query('submission', { testId: foreign })).status).toBe(404);
    const other = await A1.command('SubmitFeedback', {
      testId,
      studentId: school.ids.students['A2'],
      marks: marksOf(questions, [1, 1, 1]),
    });
    expect([other.status, other.body.code]).toEqual([422, 'invalid-input']);
    expect((await teacherA.query('submission', { testId })).status).toBe(403);
  });

  test('staff who view as the student see the student’s page, and change nothing', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await submit(A1, of, [5, 4, 1]);
    const headers = { 'X-View-As': `student ${school.ids.students['A1']}` };
    const answer = await teacherA.send(`/api/queries/submission?testId=${testId}`, {
      headers: { ...headers, 'X-Min-Position': String(await school.backend.store.head()) },
    });
    expect([answer.status, ((await answer.json()) as SubmissionPage).confirmedTotal]).toEqual([200, 10]);
    const { status } = await teacherA.command('SubmitFeedback', { testId, marks: marksOf(questions, [0, 0, 0]) }, { headers });
    expect(status).toBe(403);
  });

  test('staff who view as the student see what is their own: nothing of another subject or class', async () => {
    const { students, science, setS: setId, forces } = school.ids;
    const { testId } = await shownTest();
    await admin.done('ChangeSet', { subjectId: science, setId, testIds: [forces] });
    await admin.done('ShowAssessment', { testId: forces, visible: true });
    const seen = async (who: Client) => {
      const headers = { 'X-View-As': `student ${students['A1']}`, 'X-Min-Position': String(await school.backend.store.head()) };
      const listed = (await (await who.send('/api/queries/to-submit', { headers })).json()) as ToSubmit;
      const opened = async (id: string) => (await who.send(`/api/queries/submission?testId=${id}`, { headers })).status;
      const ids = listed.tests.map((one) => one.testId);
      return { listed: [ids.includes(testId), ids.includes(forces)], opened: [await opened(testId), await opened(forces)] };
    };
    const ofMaths = { listed: [true, false], opened: [200, 404] };
    const ofScience = { listed: [false, true], opened: [404, 200] };
    const all = { listed: [true, true], opened: [200, 200] };
    expect(await seen(teacherA)).toEqual(ofMaths);
    expect(await seen(leader)).toEqual(ofMaths);
    expect(await seen(await school.as('scienceLeader'))).toEqual(ofScience);
    expect(await seen(admin)).toEqual(all);
    const own = (await A1.ask<ToSubmit>('to-submit')).tests.map((one) => one.testId);
    expect(own).toEqual(expect.arrayContaining([testId, forces]));
  });

  test('a question that is taken away keeps what the student has entered for it; it counts neither before it is back nor unless it was confirmed', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    const marksNow = async () => (await page(testId)).questions.map(({ mark }) => mark);
    await A1.done('SaveFeedback', { testId, marks: marksOf(questions, [5, 4]) });
    const first = await withoutFirst(of);
    await A1.done('SaveFeedback', { testId, marks: marksOf(questions.slice(1), [3]) });
    expect(await page(testId)).toMatchObject({ total: 3, questions: [{ mark: 3 }, { mark: null }] });
    await admin.done('UndoQuestions', first);
    expect(await marksNow()).toEqual([5, 3, null]);
    // Submitted without it, and corrected when it is back.
    const second = await withoutFirst(of);
    expect((await submit(A1, { testId, questions: questions.slice(1) }, [4, 1])).body.result).toEqual({ total: 5 });
    await admin.done('UndoQuestions', second);
    expect(await page(testId)).toMatchObject({ state: 'confirmed', confirmedTotal: 5 });
    expect(await marksNow()).toEqual([null, 4, 1]);
    await upload(teacherA, testId, { A1: [10] });
    await A1.done('ReopenFeedback', { testId });
    expect(await marksNow()).toEqual([5, 4, 1]);
    expect((await rowOf(testId)).effective).toEqual({ sum: 5, count: 2 });
    await submit(A1, of, [5, 4, 1]);
    const third = await withoutFirst(of);
    expect(await rowOf(testId)).toMatchObject({ effective: { sum: 5, count: 2 }, cells: [{ value: 4 }, { value: 1 }] });
    await admin.done('UndoQuestions', third);
    expect((await rowOf(testId)).effective).toEqual({ sum: 10, count: 3 });
  });

  test('a forgotten student’s marks stay, without the name; as of an earlier moment they are as they were then', async () => {
    const of = await shownTest();
    const { testId } = of;
    const email = 'a4@submissions.example';
    await admin.done('OpenStudentAccount', { studentId: school.ids.students['A4'], name: 'A4', email, password: PASSWORD });
    const A4 = new Client(school);
    await A4.signIn(email, PASSWORD);
    const before = new Date().toISOString();
    await submit(A4, of, [1, 2, 3]);
    const earlier = (await teacherA.query('sheet', { testId, setId: school.ids.setA }, { asOf: before })).body as unknown as Sheet;
    expect(earlier.students.at(-1)?.effective).toEqual({ sum: 0, count: 0 });
    await admin.done('ForgetStudent', { studentId: school.ids.students['A4'] });
    const { students } = await teacherA.ask<Sheet>('sheet', { testId, setId: school.ids.setA });
    const forgotten = students.find((one) => one.studentId === school.ids.students['A4']);
    expect(forgotten).toMatchObject({ name: null, effective: { sum: 6, count: 3 } });
    expect((await A4.query('submission', { testId })).status).toBe(401);
  });
});

describe('a paper that changes when students have confirmed', () => {
  const file = (...topics: readonly string[]) =>
    topics.map((topic, index) => ({ number: index + 1, topic, marksAvailable: [5, 10, 5][index] }));
  const contents = (testId: string) => admin.ask<AssessmentContents>('assessment', { testId });

  test('keeps its maxima above what students have confirmed, also where staff’s marks count instead, naming the student', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await submit(A1, of, [5, 8, 1]);
    expect((await contents(testId)).students).toBe(1);
    const edited = questions.map((questionId, index) => ({ questionId, topic: 'Topic', marksAvailable: [5, 6, 5][index] }));
    const refused = await admin.command('EditQuestions', { testId, questions: edited });
    expect([refused.status, refused.body.code]).toEqual([422, 'above-maximum']);
    expect(refused.body.errors).toEqual([
      { path: 'questions.1.marksAvailable', message: 'A1, Student: 8 for question 2 is above the maximum of 6' },
    ]);
    // What staff have entered counts instead, until it is undone: then the student's 8 would be above the maximum.
    const { entryId, commandId } = await typed(testId, [{ questionId: questions[1], is: 6 }]);
    const covered = await admin.command('EditQuestions', { testId, questions: edited });
    expect([covered.status, covered.body.errors]).toEqual([422, refused.body.errors]);
    expect((await contents(testId)).questions.map(({ marks }) => marks)).toEqual([1, 1, 1]);
    await teacherA.done('UndoCommand', { entryId, commandId });
    expect((await totalInMarkbook(testId, 'A1'))?.flags).toBeUndefined();
    // Once the student has corrected it, the paper may follow.
    await teacherA.done('ReopenFeedback', { testId, studentId: school.ids.students['A1'] });
    await submit(A1, of, [5, 6, 1]);
    await admin.done('EditQuestions', { testId, questions: edited });
  });

  test('asks of a file with another topic under a number which question that is', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await submit(A1, of, [5, 4, 1]);
    await typed(testId, [{ questionId: questions[0], is: 2 }]);
    await submit(A2, of, [1, 1, 1]);
    expect((await contents(testId)).questions.map(({ marks }) => marks)).toEqual([2, 2, 2]);
    const body = { testId, questions: file('Vectors', 'Topic', 'Topic') };
    const asked = await admin.command('UploadQuestions', body);
    expect([asked.status, asked.body.code]).toEqual([409, 'answers-needed']);
    expect(asked.body.asks?.questions).toMatchObject([{ number: 1, was: { questionId: questions[0], marks: 2 } }]);
    await admin.done('UploadQuestions', { ...body, answers: [{ number: 1, questionId: null }] });
    expect((await contents(testId)).removed).toMatchObject([{ questionId: questions[0], marks: 2 }]);
  });

  test('is not put back once a student has confirmed marks for what the earlier one does not ask', async () => {
    const of = await shownTest();
    const { testId } = of;
    await submit(A1, of, [5, 4, 1]);
    const upload = { testId, questions: file('Vectors', 'Topic', 'Topic'), answers: [{ number: 1, questionId: null }] };
    const earlier = await admin.done('UploadQuestions', upload);
    // What was confirmed before is of the earlier paper.
    await admin.done('UndoQuestions', { testId, commandId: earlier.commandId });
    const { commandId } = await admin.done('UploadQuestions', upload);
    await teacherA.done('ReopenFeedback', { testId, studentId: school.ids.students['A1'] });
    const now = (await contents(testId)).questions.map(({ questionId }) => questionId);
    expect((await submit(A1, { testId, questions: now }, [3, 4, 1])).status).toBe(200);
    const { status, body } = await admin.command('UndoQuestions', { testId, commandId });
    expect([status, body.title]).toEqual([409, expect.stringContaining('for questions that the earlier paper does not have (question 1)')]);
  });

  test('leaves a question that is gone out of what the student’s total is compared with', async () => {
    const of = await shownTest();
    const { testId } = of;
    await submit(A1, of, [5, 4, 1]);
    const taken = await withoutFirst(of);
    await upload(teacherA, testId, { A1: [5] });
    expect(await page(testId)).toMatchObject({ confirmedTotal: 5, staffTotal: 5, mismatch: false, message: null, mayReopen: false });
    expect((await tracker(testId)).students[0]).toMatchObject({ total: 5, staffTotal: 5, mismatch: false });
    expect((await A1.command('ReopenFeedback', { testId })).status).toBe(409);
    await admin.done('UndoQuestions', taken);
    expect(await page(testId)).toMatchObject({ confirmedTotal: 10, mismatch: true });
  });

  test('and a subject counts the marks of students where staff have none', async () => {
    const { science: subjectId, setS: setId, forces } = school.ids;
    const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name: 'Of students alone' });
    await admin.done('UploadQuestions', { testId, questions: file('Forces') });
    await admin.done('ChangeSet', { subjectId, setId, testIds: [forces, testId] });
    await admin.done('ShowAssessment', { testId, visible: true });
    const [question] = (await contents(testId)).questions;
    const marks = async () => ((await rest(admin, 'GET', `subjects/${subjectId}`)).body as unknown as { marks: number }).marks;
    const before = await marks();
    await submit(A1, { testId, questions: [question!.questionId] }, [3]);
    expect(await marks()).toBe(before + 1);
  });
});

describe('the tracker of a class', () => {
  test('has everybody in one of three groups, and counts who sat', async () => {
    const of = await shownTest();
    const { testId, questions } = of;
    await submit(A1, of, [5, 4, 1]);
    await A2.done('SaveFeedback', { testId, marks: marksOf(questions, [1]) });
    const all = questions.map((questionId) => ({ questionId, is: 1 }));
    await typed(testId, all, 'A3');
    const { counts, students, questions: count } = await tracker(testId);
    expect([count, counts]).toEqual([3, { incomplete: students.length - 2, student: 1, staff: 1 }]);
    expect(students.map(({ name, group, state, total, staffTotal }) => [name, group, state, total, staffTotal]).slice(0, 3)).toEqual([
      ['A1, Student', 'student', 'confirmed', 10, null],
      ['A2, Student', 'incomplete', 'saved', null, null],
      ['A3, Student', 'staff', 'none', null, 3],
    ]);
    await typed(testId, [{ attendance: true, is: 'absent' }], 'A2');
    expect((await tracker(testId)).counts.incomplete).toBe(counts.incomplete - 1);
    await typed(testId, [{ is: 12 }]);
    expect((await tracker(testId)).students[0]).toMatchObject({ group: 'student', mismatch: true, staffTotal: 12 });
    await A1.done('ReopenFeedback', { testId });
    expect((await tracker(testId)).students[0]).toMatchObject({ group: 'incomplete', state: 'reopened', total: 10 });
  });

  test('is told by the channel of its assessment, and is of one’s own classes', async () => {
    const { testId } = await shownTest();
    const { headers } = await teacherA.query('tracker', { testId, setId: school.ids.setA });
    expect(headers.get('X-Channels')?.split(' ')).toContain(`marks:${school.ids.maths}/${testId}`);
    expect((await teacherA.query('tracker', { testId, setId: school.ids.setB })).status).toBe(403);
    expect((await A1.query('tracker', { testId, setId: school.ids.setA })).status).toBe(403);
  });
});

describe('whatever staff and students do in whatever order', () => {
  test.each([1, 2, 3])('the sums of the read model are those of the log (%i)', async (seed) => {
    const of = await shownTest();
    const { testId, questions } = of;
    let state = seed * 7919;
    const pick = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const saves: { entryId: string; commandId: string | null }[] = [];
    for (let step = 0; step < 30; step += 1) {
      const [who, short] = pick(2) === 0 ? ([A1, 'A1'] as const) : ([A2, 'A2'] as const);
      const studentId = school.ids.students[short];
      const save = saves[pick(saves.length + 1)];
      switch (pick(7)) {
        case 0:
        case 1:
          await submit(who, of, [pick(3), pick(3), pick(3)]);
          break;
        case 2:
          await teacherA.command('ReopenFeedback', { testId, studentId });
          break;
        case 3:
        case 4:
          saves.push(await typed(testId, [{ questionId: questions[pick(3)], is: pick(3) === 0 ? 'cleared' : pick(3) }], short));
          break;
        case 5:
          if (save?.commandId) await teacherA.command(pick(2) === 0 ? 'UndoCommand' : 'RedoCommand', save);
          break;
        default: {
          const kept = questions.slice(pick(2)).map((questionId) => ({ questionId, topic: 'Topic', marksAvailable: 5 }));
          await admin.command('EditQuestions', { testId, questions: kept });
        }
      }
    }
    await expectMarksAsInLog(school.backend, school.databaseUrl);
    const { students } = await teacherA.ask<Sheet>('sheet', { testId, setId: school.ids.setA });
    for (const { cells, effective } of students) {
      const counting = cells.flatMap((cell) => (cell?.value === null || cell === null ? [] : [cell.value]));
      expect(effective).toEqual({ sum: counting.reduce((sum, mark) => sum + mark, 0), count: counting.length });
    }
  });
});
