import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { holds, isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { saved } from '../sheet.ts';
import {
  examinationOf,
  field,
  keptOfApp,
  keptOnDevice,
  marksOf,
  MISMATCH,
  PHONE,
  press,
  submissionOf,
  submitButton,
  told,
} from './own-marks.ts';

const marktrail = marktrailInBrowser();

test('a student goes from the banner to the submission, enters every mark, submits, and hears that the totals differ', async () => {
  const { testId, full, enterTotal } = await examinationOf(await marktrail.signedIn('teacher1@demo.example'));
  const page = await marktrail.signedIn('student1@demo.example', PHONE);
  await told(page, await enterTotal('Edwards, Sophie', 'cleared'));
  await page.goto('/student');
  await page.getByText('Written examination waits for your marks.').waitFor();
  await pressEnter(page.getByRole('link', { name: 'Enter your marks' }));
  await submitButton(page).waitFor();
  const { questions } = await submissionOf(page, testId);
  const second = questions[1]?.max ?? 0;

  await press(page, 'One more', 1);
  await holds(field(page, 1), '1');
  // Whoever does not see it hears it.
  const heard = page.getByRole('status').filter({ hasText: `Question 1: 1 of ${questions[0]?.max}. Total 1 of ${full}.` });
  await heard.waitFor({ state: 'attached' });
  await field(page, 2).fill(String(second + 1));
  await page.getByText(`Max mark available is ${second}`).waitFor();
  await field(page, 2).fill(String(second));
  await page.keyboard.press('Enter');
  await page.keyboard.type('1');
  await saved(page);
  expect((await marksOf(page, testId)).slice(0, 4)).toEqual([1, second, 1, null]);

  await submitButton(page).click();
  await page.getByText('Enter a mark for every question.').first().waitFor();
  await page.getByText('Question 4 has no mark.').waitFor();
  await hasFocus(field(page, 4));
  expect(await brokenRules(page)).toEqual([]);
  await press(page, 'Max', 4);
  for (const { number, max } of questions) await field(page, number).fill(String(max));
  await press(page, 'One less', questions.length);
  await submitButton(page).click();
  await pressEnter(page.getByRole('button', { name: `Submit ${full - 1} of ${full}` }));
  // The form, at whose foot that was, is gone; the keyboard, and who hears the page, go on at the verdict, which is in sight.
  const verdict = page.locator(':focus', { hasText: "Submitted: waiting for your teacher's total" });
  await expect.poll(() => verdict.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(0);
  expect((await submissionOf(page, testId)).confirmedTotal).toBe(full - 1);

  await told(page, await enterTotal('Edwards, Sophie', full - 3));
  await page.goto('/student');
  await page.getByText(MISMATCH).waitFor();
  await page.getByText(`you submitted ${full - 1}, your teacher’s total is ${full - 3}`).waitFor();
  await isGone(page.getByText('waits for your marks'));
});

test('without a network the page opens with the kept marks, and what is submitted there is sent once', async () => {
  const page = await marktrail.person('student2@demo.example', { ...PHONE, at: '/student' });
  await page.getByRole('link', { name: 'Enter your marks' }).click();
  await submitButton(page).waitFor();
  const testId = new URL(page.url()).searchParams.get('test') ?? '';
  const { questions } = await submissionOf(page, testId);
  const full = questions.reduce((sum, { max }) => sum + max, 0);
  await press(page, 'Max', 1);
  await saved(page);
  await expect.poll(() => keptOfApp(page)).toContain('/student/submit');

  await page.context().setOffline(true);
  await press(page, 'Max', 2);
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Your marks' }).waitFor();
  await holds(field(page, 2), String(questions[1]?.max));
  // What was stored before, too.
  await holds(field(page, 1), String(questions[0]?.max));
  for (const { number } of questions.slice(2)) await press(page, 'Max', number);
  await submitButton(page).click();
  await page.getByRole('button', { name: `Submit ${full} of ${full}` }).click();
  const waits = page.getByText('Your marks wait on this device. They are submitted as soon as the server can be reached.');
  await waits.waitFor();
  await page.reload();
  await waits.waitFor();
  const sent = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().includes('/api/commands/SubmitFeedback')) sent.add(request.headers()['idempotency-key']);
  });
  await page.context().setOffline(false);
  await page.getByText(MISMATCH).waitFor();
  expect(await submissionOf(page, testId)).toMatchObject({ state: 'confirmed', confirmedTotal: full });
  expect(sent.size).toBe(1);
  // The browser keeps none of the server's answers, and nothing of a test that is submitted.
  const others = async () =>
    (await keptOfApp(page)).filter((path) => path !== '/student/submit' && !path.startsWith('/student-ui/assets/'));
  await expect.poll(others).toEqual([]);
  await expect.poll(() => keptOnDevice(page)).toEqual([]);
});
