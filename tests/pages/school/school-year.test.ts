import { afterAll, test } from 'vitest';
import type { KeptSchoolYear } from '../../../api/school/school-year/school-year.contract.ts';
import { openSchool } from '../../support/school.ts';
import { csv, open } from '../support/open.ts';

const school = await openSchool();
afterAll(() => school.close());
const admin = await school.as('admin');

test('a new school year is planned on one page, kept, begun by somebody else meanwhile, which is told, and taken back', async () => {
  const page = await open(admin, '/admin/school_year');
  const outcome = await page.part('region', 'What changes');
  // Year 11 is a last year: its classes are there again for those who come.
  await outcome.says('12 students go to Off-Roll: their results stay.');
  await page.choose('Year 11 becomes', '12');
  await outcome.says('6 classes in the new year: 0 leave, 0 change class.');
  await page.choose('What becomes of 11C', 'Merges into 12B');
  await page.fill('Name of 11A in the new year', '12b');
  await outcome.says('Two sets of the new year would be called 12B.');
  await outcome.cannotPress('Begin now');
  await page.fill('Name of 11A in the new year', '12A');
  await page.press('Students of 11A');
  const students = await page.dialog('Students of 11A');
  await students.choose('A1, Student in the new year', 'to 11C');
  await students.press('Done');
  await page.upload(csv('intake.csv', 'StudentID,Name,Set,DoB', 'N1,"New, One",11A,01/02/2010'));
  await outcome.says('The file: 1 new, 0 moved, 0 corrected, 0 as they are.');
  await page.press(/^Keep until/);
  await page.says(/kept this plan. It begins by itself on/);

  const asked = `/api/school-years?subjectId=${school.ids.maths}`;
  const { kept } = (await (await admin.send(asked)).json()) as KeptSchoolYear;
  await admin.done('BeginSchoolYear', { subjectId: school.ids.maths, plan: kept?.plan, version: 1 });
  // The page has not looked since.
  await page.press('Begin now');
  await (await page.dialog(/^Begin the school year/)).press('Begin');
  await page.says('The plan was carried out or dropped meanwhile.');
  await page.says('Year 12 becomes');

  // The classes of last year, with who has left them since.
  const leader = await open(await school.as('leader'), '/leader?year=12');
  await leader.press(/^20\d\d\/\d\d$/, 'link');
  await leader.says('11C');

  const classes = await open(admin, '/admin/classes');
  await classes.says(/began the school year/);
  await classes.press(/^Undo: began the school year/);
  await classes.says(/^Undone: admin began the school year/);
});

test('a class that a kept plan does not name is open until somebody says what becomes of it, and the plan waits', async () => {
  const subjectId = school.ids.maths;
  const page = await open(admin, '/admin/school_year');
  await page.choose('Year 11 becomes', '12');
  await page.press(/^Keep until/);
  await page.says(/Kept: it begins by itself on/);
  await page.says(/kept this plan. It begins by itself on/);
  const { yearGroupId } = await admin.done<{ yearGroupId: string }>('AddYearGroup', { subjectId, year: 9 });
  await admin.done('AddSet', { subjectId, yearGroupId, name: '9A', schemeId: school.ids.scheme });

  const home = await open(admin, '/admin');
  await home.says(/The plan of the school year .* waits: 2 things to settle before/);
  const later = await open(admin, '/admin/school_year');
  await later.says('kept this plan. It waits until this is settled:');
  const changes = await later.part('region', 'What changes');
  await changes.says('Say what becomes of Year 9.');
  await changes.says('Say what becomes of 9A.');
  await changes.says('2 things to settle first.');
  await later.holds('What becomes of 9A', 'open');
  await later.holds('Year 9 becomes', 'open');
  await changes.cannotPress('Begin now');
  await later.choose('Year 9 becomes', '10');
  await later.holds('What becomes of 9A', 'on');
  await later.press(/^Keep until/);
  await later.says(/kept this plan. It begins by itself on/);

  // Of a year group that the plan names, a class that it does not: the plan is kept all the same, and says so.
  await admin.done('AddSet', { subjectId, yearGroupId, name: '9B', schemeId: school.ids.scheme });
  const last = await open(admin, '/admin/school_year');
  await last.holds('What becomes of 9B', 'open');
  await last.fill('Name of 9A in the new year', '10C');
  await last.says('1 thing to settle first.');
  await last.press(/^Keep until/);
  await last.says('Kept, but it waits: 1 thing to settle first.');

  const again = await open(admin, '/admin/school_year');
  await again.holds('Name of 9A in the new year', '10C');
  await again.says('Settle this first');
  await again.choose('What becomes of 9B', 'Ends: to Off-Roll');
  await again.gone('Settle this first');
});
