import { open } from '../support/open.ts';
import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { marksIn } from '../../support/marks.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, admin] = [await school.as('leader'), await school.as('admin')];
const { maths: subjectId, mock } = school.ids;
const MORE = 2_000;
await admin.done('ImportStudents', {
  subjectId,
  fileName: 'students.csv',
  rows: Array.from({ length: MORE }, (_, at) => ({ admissionNo: `Z${at}`, name: `Zeta, ${at}`, set: '11A', dateOfBirth: null })),
});
await marksIn(() => school).upload(leader, mock, { A1: [3], B1: [20] });

test('the markbook of more than 2,000 students comes page by page, and is found, sorted and filtered as a whole', async () => {
  const page = await open(leader, '/leader/markbook?year=11');
  const names = () =>
    page
      .seen()
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  await page.says('1–15 of 2012');
  await page.says('This year group has more than 2,000 students');
  expect(names().slice(0, 15)).toContain('A1, Student');
  await page.press('Next page');
  await page.says('16–30 of 2012');
  await page.says('Zeta, 3');
  await page.press(/^Mock/);
  await page.says('1–15 of 2012');
  await page.says('B1, Student');
  expect(names().slice(0, 2)).toEqual(['B1, Student', 'A1, Student']);
  await page.fill(/Find a student/, 'zeta 1999');
  await page.says('1–1 of 1');
  expect(names()[0]).toBe('Zeta, 1999');
  await page.fill(/Find a student/, 'zeta nobody');
  await page.press('Show everybody');
  await page.says('1–15 of 2012');
  await page.press('2 students amber');
  await page.says('1–2 of 2');
  await page.choose('Set', '11B');
  await page.gone('This year group has more than 2,000 students');
});
