import { afterAll, expect, test } from 'vitest';
import type { Structure } from '../../../api/school/school.contract.ts';
import { rest } from '../../support/rest.ts';
import { openSchool } from '../../support/school.ts';
import { csv, open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId, year: yearGroupId, scheme: schemeId, students } = school.ids;
const HEADER = 'StudentID,Name,Set,DoB';

test('a group whose set somebody else deletes is no longer chosen', async () => {
  const { setId } = await admin.done('AddSet', { subjectId, yearGroupId, schemeId, name: '11Z9' });
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11Z9,/);
  await page.says(/: set 11Z9$/);
  await admin.done('DeleteSet', { subjectId, setId });
  await page.says(/: Select a group$/);
  await page.find('heading', 'Select a group');
});

test('a student who is corrected by hand needs a date that there is, and a StudentID of their own', async () => {
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11B,/);
  await page.fill('Date of birth of B1, Student', '31/02/2009');
  await page.says('There is no such date: DD/MM/YYYY');
  await page.press('Submit Changes (1)');
  await page.says('1 student cannot be submitted like this: see the marked fields.');
  await page.fill('Date of birth of B1, Student', '01/05/2009');
  await page.fill('Student ID of B1, Student', '00b2');
  await page.press('Submit Changes (1)');
  await page.says('Student ID must be Unique');
  await page.fill('Student ID of B1, Student', '00B1');
  await page.fill('Name of B1, Student', 'Bell, One');
  await page.press('Submit Changes (1)');
  await page.says('Bell, One: name changed.');
});

test('who is ticked and deleted is removed after a question, or moved to Off-Roll instead, and one undo brings all back', async () => {
  const page = await open(admin, '/admin/add_students');
  const deleteBoth = async () => {
    await page.press(/^11B,/);
    await page.press('Choose B3, Student', 'checkbox');
    await page.press('Choose B4, Student', 'checkbox');
    await page.press('Delete');
    await page.press('Submit Changes (2)');
    return page.dialog('Delete 2 students?');
  };
  await (await deleteBoth()).press('Delete 2 students');
  await page.says('2 students: deleted.');
  await page.press('Undo');
  await page.says('Undone: 2 students: deleted.');
  const dialog = await deleteBoth();
  await dialog.says('2 students on roll leave this subject, with all results in it.');
  await dialog.press('Move them to Off-Roll instead');
  await page.says('2 students: taken off roll.');
  // Who is there already is not counted again.
  await page.press(/^Off-Roll/);
  await page.press('Delete B3, Student');
  await page.press(/^11B,/);
  await page.press('Delete B2, Student');
  await page.press('Submit Changes (2)');
  await (
    await page.dialog('Delete 1 student?')
  ).says('1 student on roll leaves this subject, with all results in it. So does one in Off-Roll.');
});

test('what is typed about a student whom somebody else removes is said, and can be discarded', async () => {
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11C,/);
  await page.fill('Student ID of C1, Student', 'typed');
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['C1'], place: 'removed' }] });
  await page.says('What you changed cannot be submitted any more: typed,');
  await page.press('Discard the change');
  await page.find('button', 'Submit Changes');
  await page.says(/^00C1 · 11C · deleted .* by /);
  await page.press('Restore C1, Student');
  await page.says('C1, Student is back.');
  await page.field('Name of C1, Student');
});

test('a new student needs all fields, and a StudentID that nobody has', async () => {
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11B,/);
  await page.press('Add Student');
  const dialog = await page.dialog('Add Student');
  await dialog.fill('Student ID', '00b4');
  await dialog.fill('Name', 'New, Somebody');
  await dialog.cannotPress('Add Student');
  await dialog.fill('Date of birth', '01/09/2009');
  await dialog.press('Add Student');
  await dialog.says('Student ID must be unique');
  await dialog.fill('Student ID', 'N-1');
  await dialog.press('Add Student');
  await page.says('New, Somebody added.');
  await page.field('Name of New, Somebody');
});

