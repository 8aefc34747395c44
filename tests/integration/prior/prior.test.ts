import { expect, test } from 'vitest';
import type { PriorPreview, PriorScores, PriorStored, PriorSummary, PriorUploads } from '../../../api/prior/prior.contract.ts';
import { enoughPrior } from '../../../api/prior/prior.facts.ts';
import { isEnoughPrior } from '../../../api/prior/prior-score.contract.ts';
import type { Client } from '../../support/client.ts';
import { insisted } from '../../support/client.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');

const thisYear = new Date().getUTCFullYear();
const addExam = async (name: string) => {
  const subjectId = school.ids.maths;
  const { terminalExamId = '' } = await admin.done('AddTerminalExam', { subjectId, name, yearSat: 6 });
  const exam = { subjectId, terminalExamId };
  const summary = async () =>
    (await leader.ask<PriorSummary>('prior-summary', { subjectId, yearGroupId: school.ids.year })).exams.find((one) => one.name === name);
  const scores = async () => {
    const { students } = await leader.ask<PriorScores>('prior-scores', { ...exam, yearGroupId: school.ids.year });
    return Object.fromEntries(
      students.flatMap(({ admissionNo, now, earlier }) =>
        now ? [[admissionNo, [now.score, now.yearCompleted, ...earlier.map(({ score }) => score)]]] : [],
      ),
    );
  };
  const uploads = async () => (await leader.ask<PriorUploads>('prior-uploads', exam)).uploads;
  const enter = (by: Client, typed: Readonly<Record<string, string>>, yearCompleted = thisYear) =>
    by.done<PriorStored>('EnterPriorScores', {
      ...exam,
      yearCompleted,
      scores: Object.entries(typed).map(([short, score]) => ({ studentId: school.ids.students[short], score })),
    });
  return { exam, summary, scores, uploads, enter };
};
const row = (short: string, score: string) => ({ admissionNo: `00${short}`, name: `${short}, Student`, score });

test('a file is previewed and stored as it was typed; whoever cannot be found is listed; the summary counts the year group', async () => {
  const { exam, summary, scores, uploads, enter } = await addExam('KS2');
  expect(await summary()).toMatchObject({ scores: 0, ratio: 0, enough: false, type: null });
  await enter(leader, { A2: 'c', A3: 'D' });
  const rows = [row('A1', 'a*'), row('A2', 'c'), row('A3', 'E'), { admissionNo: '99999', name: 'Nobody, Ned', score: 'B' }];
  const file = { ...exam, yearCompleted: thisYear, rows };
  const preview = await leader.ask<PriorPreview>('preview-prior', file);
  expect([preview.counts, preview.unmatched]).toEqual([
    { new: 1, equal: 1, replaced: 1, earlier: 0 },
    [{ admissionNo: '99999', name: 'Nobody, Ned' }],
  ]);
  expect(preview.students.map(({ name, score, now, change }) => [name, score, now?.score ?? null, change])).toEqual([
    ['A1, Student', 'a*', null, 'new'],
    ['A2, Student', 'c', 'c', 'equal'],
    ['A3, Student', 'E', 'D', 'replaced'],
  ]);
  const stored = await leader.done<PriorStored>('UploadPriorScores', { ...file, fileName: 'ks2.csv' });
  expect(stored).toMatchObject({ stored: 3, unchanged: 0, unmatched: [{ admissionNo: '99999', name: 'Nobody, Ned' }] });
  expect(await scores()).toEqual({ '00A1': ['a*', thisYear], '00A2': ['c', thisYear], '00A3': ['E', thisYear] });
  expect(await summary()).toMatchObject({ scores: 3, ratio: 0.25, enough: false, type: 'letter' });
  const again = await leader.done<PriorStored>('UploadPriorScores', { ...file, fileName: 'ks2.csv' });
  expect(again).toMatchObject({ stored: 0, unchanged: 3 });
  expect((await uploads()).map(({ kind, fileName, scores: count, by }) => [kind, fileName, count, by])).toEqual([
    ['file', 'ks2.csv', 3, 'leader'],
    ['hand', null, 2, 'leader'],
  ]);
});

