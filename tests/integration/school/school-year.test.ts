import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { schoolDay } from '../../../api/contract/dates.ts';
import type { ClassHome } from '../../../api/analysis/analysis.contract.ts';
import type { Dashboard, HistoricTotals } from '../../../api/analysis/tests.contract.ts';
import type { RecentChanges } from '../../../api/history/history.contract.ts';
import type { ActUndone, Structure } from '../../../api/school/school.contract.ts';
import type { KeptSchoolYear, SchoolYearPlan, SchoolYearPreview } from '../../../api/school/school-year/school-year.contract.ts';
import { Client } from '../../support/client.ts';
import { marksIn } from '../../support/marks.ts';
import { rest } from '../../support/rest.ts';
import { NO_CHANGES } from '../../support/samples.ts';
import { admissionNo, PASSWORD } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');
const { ids } = school;
const subjectId = ids.maths;

/** StudentIDs by set, as the list of students has them. */
const classes = async (): Promise<Record<string, string[]>> => {
  const { body } = await rest(admin, 'GET', `students?range=[0,99]&filter=${JSON.stringify({ subjectId })}`);
  const bySet = Map.groupBy(body, ({ set }) => String(set));
  return Object.fromEntries([...bySet].map(([set, rows]) => [set, rows.map((row) => String(row['admissionNo'])).toSorted()]));
};
const structure = async () => {
  const { yearGroups, teachers } = await admin.ask<Structure>('structure', { subjectId });
  return {
    years: yearGroups.map(({ year, sets }) => [year, sets.map(({ name, testIds }) => [name, testIds.length])]),
    taught: teachers.map(({ name, setIds }) => [name, setIds.length]),
  };
};
const the = (...shorts: string[]) => shorts.map(admissionNo);

/** 11 becomes 12 while a new 11 comes; 11C goes into what was 11B, but for one who starts the new 11A; one leaves. */
const plan: SchoolYearPlan = {
  day: '2026-09-01',
  yearGroups: [{ yearGroupId: ids.year, year: 12 }],
  sets: [
    { setId: ids.setA, becomes: { name: '11B', year: 12 } },
    { setId: ids.setB, becomes: { name: '12B', year: 12 } },
    { setId: ids.setC, becomes: { into: '12B' } },
  ],
  newSets: [
    {
      name: '11A',
      year: 11,
      schemeId: ids.scheme,
      testIds: [ids.mock],
      teacherIds: [ids.recordA],
      thresholds: { red: 0, amber: 40, green: 70 },
    },
  ],
  students: [
    { studentId: ids.students['C1']!, to: '11A' },
    { studentId: ids.students['B1']!, to: null },
  ],
  intake: {
    fileName: 'intake.csv',
    correct: false,
    rows: [
      { admissionNo: 'N1', name: 'New, One', set: '11a', dateOfBirth: '2010-01-01' },
      { admissionNo: 'N2', name: 'New, Two', set: '11A', dateOfBirth: null },
    ],
  },
};
const begin = (changes: object = {}, key = randomUUID()) =>
  admin.done<{ actId: string }>('BeginSchoolYear', { subjectId, plan, version: null, ...changes }, key);
const undo = (actId: string) => admin.done<ActUndone>('UndoAct', { subjectId, actId });
const posting = async (path: 'keep' | 'drop', body: object) => {
  const answer = await admin.post(`/api/school-years/${path}`, JSON.stringify({ subjectId, ...body }));
  return { status: answer.status, body: (await answer.json()) as KeptSchoolYear & { title?: string } };
};
const kept = async () => ((await (await admin.send(`/api/school-years?subjectId=${subjectId}`)).json()) as KeptSchoolYear).kept;

