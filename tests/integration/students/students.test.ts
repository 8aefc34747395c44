import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseStudents } from '../../../api/students/students-file.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { ImportCounts, ImportPreview } from '../../../api/students/students.contract.ts';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { demoSchool } from '../../../run/demo/demo.ts';
import { Client } from '../../support/client.ts';
import { openedAnew } from '../../support/opened-anew.ts';
import { testDatabase } from '../../support/postgres.ts';
import type { Product } from '../../support/product.ts';
import { openProduct } from '../../support/product.ts';

/** The demo school's 729 students of year 11 move on to year 12: next year's file. */
let product: Product;
let admin: Client;
let subjectId: string;
let schemeId: string;
let lastYear: Structure['yearGroups'][number];

openedAnew(async (atEnd) => {
  const database = await testDatabase();
  atEnd(() => database.drop());
  product = await openProduct(database.url);
  atEnd(() => product.close());
  await demoSchool(product.backend, () => undefined, { past: false });
  admin = new Client(product);
  await admin.signIn('admin@demo.example', 'marktrail-demo');
  const { subjects, school } = await admin.ask<Me>('me');
  subjectId = subjects.find(({ name }) => name === 'Mathematics')?.subjectId ?? '';
  [lastYear] = (await admin.ask<Structure>('structure', { subjectId })).yearGroups as [Structure['yearGroups'][number]];
  const schemes = await product.backend.readAs(school.schoolId, (query) =>
    query<{ id: string }>(`select scheme_id as id from schemes where school_id = $1 and subject_id = $2`, [subjectId]),
  );
  schemeId = schemes[0]?.id ?? '';
});

const rowsOfFile = async () => {
  const bytes = await readFile(new URL('../../../run/demo/mathexam/student_upload.csv', import.meta.url));
  const parsed = parseStudents({ name: 'student_upload.csv', type: 'text/csv', bytes });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.rows.map(({ admissionNo, name, set, dateOfBirth }) => ({ admissionNo, name, set, dateOfBirth }));
};

/** Twenty have left, two are new, one has another name, one is back from Off-Roll, and everybody is a year on. */
const nextYears = async () => {
  const rows = (await rowsOfFile()).slice(20).map((row) => ({ ...row, set: row.set.replace(/^11/, '12') }));
  const [renamed] = rows;
  if (renamed) renamed.name = 'Another, Name';
  return [
    ...rows,
    { admissionNo: 'N0001', name: 'New, One', set: '12X1', dateOfBirth: '2009-01-31' },
    { admissionNo: 'N0002', name: 'New, Two', set: '12X2', dateOfBirth: null },
  ];
};

type Imported = ImportCounts & { commandId: string };
/** Where everybody is, and what they are called. */
const placesNow = async (): Promise<ReadonlyMap<string, string | null>> => {
  const { school } = await admin.ask<Me>('me');
  await product.backend.progress.waitFor(['roster'], await product.backend.store.head(), 30_000);
  const rows = await product.backend.readAs(school.schoolId, (query) =>
    query<{ id: string; place: string | null }>(
      `select student_id as id, concat_ws(' ', case state when 'set' then set_id::text else state end, name) as place
         from enrolments join students using (school_id, student_id) where school_id = $1 and subject_id = $2`,
      [subjectId],
    ),
  );
  return new Map(rows.map(({ id, place }) => [id, place]));
};

