import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask } from '../../../browser/calls.ts';
import { pressEnter } from '../../../browser/keyboard.ts';
import { holds, isGone } from '../../../browser/looks.ts';
import { marktrailInBrowser, signIn } from '../../../browser/marktrail.ts';
import {
  examinationOf,
  field,
  keptOfApp,
  keptOnDevice,
  marksOf,
  PHONE,
  submissionOf,
  submitButton,
  told,
} from '../../../browser/marks/own-marks.ts';
import { signInByCall } from '../../../browser/profiles.ts';
import { saved } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser();
const WAITS = '1 mark waits on this device until the server can be reached.';

const examination = async () => examinationOf(await marktrail.signedIn('teacher1@demo.example'));
type Examination = Awaited<ReturnType<typeof examination>>;
const [SOPHIE, JOSEPH] = ['Edwards, Sophie', 'Kowalski, Joseph'];
const emails = { [SOPHIE]: 'student1@demo.example', [JOSEPH]: 'student2@demo.example' };
/** One of two students, who may enter marks, whatever they submitted before. */
const student = async (name: string, { testId, reopen }: Examination, options = {}) => {
  const page = await marktrail.signedIn(emails[name] ?? '', { ...PHONE, ...options });
  if ((await submissionOf(page, testId)).state === 'confirmed') await told(page, await reopen(name));
  return page;
};
/** Without logging out. First the session: a page that is left lives on for a moment, with a network. */
const leaveDeviceTo = async (page: Awaited<ReturnType<typeof student>>, email: string) => {
  await signInByCall(page.request, marktrail.url(), email);
  await page.goto('about:blank');
  await page.context().setOffline(false);
};

test('the address that teachers share leads through the log-in to the form, which fits a narrow phone with large text', async () => {
  const exam = await examination();
  const { testId, enterTotal } = exam;
  await told(await student(SOPHIE, exam), await enterTotal(SOPHIE, 20));
  const page = await marktrail.visitor(PHONE);
  await page.goto(`/student/submit?test=${testId}`);
  await page.waitForURL(/\/login\?next=/);
  await signIn(page, 'student1@demo.example', { goTo: false });
  await page.getByRole('heading', { name: 'Written examination' }).waitFor();
  await page.getByRole('button', { name: 'Decline non-essential' }).click();
  await field(page, 2).fill('12.5');
  await page.getByText('Value must be an integer').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  // Narrow, and with text of twice the size, nothing is cut off.
  await page.getByText('Teacher’s total 20', { exact: true }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  const beyondEdge = (size: string) =>
    page.evaluate((wanted) => {
      document.documentElement.style.fontSize = wanted;
      const parts = [...document.querySelectorAll('form *')].filter((part) => part.getBoundingClientRect().right > 320);
      return parts.map((part) => part.outerHTML);
    }, size);
  for (const size of ['100%', '200%']) await expect.poll(() => beyondEdge(size), { message: size }).toEqual([]);
});

test('a page that is kept on the device waits for no network that hangs, and a newer version of the app is taken at the next load', async () => {
  const exam = await examination();
  const { testId } = exam;
  const page = await student(JOSEPH, exam);
  await page.goto(`/student/submit?test=${testId}`);
  await field(page, 2).fill('0');
  await saved(page);
  await expect.poll(() => keptOfApp(page)).toContain('/student/submit');
  await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys())[0] ?? '');
    const kept = await cache.match('/student/submit', { ignoreVary: true });
    const text = (await kept?.text())?.replace('<head>', '<head><meta name="kept">');
    await cache.put('/student/submit', new Response(text ?? '', { headers: kept?.headers ?? {} }));
  });
  await page.context().route('**/*', () => new Promise(() => undefined));
  await page.reload();
  await page.getByRole('heading', { name: 'Your marks' }).waitFor();
  await page.locator('meta[name=kept]').waitFor({ state: 'attached' });
  await holds(field(page, 2), '0');
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });

  await page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    await (await caches.open(name)).put('/student/submit', new Response('an old version', { headers: { 'Content-Type': 'text/html' } }));
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Written examination' }).waitFor();
});

test('two tabs of one student agree, and somebody else on the device sees and sends nothing of theirs', async () => {
  const exam = await examination();
  const { testId } = exam;
  const address = `/student/submit?test=${testId}`;
  await student(JOSEPH, exam);
  const one = await student(SOPHIE, exam);
  const other = await one.context().newPage();
  for (const page of [one, other]) {
    await page.goto(address);
    await submitButton(page).waitFor();
  }
  await field(one, 1).fill('0');
  await field(other, 2).fill('0');
  // What a tab has not heard to be stored would wait with what is typed without a network.
  for (const page of [one, other]) await saved(page);
  for (const page of [one, other]) for (const question of [1, 2]) await holds(field(page, question), '0');
  expect((await marksOf(one, testId)).slice(0, 2)).toEqual([0, 0]);
  await other.close();

  await one.context().setOffline(true);
  await field(one, 3).fill('1');
  await one.getByText(WAITS).waitFor();
  await leaveDeviceTo(one, 'student2@demo.example');
  const before = await marksOf(one, testId);
  await one.goto(address);
  await one.getByRole('heading', { name: 'Written examination' }).waitFor();
  await one.getByRole('link', { name: /^Joseph Kowalski/ }).waitFor();
  await field(one, 4).fill(before[3] === 1 ? '0' : '1');
  await saved(one);
  await isGone(one.getByText('on this device'));
  expect(await marksOf(one, testId)).toEqual(before.map((mark, at) => (at === 3 ? (mark === 1 ? 0 : 1) : mark)));
  // Without a network it is the other student's page, too.
  await one.context().setOffline(true);
  await one.reload();
  await one.getByRole('heading', { name: 'Your marks' }).waitFor();
  await holds(field(one, 3), String(before[2] ?? ''));
  await one.context().setOffline(false);

  // The first one comes back, and the mark goes.
  await signInByCall(one.request, marktrail.url(), 'student1@demo.example');
  await one.goto('/student');
  await expect.poll(async () => (await marksOf(one, testId)).slice(0, 3)).toEqual([0, 0, 1]);
  await isGone(one.getByText(/on this device/));
});

