import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId, mock: testId, setA } = school.ids;

test('an assessment with totals alone says so, and its totals are downloaded; students are those of the ticked groups', async () => {
  const files: string[] = [];
  // jsdom has no files to download.
  Object.assign(URL, { createObjectURL: () => 'blob:' });
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function save() {
    files.push(this.download);
  };
  onTestFinished(() => void (HTMLAnchorElement.prototype.click = click));
  const rows = [{ admissionNo: '00A1', name: 'A1, Student', totals: [12] }];
  await admin.done('UploadTotals', { subjectId, classes: [{ setId: setA, testIds: [testId] }], rows, fileName: 'totals.csv' });
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: school.ids.students['B1'], place: 'off-roll' }] });

  const page = await open(admin, '/admin/export');
  await page.press('View data');
  await (await page.dialog('Year 11')).says('1–11 of 11');
  await page.press('Close');
  expect(document.activeElement).toBe(await page.find('button', 'View data'));
  await page.check('Off-Roll (1)');
  await page.press('View data');
  await (await page.dialog('Mathematics')).says('1–12 of 12');
  await page.press('Close');
  await page.check('Results of an assessment');
  await page.says('Mock: 1 total, no question marks yet');
  await page.press('Download CSV');
  await page.says('No data for this assessment...');
  await page.check('Totals of an assessment');
  await page.says('Mock: 1 total');
  await page.press('Download Excel');
  await expect.poll(() => files).toEqual(['data_download.xlsx']);
});
