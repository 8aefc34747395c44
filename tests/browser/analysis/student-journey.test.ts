import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { StudentCard } from '../../../api/analysis/student/student.contract.ts';
import { pdfPages } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { data, marktrailInBrowser } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';
import { placeOf, sheetOf, uploadMarksOfData } from '../sheet.ts';

/** What a student does, on a phone, from the code on the board to the page that opens without a network. */
const marktrail = marktrailInBrowser();
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-GB' };
/** Of 11X1; not one of those who have an account in the demo school. */
const WHO = { name: 'Osei, George', greeted: 'George Osei', born: bornOf('M0020') };

function bornOf(admissionNo: string): string {
  const row = readFileSync(data('student_upload.csv'), 'utf8')
    .split(/\r?\n/u)
    .find((line) => line.startsWith(admissionNo));
  const [, day, month, year] = /,(\d\d)\/(\d\d)\/(\d{4})$/u.exec(row ?? '') ?? [];
  return `${year}-${month}-${day}`;
}

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};
const saved = async (page: Page, button: Locator): Promise<{ readonly name: string; readonly file: Buffer }> => {
  const coming = page.waitForEvent('download');
  await button.click();
  const file = await coming;
  return { name: file.suggestedFilename(), file: await downloaded(file) };
};
const asked = async <Answer>(page: Page, path: string): Promise<Answer> =>
  (await (await page.request.get(`/api/queries/${path}`)).json()) as Answer;

