import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ActUndone, Structure } from '../../../api/school/school.contract.ts';
import type { ImportPreview } from '../../../api/students/students.contract.ts';
import { commandId } from '../../../events/codec/ids.ts';
import { rest } from '../../support/rest.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');
const { ids } = school;
const subjectId = ids.maths;

/** StudentIDs by set, as the list of students has them. */
const classes = async (): Promise<Record<string, string[]>> => {
  const { body } = await rest(admin, 'GET', `students?range=[0,99]&filter=${JSON.stringify({ subjectId })}`);
  const bySet = Map.groupBy(body, ({ set }) => String(set));
  return Object.fromEntries([...bySet].map(([set, rows]) => [set, rows.map(({ admissionNo }) => String(admissionNo)).toSorted()]));
};
const structure = async () => {
  const { yearGroups } = await admin.ask<Structure>('structure', { subjectId });
  return { years: yearGroups.map(({ year }) => year), sets: yearGroups.flatMap(({ sets }) => sets.map(({ name }) => name)).toSorted() };
};
const act = async (name: 'DeleteSet' | 'DeleteYearGroup' | 'ImportStudents' | 'ChangeStudents' | 'UndoAct', body: object) => {
  const key = randomUUID();
  const result = await admin.done<ActUndone>(name, { subjectId, ...body }, key);
  return { actId: commandId(school.accounts.admin, key), result };
};
const undo = async (actId: string, partly = false) => act('UndoAct', { actId, partly });

test('a class is deleted with its students in Off-Roll, comes back with them, and goes again, each as one act', async () => {
  const before = await classes();
  const { actId } = await act('DeleteSet', { setId: ids.setB, offRoll: true });
  const { '11B': b = [], ...others } = before;
  const after = { ...others, 'Off-Roll': b };
  expect(await classes()).toEqual(after);
  const { actId: undone, result } = await undo(actId);
  expect(result).toEqual({ already: false, students: 4, stays: [] });
  expect(await classes()).toEqual(before);
  await undo(undone);
  expect([await classes(), (await structure()).sets]).toEqual([after, ['11A', '11C']]);
  await undo(actId);
  expect(await classes()).toEqual(before);
  expect((await undo(actId)).result).toEqual({ already: true, students: 0, stays: [] });
});

test('a year group comes back with its classes and everybody in them, after sixty other acts', async () => {
  const before = await classes();
  const { actId } = await act('DeleteYearGroup', { yearGroupId: ids.year, offRoll: true });
  expect([Object.keys(await classes()), await structure()]).toEqual([['Off-Roll'], { years: [], sets: [] }]);
  for (let n = 0; n < 60; n++) {
    const details = { admissionNo: '00A1', name: `A1, ${n}`, dateOfBirth: null };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await act('ChangeStudents', { changes: [{ studentId: ids.students['A1'], details }] });
  }
  await undo(actId);
  expect(await classes()).toEqual(before);
});

test('what is restored from the list of deleted things comes back with its students, too', async () => {
  const before = await classes();
  await act('DeleteSet', { setId: ids.setC, offRoll: true });
  await admin.done('RestoreSet', { subjectId, setId: ids.setC });
  expect(await classes()).toEqual(before);
  await act('DeleteYearGroup', { yearGroupId: ids.year, offRoll: true });
  await admin.done('RestoreYearGroup', { subjectId, yearGroupId: ids.year });
  expect([await classes(), (await structure()).sets]).toEqual([before, ['11A', '11B', '11C']]);
});

test('an import makes the sets it needs, all or nothing, and is undone with them', async () => {
  const before = [await classes(), await structure()];
  const row = (admissionNo: string, name: string, set: string) => ({ admissionNo, name, set, dateOfBirth: null });
  const make = [{ in: { year: 10 }, names: ['10X', '10Y'], schemeId: ids.scheme, testIds: [ids.mock] }];
  const file = { subjectId, fileName: 'new.csv', rows: [row('N1', 'New, One', '10X'), row('N2', 'New, Two', '10y')], make };
  const preview = await admin.ask<ImportPreview>('preview-students', file);
  expect(preview).toMatchObject({ missingSets: [], counts: { added: 2 } });

  const taken = await admin.command('ImportStudents', { ...file, make: [...make, { ...make[0], names: ['11A'] }] });
  expect([taken.status, taken.body.title]).toEqual([422, 'Set name needs to be unique']);
  expect([await classes(), await structure()]).toEqual(before);

  const { actId } = await act('ImportStudents', { ...file, seen: preview.seen });
  expect(await structure()).toEqual({ years: [10, 11], sets: ['10X', '10Y', '11A', '11B', '11C'] });
  expect(await classes()).toMatchObject({ '10X': ['N1'], '10Y': ['N2'] });
  await undo(actId);
  expect([await classes(), await structure()]).toEqual(before);
});

