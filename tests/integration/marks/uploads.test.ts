import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RecentUploads, UploadClasses, Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Client } from '../../support/client.ts';
import { counts, empty, fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, teacherA, teacherB } = await schoolOfFile('admin', 'leader', 'teacherA', 'teacherB');

const { newTest, totalsFile, marksFile, upload, history, reading, totalInMarkbook } = marksIn(() => school);

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

  test('with a StudentID longer than any in the school are listed like everybody whom nobody knows', async () => {
    const testId = await newTest();
    const unmatched = [{ admissionNo: 'M-2024-0000000000000000000000001', name: 'Elsewhere, Ann' }];
    const strangers = unmatched.map((stranger) => ({ ...stranger, totals: [5] }));
    const totals = totalsFile([testId], { A1: [4] });
    const withStranger = { ...totals, rows: [...totals.rows, ...strangers] };
    const students = withStranger.rows.map(({ totals: _, ...row }) => row);
    expect(await leader.ask<UploadClasses>('upload-classes', { subjectId: school.ids.maths, students })).toMatchObject({ unmatched });
    expect(await leader.ask<UploadPreview>('preview-totals', withStranger)).toMatchObject({ unmatched, counts: { new: 1 } });
    expect(await leader.done<Uploaded>('UploadTotals', { ...withStranger, fileName })).toMatchObject({ stored: 1, unmatched });

    const marks = marksFile(testId, { A2: [4] });
    const marked = { ...marks, rows: [...marks.rows, ...unmatched.map((stranger) => ({ ...stranger, marks: [5] }))] };
    expect(await leader.ask<UploadPreview>('preview-marks', marked)).toMatchObject({ unmatched, counts: { new: 1 } });
    expect(await leader.done<Uploaded>('UploadMarks', { ...marked, fileName })).toMatchObject({ stored: 1, unmatched });

    const endless = { ...totals, rows: [...totals.rows, { admissionNo: 'x'.repeat(201), name: 'Elsewhere, Ann', totals: [5] }] };
    expect((await leader.query('preview-totals', endless)).body).toMatchObject({
      code: 'invalid-input',
      errors: [{ path: 'rows.1.admissionNo', message: 'At most 200 characters.' }],
    });
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

  test('off-roll are left out, and listed as off roll', async () => {
    const { maths, setC } = school.ids;
    const { studentId } = await admin.done('AddStudent', {
      subjectId: maths,
      setId: setC,
      admissionNo: '00gone',
      name: 'Gone',
      dateOfBirth: null,
    });
    await admin.done('ChangeStudents', { subjectId: maths, changes: [{ studentId, place: 'off-roll' }] });
    const testId = await newTest();
    const file = totalsFile([testId], { gone: [3], X9: [4] });
    const [, stranger] = file.rows;
    const unmatched = [
      { admissionNo: '00gone', name: 'gone, Student', offRoll: true },
      { admissionNo: '00X9', name: stranger?.name },
    ];
    const students = file.rows.map(({ totals: _, ...row }) => row);
    expect((await leader.ask<UploadClasses>('upload-classes', { subjectId: maths, students })).unmatched).toEqual(unmatched);
    expect((await leader.ask<UploadPreview>('preview-totals', file)).unmatched).toEqual(unmatched);
    expect(await leader.done<Uploaded>('UploadTotals', { ...file, fileName })).toMatchObject({ stored: 0, unmatched });
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
    ).toMatchObject({ stored: 2, confirmed: 1, unchanged: 0 });
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
    expect(shown).toMatchObject({
      flags: ['contested'],
      source: 'total',
      total: contested.state === 'contested' ? contested.value : undefined,
    });
    expect(await totalInMarkbook(one, 'A3')).toEqual({ source: 'total', attendance: 'sat', total: 8 });

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

  test('a contested cell is decided by an upload only where its user ticked it; elsewhere its value joins the others', async () => {
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
    expect(await teacherA.done('DecideMark', decision)).toEqual({ decided: true, commandId: expect.any(String) });
    expect(await reading(testId, 'A1')).toEqual(counts(11));
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 11 });
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
      // In the teacher's own class, but somebody else's upload.
      await teacherA.command('UndoCommand', { entryId: inB.entryId, commandId: inB.commandId }),
      await (await school.as('scienceLeader')).command('UndoCommand', { entryId, commandId }),
    ];
    expect(tried.map(({ status, body }) => `${status} ${body.code}`)).toEqual(['403 forbidden', '403 forbidden', '403 not-your-set']);
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

  test('is the leader’s once a student has left the class: its author reads who that is, and who can undo it', async () => {
    const { maths, setA, setC } = school.ids;
    const { studentId } = await admin.done('AddStudent', {
      subjectId: maths,
      setId: setA,
      admissionNo: '00moves',
      name: 'Moves, Student',
      dateOfBirth: null,
    });
    const testId = await newTest();
    const { entryId, commandId } = await upload(teacherA, testId, { A1: [12], moves: [13] });
    const listed = async (who: Client) =>
      (await who.ask<RecentUploads>('uploads', { subjectId: maths })).uploads.find((one) => one.commandId === commandId);
    const goesTo = async (place: object | string): Promise<void> => {
      await admin.done('ChangeStudents', { subjectId: maths, changes: [{ studentId, place }] });
    };
    const sentence = (place: string, act: string): string =>
      'It holds marks of a student who is in none of your classes now: ' +
      `Moves, Student (${place}). A leader of the subject or an admin can ${act} it.`;

    for (const [place, name] of [
      [{ setId: setC }, '11C'],
      ['off-roll', 'Off-Roll'],
      ['removed', 'no longer in the subject'],
    ] as const) {
      await goesTo(place);
      // The class of then: that is where the file was of.
      expect((await listed(leader))?.sets).toEqual(['11A']);
      const { body } = await teacherA.command('UndoCommand', { entryId, commandId });
      expect(body).toMatchObject({
        status: 403,
        code: 'not-your-set',
        title: sentence(name, 'undo'),
        errors: [{ path: `students.${studentId}`, message: `Moves, Student (${name})` }],
      });
      expect(await listed(teacherA)).toMatchObject({ mayUndo: false, whyNot: sentence(name, 'undo') });
      expect(await listed(leader)).toMatchObject({ mayUndo: true, whyNot: null });
      expect((await teacherB.command('UndoCommand', { entryId, commandId })).body).toMatchObject({
        code: 'forbidden',
        title: 'Only its author, a leader or an admin can undo it.',
      });
    }
    await leader.done('UndoCommand', { entryId, commandId });
    expect(await reading(testId, 'A1')).toEqual(empty);
    expect(await listed(teacherA)).toMatchObject({ undone: true, mayUndo: false, whyNot: sentence('no longer in the subject', 'redo') });
    await goesTo({ setId: setA });
    await teacherA.done('RedoCommand', { entryId, commandId });
    expect(await reading(testId, 'A1')).toEqual(counts(12));
  });
});