test('a student joins by code, submits, reads how it went, takes reports away, and opens the page without a network', async () => {
  const staff = await marktrail.signedIn('admin@demo.example');
  const { subjectId, setId, testId } = await placeOf(staff, '11X1');
  const posted = async (name: string, sent: object): Promise<Record<string, string>> => {
    const headers = { Origin: marktrail.url(), 'Idempotency-Key': crypto.randomUUID() };
    const answer = await staff.request.post(`/api/commands/${name}`, { headers, data: sent });
    expect(answer.status(), await answer.text()).toBe(200);
    return ((await answer.json()) as { result: Record<string, string> }).result;
  };
  const { questions, students } = await sheetOf(staff, '11X1');
  const { staffTotal } = students.find(({ name }) => name === WHO.name) ?? {};
  expect(staffTotal).toBeGreaterThan(0);

  // By the code on the board.
  await posted('AddTerminalExam', { subjectId, name: 'GCSE', yearSat: 11 });
  const { code } = await posted('IssueJoinCode', { subjectId });
  const page = await marktrail.visitor(PHONE);
  await page.goto(`/code?code=${code}`);
  await page.getByLabel('Date of birth').fill(WHO.born);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: WHO.name }).check();
  await page.getByRole('button', { name: 'This is me' }).click();
  await page.getByLabel('E-mail').fill('george@home.example');
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByLabel('Confirm password').fill('a long enough password');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: `Hello ${WHO.greeted}` }).waitFor();
  await page.getByRole('button', { name: 'Decline non-essential' }).click();

  // The banner leads to the marks. They add up to the teacher's total.
  await page.getByText('Written examination waits for your marks.').waitFor();
  await picture(page, 'journey-banner');
  await page.getByRole('link', { name: 'Enter your marks' }).click();
  let left = staffTotal ?? 0;
  for (const { number, max } of questions) {
    const mark = Math.min(max, left);
    left -= mark;
    await page.getByRole('textbox', { name: new RegExp(`^Question ${number}\\b`, 'u') }).fill(String(mark));
  }
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByRole('button', { name: new RegExp(`^Submit ${staffTotal} of`, 'u') }).click();
  await page.getByText('Submitted: the total is the same as your teacher’s.').waitFor();
  await uploadMarksOfData(staff, '11X1');
  await page.getByRole('link', { name: /: home$/u }).click();

  // The card, with the class beside it and what to do next; the graph and the topics below. No rank.
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  const card = page.getByRole('article', { name: 'Written examination' });
  await card.getByText(`${staffTotal} of ${questions.reduce((sum, { max }) => sum + max, 0)}`).waitFor();
  await card.getByText(/your class, whose average is about \d+ %\./u).waitFor();
  await card.getByRole('heading', { name: 'Work on next' }).waitFor();
  await card.getByText(`Question by question (${questions.length})`).click();
  expect(await card.getByRole('table').getByRole('row').count()).toBe(questions.length + 1);
  await page.getByRole('heading', { name: 'Where it can lead' }).waitFor();
  await page.getByText('Fewer than five students: not shown.').waitFor();
  await page.getByRole('heading', { name: 'Your topics' }).waitFor();
  expect(await page.getByText('rank', { exact: false }).count()).toBe(0);
  expect(await brokenRules(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await picture(page, 'journey-home');

  // A list that the teacher makes meanwhile is there on the way back to the page, and ticks stay.
  const listed = questions.slice(0, 3);
  await posted('SaveRevisionList', {
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
  expect(await page.getByRole('checkbox', { name: first }).isChecked()).toBe(true);

  // What is taken away says what the page says, of others in whole per cents only.
  const list = await saved(page, page.getByRole('button', { name: 'Download Revision List' }));
  expect(list.name).toBe('Revisionlist.pdf');
  expect((await pdfPages(list.file))[0]).toMatch(
    /Revision Checklist: Written examination\s+As it stood on .+\s+Tick each topic.+\s+Functions\s+Q1 /u,
  );
  const own = await saved(page, page.getByRole('button', { name: 'Download what I lost marks on' }));
  expect((await pdfPages(own.file)).join()).toContain(WHO.name);
  const shown = await asked<StudentCard>(page, `student-card?testId=${testId}`);
  const report = await saved(page, page.getByRole('button', { name: 'Student report' }));
  const [text = ''] = await pdfPages(report.file);
  expect(report.name).toBe('StudentReport.pdf');
  expect(text).toContain(`whose average is about ${shown.classPercent} %.`);
  for (const { number, mark, max, average } of shown.questions) {
    expect(text).toMatch(new RegExp(`Q${number} .+ ${mark ?? '–'} / ${max} ${average} %`, 'u'));
  }
  expect(text).not.toMatch(/\d\.\d % \d+\.\d %/u);
  const sheet = await saved(page, page.getByRole('button', { name: 'Feedback sheet' }));
  expect([sheet.name, (await pdfPages(sheet.file)).length]).toEqual(['FeedbackSheet.pdf', 1]);

  // In the dark.
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await brokenRules(page)).toEqual([]);
  await picture(page, 'journey-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  // Staff see it under the banner, change nothing, and are written down.
  const teacher = await marktrail.person('teacher1@demo.example', { ...PHONE, at: '/student/select' });
  await teacher.getByRole('combobox').fill('Osei, G');
  await teacher.getByRole('option', { name: WHO.name }).first().click();
  await teacher.getByRole('heading', { name: 'Your results' }).waitFor();
  await teacher.getByText('What to revise').click();
  expect(await teacher.getByRole('checkbox').first().isDisabled()).toBe(true);
  expect(await teacher.evaluate(() => caches.keys())).toEqual([]);

  // What is stored.
  await page.goto('/student/my-data');
  await page.getByText('Written examination').click();
  await page.getByText(/^You submitted \d+/u).waitFor();
  await page.getByText('a member of staff (teacher)').first().waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await picture(page, 'journey-my-data');
  const json = await saved(page, page.getByRole('button', { name: 'Download as JSON' }));
  expect(JSON.parse(json.file.toString())).toMatchObject({ name: WHO.name });
  const pdf = await saved(page, page.getByRole('button', { name: 'Download as PDF' }));
  expect((await pdfPages(pdf.file)).join()).toMatch(/As it stood on .+Written examination/su);

  // It can be installed, and opens without a network: without results, which are not kept.
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
  expect((await kept()).filter((path) => path.startsWith('/api'))).toEqual([]);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'There is no connection' }).waitFor();
  await page.getByRole('link', { name: 'Go to your marks' }).click();
  await page.getByRole('heading', { name: 'Submit your marks' }).waitFor();
  await page.goto('/student');
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Your results' }).waitFor();

  // Who comes back to the page later is shown what was entered meanwhile, without a reload.
  const corrected = (staffTotal ?? 0) - 1;
  await posted('UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [testId] }],
    rows: [{ admissionNo: 'M0020', name: WHO.name, totals: [corrected] }],
    fileName: 'corrected.csv',
  });
  const comesBack = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    return card.textContent();
  };
  await expect.poll(comesBack, { interval: 1_000, timeout: 60_000 }).toContain(`${corrected} of `);
});