test('the marks of somebody who never comes back go from the device after half a year, and those of whoever works there stay', async () => {
  const exam = await examination();
  const { testId } = exam;
  const address = `/student/submit?test=${testId}`;
  await student(JOSEPH, exam);
  const page = await student(SOPHIE, exam, { fresh: true });
  const left = async () => (await keptOnDevice(page)).map((row) => JSON.parse(row) as { accountId: string; key?: string });
  await page.goto(address);
  await submitButton(page).waitFor();
  const stored = await marksOf(page, testId);
  await page.context().setOffline(true);
  await field(page, 3).fill(stored[2] === 0 ? '1' : '0');
  await page.getByText(WAITS).waitFor();
  const own = async () => (await left()).filter(({ key }) => key?.startsWith('own '));
  await expect.poll(own).toHaveLength(1);
  const [{ accountId = '' } = {}] = await own();
  await leaveDeviceTo(page, 'student2@demo.example');
  const ofFirst = async () => (await left()).filter((row) => row.accountId === accountId).length;
  for (const [days, stays] of [
    [179, true],
    [181, false],
  ] as const) {
    await page.clock.setFixedTime(Date.now() + days * 24 * 3_600_000);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Written examination' }).waitFor();
    await expect.poll(async () => (await ofFirst()) > 0).toBe(stays);
  }
  // Their own do.
  await expect.poll(left).not.toEqual([]);
});

test('a question that is taken away while its mark waits on the device holds up none of the others', async () => {
  const exam = await examination();
  const { testId } = exam;
  const admin = await marktrail.caller('admin@demo.example');
  const page = await student(JOSEPH, exam);
  await page.goto(`/student/submit?test=${testId}`);
  await submitButton(page).waitFor();
  const { questions } = await submissionOf(page, testId);
  await page.context().setOffline(true);
  for (const question of [1, 2]) await field(page, question).fill(questions[question - 1]?.mark === 1 ? '0' : '1');
  await page.getByText('2 marks wait on this device until the server can be reached.').waitFor();
  const [gone, ...others] = questions;
  const left = others.map(({ questionId, topic, max }) => ({ questionId, topic, marksAvailable: max }));
  const another = { questionId: null, topic: 'Another question', marksAvailable: gone?.max };
  await act(admin, 'EditQuestions', { testId, questions: [...left, another] });
  await page.context().setOffline(false);
  await page.getByText('There is no such question in this assessment.').waitFor();
  await expect
    .poll(async () => (await submissionOf(page, testId)).questions[0])
    .toMatchObject({ questionId: left[0]?.questionId, mark: questions[1]?.mark === 1 ? 0 : 1 });
  const waits = async () => (await keptOnDevice(page)).filter((row) => row.includes('own '));
  // Its mark is kept: the question may come back. The submission needs it no more.
  await expect.poll(waits).toHaveLength(1);
  for (const [at] of questions.entries()) await field(page, at + 1).fill('0');
  await submitButton(page).click();
  // The student is told before it goes.
  await page.getByText('1 mark that you entered is not submitted.').waitFor();
  await page.getByRole('button', { name: /^Submit 0 of/ }).click();
  await expect.poll(async () => (await submissionOf(page, testId)).state).toBe('confirmed');
  await expect.poll(waits).toEqual([]);
});

test('a question that is added after the submission is asked for, and the tracker does not count the student as done', async () => {
  const exam = await examination();
  const { testId } = exam;
  const admin = await marktrail.caller('admin@demo.example');
  const page = await student(JOSEPH, exam);
  const { questions, name } = await submissionOf(page, testId);
  const zeros = questions.map(({ questionId }) => ({ questionId, mark: 0 }));
  await act(page.request, 'SubmitFeedback', { testId, marks: zeros });
  const paper = questions.map(({ questionId, topic, max }) => ({ questionId, topic, marksAvailable: max }));
  const edited = { testId, questions: [...paper, { questionId: null, topic: 'Added', marksAvailable: 3 }] };
  const { position } = await act(admin, 'EditQuestions', edited);
  await ask(page.request, `submission?testId=${testId}`, position);

  const staff = await marktrail.signedIn('teacher1@demo.example');
  await staff.goto('/teacher?year=11&set=11X1');
  await pressEnter(staff.getByRole('button', { name: `Submission tracker of ${name}` }));
  const incomplete = staff.getByRole('region', { name: /^Incomplete: / });
  await incomplete.getByText('1 question added since').waitFor();
  expect(await brokenRules(staff, { serious: true })).toEqual([]);

  const asks = '1 question has no mark from you: it was added after you submitted.';
  await page.goto('/student');
  await page.getByText(`${name} waits for your marks.`).waitFor();
  await page.getByText(asks).waitFor();
  await page.getByRole('link', { name: 'Enter your marks' }).click();
  await page.getByText(asks).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change my marks' }).click();
  await field(page, questions.length + 1).fill('3');
  await submitButton(page).click();
  await page.getByRole('button', { name: /^Submit 3 of/ }).click();
  await expect.poll(async () => (await submissionOf(page, testId)).addedSince).toBe(0);
  await incomplete.getByText('1 question added since').waitFor({ state: 'detached' });
});
