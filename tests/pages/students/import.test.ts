import { afterAll, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { csv, open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId, setA, setB } = school.ids;
const HEADER = 'StudentID,Name,Set,DoB';

test('the preview opens on what changes, is filtered by chips, and is committed where it is read', async () => {
  const page = await open(admin, '/admin/upload_students');
  const rows = ['N1,"New, One",11A,01/02/2010', '00A1,"Another, Name",11B,', '00A2,"A2, Student",11A,', '00B1,"B1, Student",11B,'];
  await page.upload(csv('some.csv', HEADER, ...rows));
  await page.press('All as in the file');
  await page.says('Year 11: 9 not in the file');
  await page.check(/^2\. Move them to Off-Roll/);
  await page.says('1 new · 1 moved · 1 corrected · 9 to Off-Roll · 0 removed');
  await page.check('Year 11: 9 not in the file');
  await page.says('1 new · 1 moved · 1 corrected · 0 to Off-Roll · 0 removed');
  await page.press('View import data');
  const dialog = await page.dialog('Import data');
  await dialog.says('1–2 of 2');
  await dialog.says('01/02/2010');
  await dialog.says('From 11A; Name was A1, Student');
  await dialog.check('1 renamed');
  await dialog.says('1–1 of 1');
  await dialog.check('9 not in the file, kept');
  await dialog.says('01/05/2009');
  await dialog.press('Commit to Database (2)');
  await page.says('1 new, 1 moved, 1 with another name or date of birth.');
  await page.press('Undo');
  await page.says('The import was undone: 2 students put back.');
});

test('a set that somebody renames or deletes while its preview is read is told, and nobody goes to another one', async () => {
  const page = await open(admin, '/admin/upload_students');
  await page.upload(csv('some.csv', HEADER, '00A1,"A1, Student",11B,'));
  await page.says('0 new · 1 moved');
  await admin.done('ChangeSet', { subjectId, setId: setB, name: '11Q' });
  await admin.done('ChangeSet', { subjectId, setId: setA, name: '11B' });
  await page.press('Commit to Database (1)');
  await page.says('11B is called 11Q now. Its students went there.');

  await page.upload(csv('again.csv', HEADER, '00A2,"A2, Student",11Q,'));
  await page.says('0 new · 1 moved');
  await admin.done('DeleteSet', { subjectId, setId: setB, offRoll: true });
  await page.press('Commit to Database (1)');
  await page.says('The set 11Q was deleted since this preview. Nothing was stored: choose where these students go.');
  await page.says('1 set in the file, 1 of them not known');
  await page.cannotPress(/^Commit to Database/);
  await page.choose('Set for 11Q', setA);
  await page.says('Everything in this file is stored already.');
});

test('a set that somebody else makes while it was to be made is told, and is the one that the file means', async () => {
  const page = await open(admin, '/admin/upload_students');
  await page.upload(csv('next.csv', HEADER, '00C1,"C1, Student",12A,', '00C2,"C2, Student",12B,'));
  await page.press('Make 2 sets');
  await page.says('2 sets in year 12 will be made with the import: 12A and 12B.');
  const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 12 });
  await admin.done('AddSet', { subjectId, yearGroupId, schemeId: school.ids.scheme, name: '12A' });
  await page.press('Commit to Database (2)');
  await page.says('2 sets in the file, 1 of them not known');
  await page.press('Make 1 set');
  await page.press('Commit to Database (2)');
  await page.says('0 new, 2 moved, 0 with another name or date of birth.');
});
