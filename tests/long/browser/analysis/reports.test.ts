import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { ClassHome, Predictors } from '../../../../api/analysis/analysis.contract.ts';
import type { QuestionAnalysis } from '../../../../api/analysis/tests.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask } from '../../../browser/calls.ts';
import { isGone } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { downloadBy } from '../../../browser/shared-browser.ts';
import { placeOf, uploadMarksOfData } from '../../../browser/sheet.ts';
import { readExcel } from '../../../support/excel.ts';
import { pdfPages, pdfSource } from '../../../support/pdf.ts';

/** The reports that a school hands out, beside the answers that its screens show. */
const marktrail = marktrailInBrowser();

const oneDecimal = (value: number | null | undefined) => (value ?? Number.NaN).toFixed(1);

/** 11X1 with its marks, and a revision list of one question. `before`: when there was neither; `listed`: when both were there. */
const prepared = async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { subjectId, setId, testId } = await placeOf(leader, '11X1');
  const before = new Date().toISOString();
  const { students, questions, max } = await uploadMarksOfData(leader, '11X1');
  const listOf = { questionId: questions[0]?.questionId, headerId: null, header: 'Łucja’s Functions 函數' };
  const { position } = await act(leader.request, 'SaveRevisionList', { subjectId, testId, questions: [listOf] });
  const listed = new Date().toISOString();
  const home = await ask<ClassHome>(leader.request, `class-home?setId=${setId}`, position);
  return { leader, subjectId, setId, testId, before, listed, students, questions, max, home };
};
const HOME = 'year=11&set=11X1';

// The first: before it, there are no marks.
test('of an earlier moment reports and revision list have nothing of later', async () => {
  const { leader, subjectId, testId, before, listed, students } = await prepared();
  const earlier = await marktrail.person('leader@demo.example', { at: `/leader?${HOME}&asOf=${encodeURIComponent(before)}` });
  await earlier.getByRole('button', { name: 'Student reports' }).click();
  const old = await downloadBy(earlier.getByRole('dialog').getByRole('button', { name: 'Download' }));
  const [text = ''] = await pdfPages(old.file);
  expect(text).toContain(students[0]?.name);
  expect(text).toContain('No marks by question are known');

  // So has the revision list, and there its headers are read-only.
  await act(leader.request, 'ClearRevisionList', { subjectId, testId });
  await earlier.goto(`/leader?${HOME}&asOf=${encodeURIComponent(listed)}`);
  await earlier.getByRole('button', { name: 'Revision list of Written examination' }).click();
  const lists = earlier.getByRole('dialog', { name: 'Revision Lists' });
  await lists.getByText(/^As it was on /u).waitFor();
  await expect.poll(() => lists.getByRole('tab').allInnerTexts()).toEqual(['View/Download']);
  const list = await downloadBy(lists.getByRole('button', { name: 'Download Revision List' }));
  expect((await pdfPages(list.file))[0]).toMatch(/As it stood on [\d/]+, [\d:]+\.\s+Tick .+\s+Łucja’s Functions\s+Q1 /u);
});