test("next year's sets are imported: the preview says what is written, last year's history stays, and it can be undone", async () => {
  const file = { subjectId, fileName: 'next_year.csv', rows: await nextYears(), others: 'off-roll' };
  const before = await placesNow();

  // The sets are not there yet: the preview names them, and the import is refused.
  const first = await admin.ask<ImportPreview>('preview-students', file);
  expect(first.missingSets).toHaveLength(26);
  expect(first.rows.every(({ change }) => change === 'missing')).toBe(true);
  expect((await admin.command('ImportStudents', file)).body.title).toMatch(/^There are no sets of these names: 12X/);
  const making = { ...file, make: [{ in: { year: 12 }, schemeId, names: first.missingSets, testIds: [] }] };

  const asked = await admin.ask<ImportPreview>('preview-students', making);
  expect(asked.rows.filter(({ stored }) => stored?.counts === null)).toMatchObject([
    { name: 'Another, Name', change: 'moved', from: expect.stringMatching(/^11/) },
  ]);
  expect((await admin.command('ImportStudents', { ...making, seen: asked.seen })).status).toBe(409);

  const answered = { ...making, rows: file.rows.map((row) => (row.name === 'Another, Name' ? { ...row, details: 'file' } : row)) };
  const preview = await admin.ask<ImportPreview>('preview-students', answered);
  expect(preview.counts).toEqual({ added: 2, enrolled: 0, moved: 709, corrected: 1, offRolled: 20, removed: 0 });
  expect(preview.others.map(({ becomes }) => becomes)).toEqual(Array.from({ length: 20 }, () => 'off-roll'));
  const { commandId, ...counts } = await admin.done<Imported>('ImportStudents', { ...answered, seen: preview.seen });
  expect(counts).toEqual({ ...preview.counts, renamed: [] });

  const { yearGroups } = await admin.ask<Structure>('structure', { subjectId });
  expect(yearGroups.map(({ year, sets }) => [year, sets.reduce((sum, { students }) => sum + students, 0)])).toEqual([
    [11, 0],
    [12, 711],
  ]);
  // Last year's marks belong to the students, and go with them.
  const markbook = await admin.ask<Markbook>('markbook', { yearGroupId: yearGroups[1]?.yearGroupId });
  const place = markbook.tests.findIndex(({ name }) => name === 'Written examination');
  expect(markbook.students.filter(({ totals }) => totals[place]?.total !== null && totals[place] !== undefined)).toHaveLength(709);

  const undone = await admin.done<{ students: number }>('UndoAct', { subjectId, actId: commandId });
  expect(undone.students).toBe(731);
  const after = await placesNow();
  for (const [id, where] of before) expect(after.get(id)).toBe(where);
  expect(
    [...after]
      .filter(([id]) => !before.has(id))
      .map(([, where]) => where)
      .toSorted(),
  ).toEqual(['removed New, One', 'removed New, Two']);
  const again = await admin.ask<Structure>('structure', { subjectId });
  expect(again.yearGroups.map(({ sets }) => sets.length)).toEqual([lastYear.sets.length]);
});

test('an import that stands on an old preview is refused, and says so', async () => {
  const [one, two] = await rowsOfFile();
  const file = { subjectId, fileName: 'two.csv', rows: [one, { ...two, set: lastYear.sets[1]?.name }], others: 'keep' };
  const { seen } = await admin.ask<ImportPreview>('preview-students', file);
  const { school } = await admin.ask<Me>('me');
  const [student] = await product.backend.readAs(school.schoolId, (query) =>
    query<{ id: string }>(`select student_id as id from students where school_id = $1 and admission_no = $2`, [one?.admissionNo]),
  );
  const move = await admin.done('ChangeStudents', {
    subjectId,
    changes: [{ studentId: student?.id, place: { setId: lastYear.sets[2]?.setId } }],
  });
  const refused = await admin.command('ImportStudents', { ...file, seen });
  expect([refused.status, refused.body.title]).toEqual([
    412,
    'Somebody changed the students since this preview. Look at the new one before you commit it.',
  ]);
  await admin.done('UndoRosterChange', { subjectId, commandId: move['commandId'] });
  expect((await admin.command('ImportStudents', { ...file, seen })).status).toBe(200);
});

test('the preview shows names that would become another person’s, garbled names, and StudentIDs that would add somebody twice', async () => {
  const [first, second, third] = await rowsOfFile();
  if (!first || !second || !third) throw new Error('The file is empty.');
  const add = { admissionNo: '0000123', name: 'Zero, Zoë', dateOfBirth: null };
  const { studentId } = await admin.done('AddStudent', { ...add, subjectId, setId: lastYear.sets[0]?.setId });
  const rows = [
    { ...first, name: second.name },
    { ...second, name: second.name.toUpperCase() },
    third,
    { ...third, admissionNo: '123', name: 'Zoe Zero', dateOfBirth: null },
    { ...third, admissionNo: '1.23457E+12', name: 'Long, Lou' },
    { ...third, admissionNo: 'N9', name: 'PÃ©rez, JosÃ©' },
  ];
  const file = { subjectId, fileName: 'odd.csv', rows };
  const seen = await admin.ask<ImportPreview>('preview-students', file);
  expect(seen.doubts).toEqual({
    names: { count: 1, first: [{ admissionNo: first.admissionNo, inFile: second.name, ours: first.name }] },
    garbled: { count: 1, first: [{ admissionNo: 'N9', inFile: 'PÃ©rez, JosÃ©' }] },
    ids: { count: 1, first: [{ inFile: '1.23457E+12', name: 'Long, Lou', damage: 'exponent', means: null }] },
  });
  expect(seen.rows[3]).toMatchObject({
    identity: {
      candidates: [{ ...add, studentId, set: lastYear.sets[0]?.name, agrees: ['name', 'student-id'] }],
      studentId,
      number: 'stored',
    },
  });
  const kept = rows.slice(0, 1).map((row) => ({ ...row, details: 'stored' as const }));
  expect(await admin.ask<ImportPreview>('preview-students', { ...file, rows: kept })).not.toHaveProperty('doubts');
  expect(await admin.done<Imported>('ImportStudents', { ...file, correct: true, seen: seen.seen })).toMatchObject({
    added: 2,
    corrected: 3,
  });
});
