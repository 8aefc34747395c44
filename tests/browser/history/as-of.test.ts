import { expect, test } from 'vitest';
import { readExcel, rowWith } from '../../support/excel.ts';
import { brokenRules } from '../axe.ts';
import { act } from '../calls.ts';
import { pressEnter } from '../keyboard.ts';
import { isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { downloadBy } from '../shared-browser.ts';
import { placeOf } from '../sheet.ts';

const marktrail = marktrailInBrowser();

test('a leader looks at the markbook of an earlier moment, where nothing can be changed, and comes back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/leader/markbook?find=Edwards%2C+Sophie' });
  const sophie = (total: number) => page.getByRole('row', { name: new RegExp(`Edwards, Sophie.*${total}`) });
  await sophie(20).waitFor();
  const before = new Date().toISOString();
  // Whatever is done from now on has a later time.
  await expect.poll(() => new Date().toISOString()).not.toBe(before);
  const { subjectId, setId, testId } = await placeOf(page, '11X1');
  const rows = [{ admissionNo: 'M0001', name: 'Edwards, Sophie', totals: [13] }];
  await act(page.request, 'UploadTotals', { subjectId, classes: [{ setId, testIds: [testId] }], rows, fileName: 'corrected.csv' });
  await sophie(13).waitFor();

  await page.goto(`/leader/markbook?find=Edwards%2C+Sophie&asOf=${before}`);
  const banner = page.getByText(/^As it was on/);
  await banner.waitFor();
  await sophie(20).waitFor();
  await isGone(page.getByRole('button', { name: /Upload/ }));
  await isGone(page.getByText('Live', { exact: true }));
  await sophie(20).getByText('20').click();
  const history = page.getByRole('dialog', { name: /Edwards, Sophie/ });
  await history.getByRole('heading', { name: 'History' }).waitFor();
  await isGone(history.getByText('13', { exact: true }));
  await pressEnter(history.getByRole('button', { name: 'Close' }));
  await page.reload();
  await sophie(20).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  // The Excel file is of that moment too, and says so.
  const { file } = await downloadBy(page.getByRole('button', { name: 'Download to Excel' }));
  const sheets = readExcel(file);
  expect(rowWith(sheets.get('Year 11'), 'Edwards, Sophie').at(-1)?.value).toBe(20);
  const [, asOf] = rowWith(sheets.get('About'), 'As of');
  await page.getByText(`As it was on ${asOf?.value}`).waitFor();

  await pressEnter(page.getByRole('button', { name: 'Back to now' }));
  await sophie(13).waitFor();
  await isGone(banner);
  await page.goBack();
  await sophie(20).waitFor();

  // The other pages show the same moment, until one goes back to now.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).press('Enter');
  await page.getByRole('link', { name: 'Show Markbook' }).first().press('Enter');
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await page.getByText(`As it was on ${asOf?.value}`).waitFor();
});