test('student reports say what the screens say, and have the school’s words at their foot; one alone, one file for each, or none after all', async () => {
  const { students, questions, max, home } = await prepared();
  const [about] = home.completed;
  const admin = await marktrail.person('admin@demo.example', { at: '/' });
  await admin.getByLabel('Words at the foot of each page').fill('Ask at the office.');
  await admin.getByRole('region', { name: 'Reports' }).getByRole('button', { name: 'Save' }).click();
  await admin.getByText('The reports are printed with these words from now on.').waitFor();
  expect(await brokenRules(admin, { serious: true })).toEqual([]);

  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1' });
  await page.getByRole('button', { name: 'Student reports' }).click();
  const dialog = page.getByRole('dialog', { name: 'Student reports of 11X1' });
  await dialog.getByRole('option', { name: `All ${students.length} students` }).waitFor({ state: 'attached' });
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  const download = dialog.getByRole('button', { name: 'Download' });
  const all = await downloadBy(download);
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
  const alone = await downloadBy(download);
  const fileOfOne = `StudentReport ${one?.name} (${one?.admissionNo}).pdf`;
  expect(alone.name).toBe(fileOfOne);
  expect((await pdfPages(alone.file))[0]).toMatch(new RegExp(`${one?.name}\\s+11X1 · StudentID ${one?.admissionNo} ·`, 'u'));

  // One for each, stopped and then made.
  await dialog.getByLabel('For', { exact: true }).selectOption('');
  await dialog.getByLabel('As', { exact: true }).selectOption('zip');
  const zip = await downloadBy(download);
  const zipped = unzipSync(new Uint8Array(zip.file));
  expect([zip.name, Object.keys(zipped).length]).toEqual(['StudentReport 11X1.zip', students.length]);
  expect((await pdfPages(zipped[fileOfOne] ?? new Uint8Array()))[0]).toContain(`Student report: ${one?.name}`);
  const files: string[] = [];
  page.on('download', (file) => files.push(file.suggestedFilename()));
  await download.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('Cancelled: no file was saved.').waitFor();
  await isGone(dialog.getByRole('progressbar'));
  expect(files).toEqual([]);
});

test('each student of a class has a feedback sheet with the marks and what to revise', async () => {
  const { students } = await prepared();
  const one = students.find(({ effective }) => effective.count > 0);
  const page = await marktrail.person('teacher1@demo.example', { at: `/teacher?${HOME}` });
  await page.getByRole('button', { name: 'Feedback sheets of Written examination' }).click();
  const sheets = page.getByRole('dialog', { name: 'Feedback sheets of 11X1' });
  const feedback = await downloadBy(sheets.getByRole('button', { name: 'Download' }));
  const onPages = await pdfPages(feedback.file);
  expect([feedback.name, onPages.length]).toEqual(['FeedbackSheet 11X1.pdf', students.length]);
  expect(onPages[students.findIndex(({ studentId }) => studentId === one?.studentId)]).toMatch(
    /Your marks\s+Q1 .+To revise\s+Łucja’s Functions\s+Q1 /su,
  );
  // What the font of the file lacks is drawn in the fonts of the device.
  expect(pdfSource(Buffer.from(feedback.file)).match(/\/Subtype \/Image/gu)).toHaveLength(2);

  // Where nothing can be drawn, that is said before the file is saved.
  const bare = await marktrail.signedIn('teacher1@demo.example', { fresh: true });
  await bare.addInitScript(() => Reflect.deleteProperty(globalThis, 'CanvasRenderingContext2D'));
  await bare.goto(`/teacher?${HOME}`);
  await bare.getByRole('button', { name: 'Feedback sheets of Written examination' }).click();
  await bare.getByRole('button', { name: 'Download', exact: true }).click();
  await bare.getByText('These letters cannot be printed: 函 數. In the file they would be boxes.').waitFor();
  const boxes = await downloadBy(bare.getByRole('button', { name: 'Download all the same' }));
  expect((await pdfPages(boxes.file)).join('\n')).toContain('Łucja’s Functions □□');
});

test('the class report has marks, questions, topics and students as figures', async () => {
  const { leader, setId, testId, students, questions, home } = await prepared();
  const page = await marktrail.person('teacher1@demo.example', { at: `/teacher?${HOME}` });
  await page.getByRole('button', { name: 'Class report' }).click();
  const workbook = await downloadBy(page.getByRole('dialog', { name: 'Class report of 11X1' }).getByRole('button', { name: 'Download' }));
  const excel = readExcel(workbook.file);
  expect([workbook.name, ...excel.keys()]).toEqual(['ClassReport 11X1.xlsx', 'Marks', 'Questions', 'Topics', 'Students', 'About']);
  const cell = (sheet: string, place: string) => excel.get(sheet)?.get(place);
  const totals = String.fromCodePoint(67 + questions.length);
  const analysis = await ask<QuestionAnalysis>(
    leader.request,
    `question-analysis?testId=${testId}&yearGroupId=${home.yearGroupId}&setId=${setId}`,
  );
  const predictors = await ask<Predictors>(leader.request, `progress-predictors?setId=${setId}`);
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
});
