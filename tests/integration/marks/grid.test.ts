import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { holdReadModels } from '../../support/held-read-models.ts';
import { counts, empty, marksIn } from '../../support/marks.ts';
import { fullName } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');

const { newTest, shownTest, reading } = marksIn(() => school);

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
      'not-your-set: You may not enter marks for this class.',
      'unknown-student: This student is in no class of this subject.',
      'unknown-question: There is no such question in this subject.',
    ]);
    const head = await school.backend.store.head();
    expect(await save(teacherA, body)).toEqual(answer);
    expect(await school.backend.store.head()).toBe(head);
  });

  test('say of a mark above the maximum of its question whose it is and of which question, also when they come again', async () => {
    const { testId, questions } = await shownTest();
    const [questionId, { students }] = [questions[1], school.ids];
    const cells = [
      { studentId: students['A1'], testId, questionId, is: 11 },
      { studentId: students['A2'], testId, questionId, is: 10 },
    ];
    const body = { entryId: randomUUID(), seq: 1, cells };
    const answer = await save(teacherA, body);
    expect([answer.stored, answer.refused.map(({ message }) => message)]).toEqual([
      1,
      [`${fullName('A1')}: 11 for Q2 is above the maximum of 10`],
    ]);
    expect(await save(teacherA, body)).toEqual(answer);
  });

  test('of which nothing may be stored write nothing, list every refusal, and take neither the number nor the entry', async () => {
    const testId = await newTest();
    const { students } = school.ids;
    const entryId = randomUUID();
    const head = await school.backend.store.head();
    const tooMuch = { entryId, seq: 1, cells: [{ studentId: students['A1'], testId, is: 99 }] };
    const answer = {
      commandId: null,
      stored: 0,
      refusedCount: 1,
      refused: [{ studentId: students['A1'], testId, is: 99, reason: 'above-maximum', message: 'Max mark available is 20' }],
    };
    expect(await save(teacherA, tooMuch)).toEqual(answer);
    expect(await save(teacherA, tooMuch)).toEqual(answer);
    expect(await school.backend.store.head()).toBe(head);
    expect(await save(teacherA, { ...tooMuch, cells: [{ studentId: students['A1'], testId, is: 9 }] })).toMatchObject({ stored: 1 });
    expect(await reading(testId, 'A1')).toEqual(counts(9));
  });

  test('of which most may not be stored say how many, list the first of them, and are answered briefly', async () => {
    const testId = await newTest();
    const student = { studentId: school.ids.students['A1'], testId, is: 5 };
    const unknown = Array.from({ length: 9_000 }, () => ({ studentId: randomUUID(), testId, is: 5 }));
    const body = { subjectId: school.ids.maths, entryId: randomUUID(), seq: 1, cells: [student, ...unknown] };
    for (const sent of ['first', 'again']) {
      const answer = await teacherA.post('/api/commands/EnterMarks', JSON.stringify(body), { 'Idempotency-Key': body.entryId });
      const text = await answer.text();
      expect(text.length, sent).toBeLessThan(400_000);
      const { result } = JSON.parse(text) as { result: { stored: number; refusedCount: number; refused: { studentId: string }[] } };
      expect(result).toMatchObject({ stored: 1, refusedCount: 9_000 });
      expect(result.refused.map(({ studentId }) => studentId)).toEqual(unknown.slice(0, 1_000).map(({ studentId }) => studentId));
    }
  });

  test('answer the command by which they are undone, also when they come again under another key', async () => {
    const testId = await newTest();
    const cells = [{ studentId: school.ids.students['A1'], testId, is: 5 }];
    const body = { subjectId: school.ids.maths, entryId: randomUUID(), seq: 1, cells };
    const { commandId } = await teacherA.done('EnterMarks', body);
    expect((await teacherA.done('EnterMarks', body))['commandId']).toBe(commandId);
    expect(await reading(testId, 'A1')).toEqual(counts(5));
    // Under another number it is another save, which says the same: it stays without the first one.
    const again = await teacherA.done('EnterMarks', { ...body, seq: 2 });
    expect(again).toEqual({ commandId: expect.not.stringMatching(String(commandId)), stored: 1, refusedCount: 0, refused: [] });
    await teacherA.done('UndoCommand', { entryId: body.entryId, commandId });
    expect(await reading(testId, 'A1')).toEqual(counts(5));
    await teacherA.done('UndoCommand', { entryId: body.entryId, commandId: again['commandId'] });
    expect(await reading(testId, 'A1')).toEqual(empty);
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

  test.each([
    ['18, 20 and 18 again', []],
    ['of several cells', ['A2']],
  ])('%s: no value is taken for what is there already because the read model is behind', async (_name, others) => {
    const testId = await newTest();
    const [{ students }, entryId] = [school.ids, randomUUID()];
    const typed = (seq: number, is: number, was: readonly number[], more: readonly string[] = []) => {
      const cells = [
        { studentId: students['A1'], testId, is, was },
        ...more.map((short) => ({ studentId: students[short], testId, is: 5 })),
      ];
      return save(teacherA, { entryId, seq, cells });
    };
    await typed(1, 18, []);
    expect(await reading(testId, 'A1')).toEqual(counts(18));

    const held = await holdReadModels(school);
    await typed(2, 20, [18]);
    const last = typed(3, 18, [20], others);
    await held.until(last);
    await held.release();
    expect(await last).toMatchObject({ stored: 1 + others.length, refused: [] });
    expect(await reading(testId, 'A1')).toEqual(counts(18));
  });

  test('a save that has to be sure of what stands waits for nothing that another school has stored', async () => {
    const testId = await newTest();
    const cells = [{ studentId: school.ids.students['A1'], testId, is: 18, was: [18] }];
    await save(teacherA, { entryId: randomUUID(), seq: 1, cells });
    expect(await reading(testId, 'A1')).toEqual(counts(18));
    const neighbour = await school.neighbour();
    const elsewhere = await neighbour.as('teacherA');
    await reading(testId, 'A1');
    const held = await holdReadModels(school);
    await elsewhere.done('EnterMarks', {
      entryId: randomUUID(),
      subjectId: neighbour.ids.maths,
      seq: 1,
      cells: [{ studentId: neighbour.ids.students['A1'], testId: neighbour.ids.mock, is: 3, was: [] }],
    });
    const repeated = await leader.command('EnterMarks', { subjectId: school.ids.maths, entryId: randomUUID(), seq: 1, cells });
    await held.release();
    expect([repeated.status, repeated.body.result]).toEqual([200, expect.objectContaining({ stored: 1 })]);
  });

  test('a save whose number is taken stores nothing and says so, unless it is the same save', async () => {
    const testId = await newTest();
    const [entryId, studentId] = [randomUUID(), school.ids.students['A1']];
    const body = (is: number) => ({ entryId, subjectId: school.ids.maths, seq: 1, cells: [{ studentId, testId, is, was: [] }] });
    expect((await teacherA.command('EnterMarks', body(7))).body.result).toMatchObject({ stored: 1, refused: [] });
    expect((await teacherA.command('EnterMarks', body(7))).body.result).toMatchObject({ stored: 1, refused: [] });
    const other = await teacherA.command('EnterMarks', body(9));
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
    expect(await reading(testId, 'A1')).toEqual(counts(7));
  });

  test('what its author says they saw has bounds: it is kept for ever', async () => {
    const [entryId, testId] = [randomUUID(), await newTest()];
    const was = Array.from({ length: 101 }, (_, mark) => mark);
    const cell = { studentId: school.ids.students['A1'], testId, is: 5 };
    const typed = await teacherA.command('EnterMarks', { entryId, subjectId: school.ids.maths, seq: 1, cells: [{ ...cell, was }] });
    const decided = await teacherA.command('DecideMark', { entryId, subjectId: school.ids.maths, ...cell, was });
    expect([typed.body.code, decided.body.code]).toEqual(['invalid-input', 'invalid-input']);
  });
});