test('a file of students that cannot be used says why, and nothing of it can be committed', async () => {
  const page = await open(admin, '/admin/upload_students');
  for (const [lines, message] of [
    [['StudentID,Set,Name,DoB', '1,11A,Ann,'], 'The upload file is invalid. Please check you have uploaded using the correct template.'],
    [[HEADER, 'a1,Ann,11A,', 'A1,Ben,11A,'], 'Duplicate Student IDs are present in your upload file.'],
    [[HEADER, '1,,11A,', '2,Ben,,'], 'Blank rows were found in the following columns: Name, Set'],
    [[HEADER, '1,Ann,11A,31/02/2009'], 'Check date input column. Should be of the form DD/MM/YYYY'],
  ] as const) {
    await page.upload(csv('bad.csv', ...lines));
    await page.says(message);
    await page.goneFrom('button', /^Commit to Database/);
  }
});

test('another system’s list is read by its columns, and stored without a row that does not fit', async () => {
  const page = await open(admin, '/admin/upload_students');
  const list = [
    'Student List',
    'Adno,Legal Surname,Legal Forename,Reg Group,DOB',
    "'00A1,A1,Student,11A,",
    `XL1,Overlong,${'x'.repeat(50)},11A,01-Sep-2009`,
    'Printed on 27/11/2026',
  ];
  await page.upload(csv('list.csv', ...list));
  await page.says('The upload file is invalid. Please check you have uploaded using the correct template.');
  await page.press('Read the file like this');
  await page.says('Name has at most 50 characters.');
  await page.press('Upload the file without this row', 'checkbox');
  await page.says('Everything in this file is stored already.');
  // Columns are remembered by their headings, and forgotten on request.
  await page.press('Change the columns');
  await page.choose('Column 5, DOB', 'Leave out');
  await page.press('Read the file like this');
  await page.upload(csv('next.csv', ...list));
  await page.holds('Column 5, DOB', '');
  await page.press(/^Forget the columns Adno/);
  await page.upload(csv('next.csv', ...list));
  await page.holds('Column 5, DOB', 'birth');
});

test('of a file of students unknown sets are made in the year that is said, and each other name is decided about', async () => {
  const page = await open(admin, '/admin/upload_students');
  await page.upload(csv('next_year.csv', HEADER, '00A1,"Another, Name",12A,', '00A2,"A2, Student",12B,'));
  await page.says('First choose or make the sets that are not known.');
  await page.cannotPress(/^Commit to Database/);
  await page.fill('Year group of 12A', '99');
  await page.says('Year 99 is kept for Off-Roll');
  await page.cannotPress('Make 2 sets');
  await page.fill('Year group of 12A', '13');
  await page.press('Make 2 sets');
  await page.upload(csv('other.csv', HEADER, '00A1,"A1, Student",11A,'));
  await (await page.dialog('Leave without saving?')).press('Stay here');
  await page.says('2 sets in years 12 and 13 will be made with the import: 12A and 12B.');
  await page.says('Decide first about the names and dates of birth that differ.');
  await page.cannotPress(/^Commit to Database/);
  await page.check(/^Another, Name/);
  await page.says('0 new · 2 moved · 1 corrected · 0 to Off-Roll · 0 removed');
  await page.press(/^Commit to Database/);
  await page.says('0 new, 2 moved, 1 with another name or date of birth.');
  await page.press('Undo');
  await page.says('The import was undone: 2 students put back.');
  const { yearGroups } = await admin.ask<Structure>('structure', { subjectId: school.ids.maths });
  expect(yearGroups.map(({ year }) => year)).toEqual([11]);
});

test('who of a file may be here already under another StudentID is shown beside it, and is who its author says', async () => {
  const page = await open(admin, '/admin/upload_students');
  await page.upload(csv('ids.csv', HEADER, 'OOA3,"A3, Student",11B,01/05/2009', 'X4,"A4, Student",11A,', 'X5,"Five, New",11A,'));
  await page.says('Nobody has their StudentIDs. 1 taken as the same, 1 as new.');
  await page.says('2 new · 1 moved · 0 corrected');
  await page.press('All new');
  await page.says('3 new · 0 moved · 0 corrected');
  // The notice of damaged StudentIDs would say otherwise.
  await page.gone('looks damaged');
  await page.press('All the same');
  await page.says('1 new · 1 moved · 0 corrected');
  const pair = await page.part('group', 'X4, A4, Student');
  await pair.find('radio', /^X4 ?A4, Student ?no date of birth, 11A ?somebody new$/);
  (await pair.find('radio', /^00A4 ?A4, Student ?01\/05\/2009, 11A ?the same person: same name$/)).focus();
  await user.keyboard('{ArrowDown}');
  await page.says('1 new · 1 moved · 1 corrected');
  await page.press(/^Commit to Database/);
  await page.says('1 new, 1 moved, 1 with another name or date of birth.');
  await page.press('Undo');
  await page.says('The import was undone: 3 students put back.');
});

