import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../run/settings.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { MASTER_KEY, SIGNING_KEY } from '../support/product.ts';
import { fullName, openSchool, type School } from '../support/school.ts';
import { told } from './told.ts';

/** The command line, beside a running product. */
const dataDir = temporaryDataDir();
const file = join(dataDir.path, 'forgettings.ndjson');
let school: School;

beforeAll(async () => {
  school = await openSchool({ forgettingsFile: file });
});
afterAll(async () => {
  await school.close();
  dataDir.remove();
});

const person = (act: 'forget' | 'export', ...args: readonly string[]) => {
  const settings = readSettings({ DATABASE_URL: school.databaseUrl, DATA_DIR: dataDir.path, MASTER_KEY, SIGNING_KEY });
  return told({ settings, url: school.databaseUrl }, `person ${act}`, args);
};

test('everything that is kept about a student is exported, and nothing about others', async () => {
  const { students, maths, setA, mock } = school.ids;
  const teacher = await school.as('teacherA');
  await teacher.done('UploadTotals', {
    subjectId: maths,
    fileName: 'totals.csv',
    classes: [{ setId: setA, testIds: [mock] }],
    rows: [
      { admissionNo: '00A1', name: fullName('A1'), totals: [17] },
      { admissionNo: '00A2', name: fullName('A2'), totals: [4] },
    ],
  });
  const { said } = await person('export', school.schoolId, ' 00a1');
  const exported = JSON.parse(said) as { now: Record<string, object[]>; events: { type: string }[] };
  expect(exported.now).toMatchObject({
    students: [{ studentId: students['A1'], StudentID: '00A1', name: fullName('A1') }],
    accounts: [{ email: school.email('student') }],
    marks: [{ test: 'Mock', mark: 17 }],
  });
  expect(exported.now['enrolments']).toHaveLength(2);
  expect(exported.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['StudentsImported', 'StudentEnrolled', 'StudentAccountOpened', 'TotalsUploaded']),
  );
  for (const others of [fullName('A2'), '"00A2"', students['A2']]) expect(said).not.toContain(others);
  const again = JSON.parse((await person('export', 'Test School', school.email('student'))).said) as typeof exported;
  // That it was handed out is kept too, each time.
  expect(again.events.pop()).toMatchObject({ type: 'DataHandedOut', data: { what: 'stored data', studentId: students['A1'] } });
  expect(again).toEqual(exported);
});

test('of a member of staff also the names of the uploaded files and the teacher record, also in the file that one downloads', async () => {
  const uploads = [expect.objectContaining({ fileName: 'totals.csv' })];
  expect(JSON.parse((await person('export', school.schoolId, school.email('teacherA'))).said)).toMatchObject({
    now: { accounts: [{ role: 'teacher', email: school.email('teacherA') }], teacherRecords: [{ subject: 'Mathematics' }], uploads },
  });
  const own = await (await school.as('teacherA')).send('/api/door/profile/data');
  expect(await own.json()).toMatchObject({
    account: { role: 'teacher', email: school.email('teacherA') },
    teachers: [{ name: expect.any(String) }],
    saves: [{ file_name: 'totals.csv' }],
  });
});

test('somebody is forgotten by their e-mail address, and then nobody knows them any more', async () => {
  expect((await person('forget', school.schoolId, school.email('student'))).said).toContain(`It is recorded in ${file}`);
  expect(readFileSync(file, 'utf8')).toContain(school.ids.students['A1']);
  const nobody = { refused: 'There is nobody "00A1" in this school.' };
  expect(await person('forget', school.schoolId, '00A1')).toMatchObject(nobody);
  expect(JSON.parse((await person('export', school.schoolId, school.ids.students['A1'] ?? '')).said)).toMatchObject({
    now: { students: [{ StudentID: null, name: null }], marks: [{ mark: 17 }] },
  });
});

test('what is not right is one line', async () => {
  expect(await person('forget', 'Nowhere', '00A2')).toMatchObject({
    refused: expect.stringContaining('There is no school "Nowhere". There are: Test School'),
  });
  expect(await person('forget', school.schoolId)).toMatchObject({ refused: expect.stringContaining('<school> <StudentID') });
  expect(await person('forget', school.schoolId, school.email('admin'))).toMatchObject({
    refused: expect.stringContaining('A school needs an admin'),
  });
});