describe('the list of uploads', () => {
  test('of a class holds its own, however many there were of others since, page by page', async () => {
    const { maths, setA, setB } = school.ids;
    const testId = await newTest();
    const { commandId } = await upload(teacherB, testId, { B1: [1], B2: [2] });
    for (let n = 0; n < 51; n += 1) await upload(leader, testId, { A1: [n % 20] });

    const list = async (who: Client, asked: object = {}) => {
      const { uploads, next } = await who.ask<RecentUploads>('uploads', { subjectId: maths, ...asked });
      return { ids: uploads.map((one) => one.commandId), next };
    };
    expect((await list(leader)).ids).not.toContain(commandId);
    expect((await list(leader, { setId: setB })).ids[0]).toBe(commandId);
    expect((await list(teacherB, { setId: setB })).ids[0]).toBe(commandId);
    // Another's class shows a teacher no more than all classes do: their own uploads.
    expect((await list(teacherA, { setId: setB })).ids).not.toContain(commandId);

    const first = await list(leader, { setId: setA });
    const second = await list(leader, { setId: setA, before: first.next });
    expect(first.ids).toHaveLength(50);
    expect(second.ids.length).toBeGreaterThan(0);
    expect(second.next).toBeNull();
    const all = await list(leader, { before: first.next });
    expect(all.ids).toContain(commandId);
    expect(new Set([...first.ids, ...second.ids]).size).toBe(first.ids.length + second.ids.length);
    expect((await leader.query('uploads', { subjectId: maths, before: randomUUID() })).status).toBe(404);
  });
});
