import { expect, test } from 'vitest';
import type { ImportPreview } from '../../../api/students/students.contract.ts';
import { rest } from '../../support/rest.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');
const { maths: subjectId, setA, setB, setC, setS, year, scheme: schemeId } = school.ids;
const file = (...rows: readonly (readonly [admissionNo: string, set: string])[]) => ({
  subjectId,
  fileName: 'students.csv',
  rows: rows.map(([admissionNo, set]) => ({ admissionNo, name: `New, ${admissionNo}`, set, dateOfBirth: null })),
});
const preview = (input: object) => admin.ask<ImportPreview>('preview-students', input);
/** What is sent once a preview has been seen. */
const seenOf = ({ sets, seen }: ImportPreview) => ({
  sets: sets.map(({ name, setId, called }) => ({ name, setId, called })),
  seen,
});
const setOf = async (admissionNo: string): Promise<unknown> =>
  (await rest(admin, 'GET', `students?filter=${encodeURIComponent(JSON.stringify({ subjectId, admissionNo }))}`)).body[0]?.['setId'];

test('students go into the sets that the preview showed, though these change names meanwhile, and none if a set is deleted', async () => {
  const input = file(['N1', '11a'], ['N2', '11B']);
  const first = await preview(input);
  expect(first.sets).toEqual([
    { name: '11a', setId: setA, called: '11A', isGone: false },
    { name: '11B', setId: setB, called: '11B', isGone: false },
  ]);
  const names = async (...pairs: readonly (readonly [setId: string, name: string])[]) => {
    // oxlint-disable-next-line no-await-in-loop -- a name is free only then
    for (const [setId, name] of pairs) await admin.done('ChangeSet', { subjectId, setId, name });
  };
  await names([setA, '11Q'], [setB, '11A']);
  const done = await admin.done<{ renamed: unknown }>('ImportStudents', { ...input, ...seenOf(first) });
  expect(done.renamed).toEqual([
    { was: '11A', is: '11Q' },
    { was: '11B', is: '11A' },
  ]);
  expect([await setOf('N1'), await setOf('N2')]).toEqual([setA, setB]);

  const toC = file(['N3', '11C'], ['N4', '11A']);
  const second = await preview(toC);
  await admin.done('DeleteSet', { subjectId, setId: setC, offRoll: true });
  const refused = await admin.command('ImportStudents', { ...toC, ...seenOf(second) });
  expect([refused.status, refused.body.title]).toEqual([
    412,
    'The set 11C was deleted since this preview. Nothing was stored: choose where these students go.',
  ]);
  const { sets, missingSets } = await preview({ ...toC, sets: seenOf(second).sets });
  expect([sets[0], missingSets]).toEqual([{ name: '11C', setId: null, called: '11C', isGone: true }, ['11C']]);
  // Another set that is called so by now is another set; a set of another subject is none.
  await admin.done('AddSet', { subjectId, yearGroupId: year, schemeId, name: '11C' });
  for (const setId of [setC, setS])
    expect((await preview({ ...toC, sets: [{ name: '11C', setId }] })).sets[0]).toMatchObject({ setId: null, isGone: true });
  expect(await setOf('N3')).toBe(undefined);
});

test('whom others is about is told by year group, with the dates of birth, and is what the import does', async () => {
  const { yearGroupId: twelve } = await admin.done('AddYearGroup', { subjectId, year: 12 });
  await admin.done('AddSet', { subjectId, yearGroupId: twelve, schemeId, name: '12A' });
  await admin.done('ImportStudents', file(['T1', '12A'], ['T2', '12A']));
  const input = { ...file(['T1', '12A'], ['T3', '12A']), others: 'off-roll' };
  const shown = await preview(input);
  expect(shown.othersIn).toEqual([twelve]);
  expect(shown.others.find(({ admissionNo }) => admissionNo === '00A1')).toMatchObject({
    in: year,
    dateOfBirth: '2009-05-01',
    becomes: 'kept',
  });
  expect(shown.others.filter(({ becomes }) => becomes !== 'kept').map(({ admissionNo }) => admissionNo)).toEqual(['T2']);
  const both = await preview({ ...input, othersIn: [twelve, year] });
  expect(both.counts.offRolled).toBe(both.others.filter((student) => student.in === twelve || student.in === year).length);
  expect((await admin.command('ImportStudents', { ...input, othersIn: [year], seen: shown.seen })).status).toBe(412);
  const done = await admin.done<{ offRolled: number }>('ImportStudents', { ...input, othersIn: [...shown.othersIn], seen: shown.seen });
  expect(done.offRolled).toBe(1);
});