/** A subject with a set of 21 students, and one in Off-Roll. */
const orchestra = async (name: string) => {
  const { subjectId: of } = await admin.done('AddSubject', { name });
  const { yearGroupId: group } = await admin.done('AddYearGroup', { subjectId: of, year: 11 });
  const { schemeId: follows } = await admin.done('AddScheme', { subjectId: of, name: 'Scores' });
  await admin.done('AddSet', { subjectId: of, yearGroupId: group, schemeId: follows, name: '11O' });
  const rows = Array.from({ length: 22 }, (_, n) => ({ admissionNo: `O${n}`, name: `Player ${n}`, set: '11O', dateOfBirth: null }));
  await admin.done('ImportStudents', { subjectId: of, fileName: 'all.csv', rows });
  const filter = encodeURIComponent(JSON.stringify({ subjectId: of, admissionNo: 'O1' }));
  const [gone] = (await rest(admin, 'GET', `students?filter=${filter}`)).body;
  await admin.done('ChangeStudents', { subjectId: of, changes: [{ studentId: gone?.['studentId'], place: 'off-roll' }] });
};

test('an import that removes many asks for their number, and one that is decided is not left without a question', async () => {
  await orchestra('Orchestra');
  const page = await open(admin, '/admin/upload_students');
  await page.choose('Subject', 'Orchestra');
  await page.says('Students of Orchestra');
  await page.upload(csv('one.csv', HEADER, 'O0,Player 0,11O,'));
  await page.check(/^3\. Permanently remove/);
  await page.says('0 to Off-Roll · 20 removed');
  await page.check('Off-Roll: 1 not in the file');
  await page.says('0 to Off-Roll · 21 removed');
  await page.press('View import data');
  const shown = await page.dialog('Import data');
  await shown.says('1–21 of 21');
  await shown.check('1 unchanged');
  await shown.says('1–1 of 1');
  await shown.press('Close');
  await page.goneFrom('dialog', 'Import data');
  await page.press('School Structure', 'link');
  await page.whenAsked('Stay here');
  await page.press(/^Commit to Database/);
  const dialog = await page.dialog('Remove 20 students?');
  await dialog.says('So does one in Off-Roll.');
  await dialog.fill('Type 20 to confirm', '19');
  await dialog.cannotPress('Remove 20 students');
  await dialog.fill('Type 20 to confirm', '20');
  await dialog.press('Remove 20 students');
  await page.says(/, 21 permanently removed\.$/);
  await page.says('1 as they were');
  await page.press('Undo');
  await page.says('The import was undone: 21 students put back.');
});

test('an import that would remove moves to Off-Roll instead, and whoever is there already is not counted again', async () => {
  await orchestra('Choir');
  const page = await open(admin, '/admin/upload_students');
  await page.choose('Subject', 'Choir');
  await page.says('Students of Choir');
  await page.upload(csv('one.csv', HEADER, 'O0,Player 0,11O,'));
  await page.says('20 students of this subject, and 1 in Off-Roll already.');
  await page.says('Year 11: 20 not in the file');
  await page.check(/^3\. Permanently remove/);
  await page.check('Off-Roll: 1 not in the file');
  await page.says('0 to Off-Roll · 21 removed');
  await page.press(/^Commit to Database/);
  await (await page.dialog('Remove 20 students?')).press('Move them to Off-Roll instead');
  await (await page.dialog('Move 20 students to Off-Roll?')).press('Move 20 students');
  await page.says(/, 20 moved off-roll, 0 permanently removed\.$/);
});

test('a set with many students is deleted once their number is typed', async () => {
  await orchestra('Band');
  const page = await open(admin, '/admin/classes');
  await page.choose('Subject', 'Band');
  await page.press(/^Year 11/);
  await page.press('Delete set 11O');
  const dialog = await page.dialog('Delete 11O?');
  await dialog.cannotPress('Move 21 students to Off-Roll and delete');
  await dialog.fill('Type 21 to confirm', '21');
  await dialog.press('Move 21 students to Off-Roll and delete');
  await page.says('11O deleted.');
});