test('a grade is the same in either case, and a file of numbers into an exam of letters is said', async () => {
  const { exam, enter } = await addExam('GCSE');
  await enter(leader, { A1: 'A*', A2: 'B', A3: 'c' });
  const preview = (scores: Readonly<Record<string, string>>) =>
    leader.ask<PriorPreview>('preview-prior', {
      ...exam,
      yearCompleted: thisYear,
      rows: Object.entries(scores).map(([short, score]) => row(short, score)),
    });
  expect(await preview({ A1: 'a*', A2: 'b' })).toMatchObject({ counts: { new: 0, equal: 2, replaced: 0, earlier: 0 } });
  expect((await preview({ A1: 'a*', A4: 'D' })).mixed).toBeUndefined();
  expect((await preview({ A1: '104', A4: '.5' })).mixed).toEqual({ letters: 2, numbers: 2 });
  expect((await preview({ A1: '104', A2: '99', A3: '88' })).mixed).toBeUndefined();
});

test('an undo brings back what stood before, and leaves what somebody else has said too', async () => {
  const { exam, scores, uploads, enter } = await addExam('CAT');
  const first = await enter(leader, { A1: '100', A2: '101' });
  const second = await enter(admin, { A1: '99.5', A2: '101' });
  expect(await scores()).toEqual({ '00A1': ['99.5', thisYear], '00A2': ['101', thisYear] });
  await leader.done('UndoPriorScores', { ...exam, commandId: second.commandId });
  expect(await scores()).toEqual({ '00A1': ['100', thisYear], '00A2': ['101', thisYear] });
  await admin.done('RedoPriorScores', { ...exam, commandId: second.commandId });
  await admin.done('UndoPriorScores', { ...exam, commandId: first.commandId });
  expect(await scores()).toEqual({ '00A1': ['99.5', thisYear], '00A2': ['101', thisYear] });
  await admin.done('UndoPriorScores', { ...exam, commandId: second.commandId });
  expect(await scores()).toEqual({});
  expect((await uploads()).map(({ undone }) => undone)).toEqual([true, true]);
});

test('the latest year completed counts, whenever it was entered; earlier ones stay as history', async () => {
  const { exam, scores, summary, enter } = await addExam('Years');
  await enter(leader, { A1: '104' }, thisYear - 1);
  await enter(leader, { A1: 'B' }, thisYear - 3);
  expect(await scores()).toEqual({ '00A1': ['104', thisYear - 1, 'B'] });
  const { counts } = await leader.ask<PriorPreview>('preview-prior', { ...exam, yearCompleted: thisYear - 5, rows: [row('A1', '90')] });
  expect(counts).toEqual({ new: 0, equal: 0, replaced: 0, earlier: 1 });
  await enter(admin, { A2: 'c' });
  expect(await summary()).toMatchObject({ scores: 2, type: 'mixed' });
});

test('two leaders who type into one student hear of each other; nothing is overwritten unseen', async () => {
  const { exam, scores, enter } = await addExam('Two');
  await enter(admin, { A1: 'B' });
  const late = await leader.command('EnterPriorScores', {
    ...exam,
    yearCompleted: thisYear,
    scores: [
      { studentId: school.ids.students['A1'], score: 'C', was: null },
      { studentId: school.ids.students['A2'], score: 'C', was: null },
    ],
  });
  expect([late.status, late.body.code]).toEqual([409, 'conflict']);
  expect(late.body.errors).toEqual([{ path: `students.${school.ids.students['A1']}`, message: 'A1, Student: now B' }]);
  expect(await scores()).toEqual({ '00A1': ['B', thisYear] });
});

test('bad input is refused with a sentence that says why, and an exam of another subject is nobody’s', async () => {
  const { exam } = await addExam('Bad');
  const refused = async (input: object, name = 'UploadPriorScores') => {
    const { status, body } = await leader.command(name as 'UploadPriorScores', {
      ...exam,
      yearCompleted: thisYear,
      fileName: 'x.csv',
      ...input,
    });
    return [status, body.errors?.[0]?.message ?? body.title];
  };
  for (const score of ['A**', '9-', 'H', '', '1,5'])
    expect([score, ...(await refused({ rows: [row('A1', score)] }))]).toEqual([
      score,
      422,
      'Value must be numeric or a grade from A*-G or U',
    ]);
  expect(await refused({ rows: [row('A1', 'B')], yearCompleted: thisYear - 15 })).toEqual([
    422,
    'The year completed must be one of the last 15 years.',
  ]);
  expect(await refused({ rows: [row('A1', 'B')], terminalExamId: school.ids.maths })).toEqual([404, 'There is no such terminal exam.']);
  const science = await admin.done('AddTerminalExam', { subjectId: school.ids.science, name: 'GCSE', yearSat: 11 });
  expect(await refused({ rows: [row('A1', 'B')], terminalExamId: science['terminalExamId'] })).toEqual([
    404,
    'There is no such terminal exam.',
  ]);
});

