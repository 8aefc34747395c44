import type { Locator, Page } from 'playwright-core';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { ClassHome, Predictors } from '../../../api/analysis/analysis.contract.ts';
import type { QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import { readExcel } from '../../support/excel.ts';
import { pdfPages } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';
import { placeOf, uploadMarksOfData } from '../sheet.ts';

/** The reports that a school hands out, beside the answers that its screens show. */
const marktrail = marktrailInBrowser();

const saved = async (page: Page, button: Locator): Promise<{ readonly name: string; readonly file: Buffer }> => {
  const coming = page.waitForEvent('download');
  await button.click();
  const file = await coming;
  return { name: file.suggestedFilename(), file: await downloaded(file) };
};
const asked = async <Answer>(page: Page, path: string): Promise<Answer> =>
  (await (await page.request.get(`/api/queries/${path}`)).json()) as Answer;
const posted = async (page: Page, command: string, data: object): Promise<void> => {
  const answer = await page.request.post(`/api/commands/${command}`, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  expect([command, answer.status()]).toEqual([command, 200]);
};
const oneDecimal = (value: number | null | undefined) => (value ?? Number.NaN).toFixed(1);

test('student reports, feedback sheets and the class report of 11X1 say what the screens say', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { subjectId, setId, testId } = await placeOf(leader, '11X1');
  const before = new Date().toISOString();
  const { students, questions, max } = await uploadMarksOfData(leader, '11X1');
  const [first] = questions;
  await posted(leader, 'SaveRevisionList', {
    subjectId,
    testId,
    questions: [{ questionId: first?.questionId, headerId: null, header: 'Łucja’s Functions' }],
  });
  const admin = await marktrail.person('admin@demo.example', { at: '/' });
  await admin.getByLabel('Words at the foot of each page').fill('Ask at the office.');
  await admin.getByRole('region', { name: 'Reports' }).getByRole('button', { name: 'Save' }).click();
  await admin.getByText('The reports are printed with these words from now on.').waitFor();
  expect(await brokenRules(admin, { serious: true })).toEqual([]);
  const listed = new Date().toISOString();
  const home = await asked<ClassHome>(leader, `class-home?setId=${setId}`);
  const [about] = home.completed;

  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1' });
  await page.getByRole('button', { name: 'Student reports' }).click();
  const dialog = page.getByRole('dialog', { name: 'Student reports of 11X1' });
  await dialog.getByRole('option', { name: `All ${students.length} students` }).waitFor({ state: 'attached' });
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  const download = dialog.getByRole('button', { name: 'Download' });
  const all = await saved(page, download);
  const pages = (await pdfPages(all.file)).join('\n');
  expect(all.name).toBe('StudentReport 11X1.pdf');
  for (const { name, staffTotal, cells } of students) {
    const part = pages.slice(pages.indexOf(`Student report: ${name}`)).split(/(?<=.)Student report: /u)[0] ?? '';
    if (staffTotal === null || max === null) continue;
    expect(part).toContain(`Total: ${staffTotal} of ${max} (${oneDecimal((100 * staffTotal) / max)} %).`);
    expect(part).toContain(`Class mean: ${oneDecimal(about?.average.mean)} %, all students: ${oneDecimal(about?.all.mean)} %.`);
    if (cells.some((cell) => cell?.value !== undefined)) {
      expect(part).toMatch(new RegExp(`Q1 .+ [GAR] ${cells[0]?.value ?? '–'} / ${questions[0]?.max} \\d+ %`, 'u'));
    }
  }
  expect(pages).toContain('Made with Marktrail · Ask at the office.');

  const one = students.find(({ effective }) => effective.count > 0);
  await dialog.getByLabel('For', { exact: true }).selectOption(one?.studentId ?? '');
  await dialog.getByLabel('As', { exact: true }).waitFor({ state: 'detached' });
  const alone = await saved(page, download);
  expect(alone.name).toBe('StudentReport.pdf');
  expect((await pdfPages(alone.file))[0]).toContain(one?.name);

  // One for each, stopped and then made.
  await dialog.getByLabel('For', { exact: true }).selectOption('');
  await dialog.getByLabel('As', { exact: true }).selectOption('zip');
  const zip = await saved(page, download);
  const zipped = unzipSync(new Uint8Array(zip.file));
  expect([zip.name, Object.keys(zipped).length]).toEqual(['StudentReport 11X1.zip', students.length]);
  expect((await pdfPages(zipped[`StudentReport ${one?.name}.pdf`] ?? new Uint8Array()))[0]).toContain(`Student report: ${one?.name}`);
  const files: string[] = [];
  page.on('download', (file) => files.push(file.suggestedFilename()));
  await download.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('Cancelled: no file was saved.').waitFor();
  expect([await dialog.getByRole('progressbar').count(), files]).toEqual([0, []]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Feedback sheets of Written examination' }).click();
  const sheets = page.getByRole('dialog', { name: 'Feedback sheets of 11X1' });
  const feedback = await saved(page, sheets.getByRole('button', { name: 'Download' }));
  const onPages = await pdfPages(feedback.file);
  expect([feedback.name, onPages.length]).toEqual(['FeedbackSheet 11X1.pdf', students.length]);
  expect(onPages[students.findIndex(({ studentId }) => studentId === one?.studentId)]).toMatch(
    /Your marks\s+Q1 .+To revise\s+Łucja’s Functions\s+Q1 /su,
  );
  await sheets.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Class report' }).click();
  const workbook = await saved(page, page.getByRole('dialog', { name: 'Class report of 11X1' }).getByRole('button', { name: 'Download' }));
  const excel = readExcel(workbook.file);
  expect([workbook.name, ...excel.keys()]).toEqual(['ClassReport 11X1.xlsx', 'Marks', 'Questions', 'Topics', 'Students', 'About']);
  const cell = (sheet: string, place: string) => excel.get(sheet)?.get(place);
  const totals = String.fromCodePoint(67 + questions.length);
  const analysis = await asked<QuestionAnalysis>(
    leader,
    `question-analysis?testId=${testId}&yearGroupId=${home.yearGroupId}&setId=${setId}`,
  );
  const predictors = await asked<Predictors>(leader, `progress-predictors?setId=${setId}`);
  for (const [index, { name, admissionNo, staffTotal, cells }] of students.entries()) {
    const row = index + 2;
    expect([cell('Marks', `A${row}`)?.value, cell('Marks', `B${row}`)?.value]).toEqual([admissionNo, name]);
    expect(cell('Marks', `C${row}`)?.value ?? null).toBe(cells[0]?.value ?? null);
    expect(cell('Marks', `${totals}${row}`)?.value ?? null).toBe(staffTotal);
  }
  for (const [index, { number, topic, max: most }] of analysis.questions.entries()) {
    const figures = analysis.sets[0]?.questions[index];
    expect(['B', 'C', 'D'].map((column) => cell('Questions', `${column}${index + 2}`)?.value)).toEqual([number, topic, most]);
    expect(cell('Questions', `F${index + 2}`)?.value).toBeCloseTo(figures?.facility ?? Number.NaN, 9);
    expect(cell('Questions', `G${index + 2}`)?.value).toBeCloseTo(figures?.discrimination ?? Number.NaN, 9);
    expect(cell('Questions', `F${index + 2}`)?.fill).toMatch(/^(?:CFE8B4|FFE2A8|F9C9C1)$/u);
  }
  for (const [index, { name, value, rag }] of home.topics.entries()) {
    expect(['A', 'B', 'C'].map((column) => cell('Topics', `${column}${index + 2}`)?.value ?? null)).toEqual([name, value, rag]);
    const own = predictors.of[0]?.topics[predictors.topics.findIndex((topic) => topic.name === name)];
    expect(cell('Topics', `G${index + 2}`)?.value ?? null).toBe(own?.value ?? null);
  }
  expect(cell('About', 'B2')?.value).toBe('11X1');
  expect([...excel.values()].flatMap((sheet) => [...sheet.values()]).some(({ formula }) => formula)).toBe(false);

  // Of an earlier moment it has nothing of later.
  const earlier = await marktrail.person('leader@demo.example', { at: `/leader?year=11&set=11X1&asOf=${encodeURIComponent(before)}` });
  await earlier.getByRole('button', { name: 'Student reports' }).click();
  const old = await saved(earlier, earlier.getByRole('dialog').getByRole('button', { name: 'Download' }));
  const [text = ''] = await pdfPages(old.file);
  expect(text).toContain(students[0]?.name);
  expect(text).toContain('No marks by question are known');

  // So has the revision list, and there its headers are read-only.
  await posted(leader, 'ClearRevisionList', { subjectId, testId });
  await earlier.goto(`/leader?year=11&set=11X1&asOf=${encodeURIComponent(listed)}`);
  await earlier.getByRole('button', { name: 'Revision list of Written examination' }).click();
  const lists = earlier.getByRole('dialog', { name: 'Revision Lists' });
  await lists.getByText(/^As it was on /u).waitFor();
  expect(await lists.getByRole('tab').allInnerTexts()).toEqual(['View/Download']);
  const list = await saved(earlier, lists.getByRole('button', { name: 'Download Revision List' }));
  expect((await pdfPages(list.file))[0]).toMatch(/As it stood on [\d/]+, [\d:]+\.\s+Tick .+\s+Łucja’s Functions\s+Q1 /u);
});
