import { expect, test } from 'vitest';
import type { StudentCard } from '../../../../api/analysis/student/student.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask } from '../../../browser/calls.ts';
import { isDisabled } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { downloadBy } from '../../../browser/shared-browser.ts';
import { placeOf, sheetOf, uploadMarksOfData } from '../../../browser/sheet.ts';
import { pdfPages } from '../../../support/pdf.ts';

/** What a student does, on a phone, from the code on the board to the page that opens without a network. */
const marktrail = marktrailInBrowser();
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-GB' };
/** Of 11X1, with an account. */
const SOPHIE = 'Edwards, Sophie';

/** Marks that add up to a total. */
const marksOf = (total: number, questions: readonly { readonly max: number }[]): readonly number[] => {
  let left = total;
  return questions.map(({ max }) => {
    const mark = Math.min(max, left);
    left -= mark;
    return mark;
  });
};

/** Sophie’s page once she has submitted her marks, and her class has all of its own; and the leader of both. */
const withResults = async () => {
  const [staff, page] = [await marktrail.signedIn('leader@demo.example'), await marktrail.signedIn('student1@demo.example', PHONE)];
  const place = await placeOf(staff, '11X1');
  const { questions, students } = await sheetOf(staff, '11X1');
  const staffTotal = students.find(({ name }) => name === SOPHIE)?.staffTotal ?? 0;
  const marks = marksOf(staffTotal, questions).map((mark, index) => ({ questionId: questions[index]?.questionId, mark }));
  // It is refused where a test before has done so.
  await page.request.post('/api/commands/SubmitFeedback', { data: { testId: place.testId, marks } });
  await uploadMarksOfData(staff, '11X1');
  await page.goto('/student');
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  return { staff, page, ...place, questions, staffTotal };
};

test('a student ticks what to revise, and takes reports away that say what the page says, of others in whole per cents only', async () => {
  const { staff, page, subjectId, testId, questions } = await withResults();
  // A list that the teacher makes meanwhile is there on the way back to the page, and ticks stay.
  const listed = questions.slice(0, 3);
  await act(staff.request, 'SaveRevisionList', {
    subjectId,
    testId,
    questions: listed.map(({ questionId }, index) => ({ questionId, headerId: null, header: index < 2 ? 'Functions' : 'Models' })),
  });
  await page.reload();
  await page.getByText('What to revise').click();
  const first = new RegExp(listed[0]?.topic ?? '', 'u');
  await page.getByRole('checkbox', { name: first }).check();
  await page.reload();
  await page.getByText('1 of 3 ticked').waitFor();
  await page.getByText('What to revise').click();
  await expect.poll(() => page.getByRole('checkbox', { name: first }).isChecked()).toBe(true);

  // What is taken away says what the page says, of others in whole per cents only.
  const list = await downloadBy(page.getByRole('button', { name: 'Download Revision List' }));
  expect(list.name).toBe('Revisionlist.pdf');
  expect((await pdfPages(list.file))[0]).toMatch(
    /Revision Checklist: Written examination\s+As it stood on .+\s+Tick each topic.+\s+Functions\s+Q1 /u,
  );
  const own = await downloadBy(page.getByRole('button', { name: 'Download what I lost marks on' }));
  expect((await pdfPages(own.file)).join()).toContain('Sophie Edwards');
  const shown = await ask<StudentCard>(page.request, `student-card?testId=${testId}`);
  const report = await downloadBy(page.getByRole('button', { name: 'Student report' }));
  const [text = ''] = await pdfPages(report.file);
  expect(report.name).toBe('StudentReport.pdf');
  expect(text).toContain(`whose average is about ${shown.classPercent} %.`);
  for (const { number, mark, max, average } of shown.questions) {
    expect(text).toMatch(new RegExp(`Q${number} .+ ${mark ?? '–'} / ${max} ${average} %`, 'u'));
  }
  expect(text).not.toMatch(/\d\.\d % \d+\.\d %/u);
  const sheet = await downloadBy(page.getByRole('button', { name: 'Feedback sheet' }));
  expect([sheet.name, (await pdfPages(sheet.file)).length]).toEqual(['FeedbackSheet.pdf', 1]);
});

test('staff see a student’s page and change nothing; the student reads what is stored, and takes it away', async () => {
  const { staff, page, subjectId, testId, questions } = await withResults();
  const listOf = { questionId: questions[0]?.questionId, headerId: null, header: 'Functions' };
  await act(staff.request, 'SaveRevisionList', { subjectId, testId, questions: [listOf] });

  // Staff see it under the banner, change nothing, and are written down.
  const teacher = await marktrail.person('teacher1@demo.example', { ...PHONE, at: '/student/select' });
  await teacher.getByRole('combobox').fill('Edwards, S');
  await teacher.getByRole('option', { name: SOPHIE }).first().click();
  await teacher.getByRole('heading', { name: 'Your results' }).waitFor();
  await teacher.getByText('What to revise').click();
  await isDisabled(teacher.getByRole('checkbox').first());
  await expect.poll(() => teacher.evaluate(() => caches.keys())).toEqual([]);

  // What is stored.
  await page.goto('/student/my-data');
  await page.getByText('Written examination').click();
  await page.getByText(/^You submitted \d+/u).waitFor();
  await page.getByText('a member of staff (teacher)').first().waitFor();
  expect(await brokenRules(page)).toEqual([]);
  const json = await downloadBy(page.getByRole('button', { name: 'Download as JSON' }));
  expect(JSON.parse(json.file.toString())).toMatchObject({ name: expect.stringMatching(/Edwards/) });
  const pdf = await downloadBy(page.getByRole('button', { name: 'Download as PDF' }));
  expect((await pdfPages(pdf.file)).join()).toMatch(/As it stood on .+Written examination/su);
});

test('a student’s page can be installed, and opens without a network: without results, which are not kept', async () => {
  const { page } = await withResults();
  const manifest = (await (await page.request.get('/student-ui/student.webmanifest')).json()) as { icons: readonly { src: string }[] };
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);
  await page.goto('/student');
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  const kept = () =>
    page.evaluate(async () =>
      (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
        .flat()
        .map(({ url }) => new URL(url).pathname),
    );
  await expect.poll(kept).toContain('/student/submit');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(async () => (await kept()).filter((path) => path.startsWith('/api'))).toEqual([]);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'There is no connection' }).waitFor();
  await page.getByRole('link', { name: 'Go to your marks' }).click();
  await page.getByRole('heading', { name: 'Submit your marks' }).waitFor();
  await page.goto('/student');
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
});

test('who comes back to the page later is shown what was entered meanwhile, without a reload', async () => {
  const { staff, page, subjectId, setId, testId, staffTotal } = await withResults();
  const card = page.getByRole('article', { name: 'Written examination' });
  await card.getByText(`${staffTotal} of `).waitFor();
  const corrected = staffTotal - 1;
  await act(staff.request, 'UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [testId] }],
    rows: [{ admissionNo: 'M0001', name: SOPHIE, totals: [corrected] }],
    fileName: 'corrected.csv',
  });
  const comesBack = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    return card.textContent();
  };
  await expect.poll(comesBack, { interval: 1_000 }).toContain(`${corrected} of `);
});