test('as of an earlier moment the summary and the scores are those of then', async () => {
  const { exam, summary, scores, uploads, enter } = await addExam('Then');
  await enter(leader, { A1: 'B' });
  const asOf = (await uploads())[0]?.at ?? '';
  await enter(leader, { A1: 'A', A2: 'C' });
  const ask = { subjectId: exam.subjectId, yearGroupId: school.ids.year };
  const then = await insisted(() => leader.query('prior-summary', ask, { asOf }));
  expect((then.body as unknown as PriorSummary).exams.find(({ name }) => name === 'Then')?.scores).toBe(1);
  const earlier = await insisted(() => leader.query('prior-scores', { ...ask, ...exam }, { asOf }));
  expect((earlier.body as unknown as PriorScores).students.flatMap(({ now }) => now?.score ?? [])).toEqual(['B']);
  expect((await summary())?.scores).toBe(2);
  expect(await scores()).toEqual({ '00A1': ['A', thisYear], '00A2': ['C', thisYear] });
});

test('a student who moves to Off-Roll is no longer counted, and their score is there when they are back', async () => {
  const { summary, enter } = await addExam('Moves');
  await enter(leader, { C1: 'B', C2: 'C' });
  const move = (place: unknown) =>
    admin.done('ChangeStudents', { subjectId: school.ids.maths, changes: [{ studentId: school.ids.students['C1'], place }] });
  await move('off-roll');
  expect(await summary()).toMatchObject({ scores: 1 });
  await move({ setId: school.ids.setA });
  expect(await summary()).toMatchObject({ scores: 2 });
});

test('how many scores are enough is the same in SQL: counted, not rounded, and never of nobody', async () => {
  const asked = await school.backend.readAs(school.schoolId, (query) =>
    query<{ scores: number; students: number; enough: boolean }>(
      `select scores, students, ${enoughPrior('scores', 'students')} as enough
         from (select scores, students from generate_series(0, 60) students cross join lateral generate_series(0, students + 1) scores
               union all values (656, 729), (657, 729)) counted
        where $1::uuid is not null`,
    ),
  );
  expect(asked.filter(({ students }) => students === 729).map(({ enough }) => enough)).toEqual([false, true]);
  expect(asked.filter(({ scores, students, enough }) => enough !== isEnoughPrior(scores, students))).toEqual([]);
});

test('names of others, garbled names and damaged StudentIDs are shown in the preview, and the file is stored all the same', async () => {
  const { exam } = await addExam('Doubtful');
  const { maths: subjectId, setC: setId } = school.ids;
  await admin.done('AddStudent', { subjectId, setId, admissionNo: '0000555', name: 'Zero, Zoë', dateOfBirth: null });
  const rows = [
    row('A1', 'B'),
    { ...row('A2', 'B'), name: 'A3, Student' },
    { ...row('A3', 'B'), name: 'A3, Jos\ufffd' },
    { admissionNo: '555', name: 'Zoe Zero', score: 'C' },
    { admissionNo: '1.23457E+12', name: 'Nobody, Ned', score: 'C' },
  ];
  const file = { ...exam, yearCompleted: thisYear, rows };
  const { doubts } = await leader.ask<PriorPreview>('preview-prior', file);
  expect(doubts).toEqual({
    names: {
      count: 2,
      first: [
        { admissionNo: '00A2', inFile: 'A3, Student', ours: 'A2, Student' },
        { admissionNo: '00A3', inFile: 'A3, Jos\ufffd', ours: 'A3, Student' },
      ],
    },
    garbled: { count: 1, first: [{ admissionNo: '00A3', inFile: 'A3, Jos\ufffd' }] },
    ids: {
      count: 2,
      first: [
        { inFile: '555', name: 'Zoe Zero', damage: 'zeros', means: { admissionNo: '0000555', name: 'Zero, Zoë' } },
        { inFile: '1.23457E+12', name: 'Nobody, Ned', damage: 'exponent', means: null },
      ],
    },
  });
  expect(await leader.done<PriorStored>('UploadPriorScores', { ...file, fileName: 'ks2.csv' })).toMatchObject({ stored: 3 });
  expect(await leader.ask<PriorPreview>('preview-prior', { ...file, rows: rows.slice(0, 1) })).not.toHaveProperty('doubts');
});