test('a school year is previewed, begins, and is taken back, each as one', async () => {
  const before = [await classes(), await structure()];
  const preview = await admin.ask<SchoolYearPreview>('preview-school-year', { subjectId, plan });
  expect(preview).toMatchObject({
    problems: [],
    sets: [
      { was: '11A', name: '11B', year: 12, before: 4, after: 4, leave: 0, come: 0, go: 0 },
      { was: '11B', name: '12B', year: 12, before: 4, after: 6, leave: 1, come: 3, go: 0 },
      { was: null, name: '11A', year: 11, before: 0, after: 3, leave: 0, come: 3, go: 0 },
      { was: '11C', name: null, year: 11, before: 4, after: 0, leave: 0, come: 0, go: 4 },
    ],
    leavers: { students: 1, elsewhere: 0 },
    intake: { added: 2, moved: 0, corrected: 0, same: 0, differ: [] },
  });
  const { actId } = await begin();
  expect(await classes()).toEqual({
    '11B': the('A1', 'A2', 'A3', 'A4'),
    '12B': the('B2', 'B3', 'B4', 'C2', 'C3', 'C4'),
    '11A': [...the('C1'), 'N1', 'N2'],
    'Off-Roll': the('B1'),
  });
  expect((await structure()).years).toEqual([
    [11, [['11A', 1]]],
    [
      12,
      [
        ['11B', 2],
        ['12B', 2],
      ].map(([name]) => [name, expect.any(Number)]),
    ],
  ]);
  const { acts } = await admin.ask<RecentChanges>('recent-changes', { subjectId, limit: 1 });
  expect(acts[0]).toMatchObject({ actId, undo: { by: 'UndoAct' } });
  expect(acts[0]?.sentence.map(({ text }) => text).join('')).toContain('began the school year 2026/27');

  expect((await undo(actId)).stays).toEqual([]);
  expect([await classes(), await structure()]).toEqual(before);
});

test('no figure of last year changes: averages count on under the number of their year, and go on with the class', async () => {
  const testId = ids.mock;
  await marksIn(() => school).upload(leader, testId, { A1: [10], A2: [14], B1: [20], C4: [8] }, { satOn: '2026-01-10' });
  const figures = async (yearGroupId: string) => {
    const { tests } = await leader.ask<Dashboard>('leader-dashboard', { yearGroupId });
    const { students } = await leader.ask<HistoricTotals>('historic-totals', { yearGroupId, testId, schoolYear: '2025' });
    return [tests.find((one) => one.testId === testId)?.historic, students.map(({ name, day, total }) => [name, day, total])];
  };
  const ofClass = async () => {
    const { completed } = await leader.ask<ClassHome>('class-home', { setId: ids.setA });
    const { day, average } = completed.find((one) => one.testId === testId)!;
    return { day, average };
  };
  const before = [await figures(ids.year), await ofClass()];
  const { actId } = await begin();
  const { yearGroups } = await leader.ask<Structure>('structure', { subjectId });
  expect([await figures(yearGroups.find(({ year }) => year === 11)!.yearGroupId), await ofClass()]).toEqual(before);
  await undo(actId);
  expect([await figures(ids.year), await ofClass()]).toEqual(before);
});

test('what would go wrong is said as a whole, and nothing is changed', async () => {
  const before = [await classes(), await structure()];
  const wrong: SchoolYearPlan = {
    ...plan,
    sets: [
      { setId: ids.setA, becomes: { name: '12B', year: 12 } },
      { setId: ids.setB, becomes: { name: '12b', year: 12 } },
    ],
    students: [{ studentId: ids.students['A1']!, to: '12Z' }],
  };
  const { problems } = await admin.ask<SchoolYearPreview>('preview-school-year', { subjectId, plan: wrong });
  expect(problems.map(({ message }) => message)).toEqual([
    'Say what becomes of 11C.',
    'Two sets of the new year would be called 12b.',
    'There is no set 12Z in the new year: add it to the plan.',
  ]);
  const intake = { ...plan.intake!, rows: [{ admissionNo: admissionNo('A1'), name: 'Other, Name', set: '11B', dateOfBirth: null }] };
  const ofFile = await admin.ask<SchoolYearPreview>('preview-school-year', { subjectId, plan: { ...plan, intake } });
  expect(ofFile.problems).toMatchObject([{ path: 'intake', message: expect.stringContaining('another name or date of birth') }]);
  const counts = await admin.ask<SchoolYearPreview>('preview-school-year', {
    subjectId,
    plan: { ...plan, intake: { ...intake, correct: true } },
  });
  expect(counts).toMatchObject({ problems: [], intake: { corrected: 1, differ: ['Other, Name'] } });
  const refused = await admin.command('BeginSchoolYear', { subjectId, plan: wrong, version: null });
  expect(refused.status).toBe(422);
  expect([await classes(), await structure()]).toEqual(before);
});

