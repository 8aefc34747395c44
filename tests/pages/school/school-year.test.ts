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
  await page.choose('What becomes of 11C', '12B');
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