test('the undo of an import says who loses a set that it made, and which sets stay because others are in them by now', async () => {
  const row = (admissionNo: string, set: string) => ({ admissionNo, name: `New, ${admissionNo}`, set, dateOfBirth: null });
  const make = [{ in: { year: 9 }, names: ['9X', '9Y'], schemeId: ids.scheme, testIds: [] }];
  const { actId } = await act('ImportStudents', { fileName: 'nine.csv', rows: [row('N3', '9X'), row('N4', '9Y')], make });
  const { yearGroups } = await admin.ask<Structure>('structure', { subjectId });
  const [x, y] = yearGroups.find(({ year }) => year === 9)?.sets ?? [];
  await admin.done('ChangeTeacher', { subjectId, teacherId: ids.recordA, setIds: [ids.setA, x?.setId] });
  await act('ChangeStudents', { changes: [{ studentId: ids.students['A1'], place: { setId: y?.setId } }] });
  const asked = await admin.command('UndoAct', { subjectId, actId });
  expect([asked.status, asked.body.asks]).toEqual([
    409,
    {
      stays: [
        '9X goes, and Teacher A loses it.',
        '9Y has 1 student(s): move them to another set or to Off-Roll first.',
        'Year 9 has other sets now.',
      ],
    },
  ]);
  await undo(actId, true);
  expect((await structure()).sets).toEqual(['11A', '11B', '11C', '9Y']);
  expect(await classes()).toMatchObject({ '9Y': ['00A1'] });
  await act('ChangeStudents', { changes: [{ studentId: ids.students['A1'], place: { setId: ids.setA } }] });
});

test('an undo that can no longer be whole says before it begins what would stay', async () => {
  const { actId } = await act('DeleteSet', { setId: ids.setC, offRoll: true });
  await act('ChangeStudents', { changes: [{ studentId: ids.students['C1'], place: { setId: ids.setA } }] });
  const asked = await admin.command('UndoAct', { subjectId, actId });
  expect([asked.status, asked.body.code, asked.body.asks]).toEqual([
    409,
    'answers-needed',
    { stays: ['1 student was changed again since: that stays.'] },
  ]);
  expect((await structure()).sets).not.toContain('11C');
  await undo(actId, true);
  expect(await classes()).toMatchObject({ '11A': ['00A1', '00A2', '00A3', '00A4', '00C1'], '11C': ['00C2', '00C3', '00C4'] });
});

test('an undo of a part that is sent again, by a page that never had its answer, is done once', async () => {
  const change = randomUUID();
  await admin.done('ChangeSet', { subjectId, setId: ids.setB, name: '11Y', testIds: [] }, change);
  await admin.done('ChangeSet', { subjectId, setId: ids.setB, name: '11Q' });
  const partly = { subjectId, actId: commandId(school.accounts.admin, change), partly: true };
  const key = randomUUID();
  for (let time = 1; time <= 2; time++) expect((await admin.command('UndoAct', partly, { key })).status).toBe(200);
  expect((await admin.command('UndoAct', partly)).body.title).toBe('Nothing was undone. 11Q: the name was changed again since, and stays.');
  await admin.done('ChangeSet', { subjectId, setId: ids.setB, name: '11B' });
});

test('an undo by which many leave the subject says so before it begins', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ admissionNo: `L${n}`, name: `Leaver, ${n}`, set: '11A', dateOfBirth: null }));
  const { actId } = await act('ImportStudents', { fileName: 'many.csv', rows });
  const asked = await admin.command('UndoAct', { subjectId, actId });
  expect([asked.status, asked.body.asks]).toEqual([
    409,
    { stays: ['20 students leave this subject, with their results. Redo brings them back.'] },
  ]);
  expect((await undo(actId, true)).result).toEqual({ already: false, students: 20, stays: [] });
});

test('nobody undoes more than they may do', async () => {
  await admin.done('OpenStructureToLeaders', { open: true });
  const { actId } = await act('ChangeStudents', { changes: [{ studentId: ids.students['A2'], place: 'off-roll' }] });
  expect((await leader.command('UndoAct', { subjectId, actId })).status).toBe(403);
  expect((await leader.command('DeleteSet', { subjectId, setId: ids.setA, offRoll: true })).status).toBe(403);
  expect((await admin.command('UndoAct', { subjectId: ids.science, actId })).status).toBe(404);
});