test('a plan is kept until its day and can be changed and dropped, by whoever has seen it last', async () => {
  const later = { ...plan, day: '2099-09-01' };
  const { body } = await posting('keep', { plan: later, version: null });
  expect(body.kept).toMatchObject({ version: 1, plan: later, trouble: null });
  const second = await posting('keep', { plan: later, version: null });
  expect([second.status, second.body.title]).toEqual([412, expect.stringContaining('changed the plan meanwhile')]);
  expect((await posting('keep', { plan: { ...later, intake: null }, version: 1 })).body.kept?.version).toBe(2);
  expect((await admin.command('BeginSchoolYear', { subjectId, plan, version: 1 })).status).toBe(412);
  expect((await admin.command('BeginSchoolYear', { subjectId, plan, version: null })).status).toBe(412);
  // Whoever begins with another one, and is refused, leaves the kept one as it was.
  const refused = { subjectId, plan: { ...plan, sets: plan.sets.slice(1) }, version: 2 };
  expect((await admin.command('BeginSchoolYear', refused)).status).toBe(422);
  expect(await kept()).toMatchObject({ version: 2, plan: { ...later, intake: null }, trouble: null });
  expect((await posting('drop', { version: 1 })).status).toBe(412);
  expect((await posting('drop', { version: 2 })).body).toEqual({ kept: null });
});

test('a plan begins by itself on its day, once; what is in the way is kept with it', async () => {
  const before = [await classes(), await structure()];
  const today = { ...plan, day: schoolDay(new Date()) };
  await posting('keep', { plan: today, version: null });
  await school.another();
  expect(await kept()).toBe(null);
  expect((await classes())['12B']).toHaveLength(6);
  const { acts } = await admin.ask<RecentChanges>('recent-changes', { subjectId, limit: 1 });
  await undo(acts[0]!.actId);
  expect([await classes(), await structure()]).toEqual(before);

  await posting('keep', { plan: { ...today, sets: plan.sets.slice(1) }, version: null });
  await school.another();
  expect(await kept()).toMatchObject({ trouble: 'Say what becomes of 11A.' });
  expect([await classes(), await structure()]).toEqual(before);
  // Whoever has seen that carries it out with what was missing.
  const key = randomUUID();
  const { actId } = await begin({ version: 1 }, key);
  expect(await kept()).toBe(null);
  // Sent again, because its answer was lost.
  expect(await begin({ version: 1 }, key)).toEqual({ actId });
  await undo(actId);
});

test('a plan whose subject was deleted on its day waits until somebody looks through it', async () => {
  await posting('keep', { plan: { ...plan, day: schoolDay(new Date()) }, version: null });
  await admin.done('RemoveSubject', { subjectId });
  await school.another();
  await admin.done('RestoreSubject', { subjectId });
  expect(await kept()).toMatchObject({ trouble: expect.stringContaining('deleted when the day came') });
  await posting('drop', { version: 1 });
});

test('a plan of an admin whose account is closed waits for another one', async () => {
  const email = `${randomUUID()}@leaves.example`;
  const { accountId } = await admin.done('OpenStaffAccount', { name: 'Ann Lee', email, password: PASSWORD, role: 'admin' });
  const ann = new Client(school);
  await ann.signIn(email, PASSWORD);
  const day = schoolDay(new Date());
  await ann.post('/api/school-years/keep', JSON.stringify({ subjectId, plan: { ...NO_CHANGES, day }, version: null }));
  await admin.done('CloseStaffAccount', { accountId });
  await school.another();
  expect(await kept()).toMatchObject({ by: 'Ann Lee', trouble: expect.stringContaining('Ann Lee is closed') });
});
