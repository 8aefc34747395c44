import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { SubmissionPage } from '../../../api/marks/submissions/submissions.contract.ts';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { marktrailInBrowser, signIn } from '../marktrail.ts';
import { signInByCall } from '../profiles.ts';
import { placeOf, sheetOf, saved } from '../sheet.ts';

/** Students enter the marks of the examination for themselves. */
const marktrail = marktrailInBrowser();
const PHONE = { viewport: { width: 390, height: 800 } };
const MISMATCH = '*This submitted feedback does not match the total your teacher uploaded';

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

const field = (page: Page, question: number) => page.getByRole('textbox', { name: new RegExp(`^Question ${question}\\b`) });
const press = (page: Page, button: string, question: number) =>
  page.getByRole('button', { name: `${button}, question ${question}`, exact: true }).click();

/** What the server has of the student who is signed in. */
const submissionOf = async (page: Page, testId: string): Promise<SubmissionPage> =>
  (await (await page.request.get(`/api/queries/submission?testId=${testId}`)).json()) as SubmissionPage;
const marksOf = async (page: Page, testId: string) => (await submissionOf(page, testId)).questions.map(({ mark }) => mark);

const teacher = async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const place = await placeOf(page, '11X1');
  return {
    ...place,
    sheet: (): Promise<Sheet> => sheetOf(page, '11X1'),
    enterTotal: async (studentId: string, total: number | 'cleared', was: readonly number[] = []) => {
      const answer = await page.request.post('/api/commands/EnterMarks', {
        headers: { Origin: marktrail.url(), 'Idempotency-Key': crypto.randomUUID() },
        data: {
          entryId: crypto.randomUUID(),
          subjectId: place.subjectId,
          seq: 1,
          cells: [{ studentId, testId: place.testId, is: total, was }],
          typedAt: new Date().toISOString(),
        },
      });
      expect(answer.status(), await answer.text()).toBe(200);
    },
  };
};

test('a student goes from the banner to the submission, hears that the totals differ, and corrects their marks', async () => {
  const { testId, sheet, enterTotal } = await teacher();
  const { students, questions } = await sheet();
  const { studentId: sophie = '', total } = students.find(({ name }) => name === 'Edwards, Sophie') ?? {};
  await enterTotal(sophie, 'cleared', [total?.value ?? 0]);
  const full = questions.reduce((sum, { max }) => sum + max, 0);

  // The address that teachers share, before the log-in.
  const page = await marktrail.visitor(PHONE);
  await page.goto(`/student/submit?test=${testId}`);
  await page.waitForURL(/\/login\?next=/);
  await signIn(page, 'student1@demo.example', { goTo: false });
  await page.getByRole('heading', { name: 'Written examination' }).waitFor();
  await page.getByRole('button', { name: 'Decline non-essential' }).click();
  await page.goto('/student');
  await page.getByText('Written examination waits for your marks.').waitFor();
  await picture(page, 'home-390');
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('link', { name: 'Enter your marks' }).click();

  const [first, second] = [questions[0]?.max ?? 0, questions[1]?.max ?? 0];
  await press(page, 'One more', 1);
  await expect.poll(() => field(page, 1).inputValue()).toBe('1');
  // Whoever does not see it hears it.
  await page
    .getByRole('status')
    .filter({ hasText: `Question 1: 1 of ${first}. Total 1 of ${full}.` })
    .waitFor({ state: 'attached' });
  await press(page, 'One less', 1);
  await expect.poll(() => field(page, 1).inputValue()).toBe('0');
  await page.getByRole('button', { name: 'One less, question 1', disabled: true, exact: true }).waitFor();
  await press(page, 'Max', 1);
  await page.getByRole('button', { name: 'One more, question 1', disabled: true, exact: true }).waitFor();
  // Nor by keyboard.
  await field(page, 1).press('ArrowUp');
  await expect.poll(() => field(page, 1).inputValue()).toBe(String(first));
  await field(page, 2).fill('12.5');
  await page.getByText('Value must be an integer').waitFor();
  await field(page, 2).fill(String(second + 1));
  await page.getByText(`Max mark available is ${second}`).waitFor();
  await picture(page, 'wrong-390');
  expect(await brokenRules(page)).toEqual([]);
  // Narrow, and with text of twice the size, nothing is cut off.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const size of ['100%', '200%']) {
    const width = await page.evaluate((wanted) => {
      document.documentElement.style.fontSize = wanted;
      return Math.max(...[...document.querySelectorAll('form *')].map((part) => part.getBoundingClientRect().right));
    }, size);
    expect(width, size).toBeLessThanOrEqual(320);
  }
  await page.evaluate(() => document.documentElement.removeAttribute('style'));
  await page.setViewportSize(PHONE.viewport);
  await field(page, 2).fill(String(second));
  await page.keyboard.press('Enter');
  await page.keyboard.type('1');
  await saved(page);
  await expect.poll(async () => (await marksOf(page, testId)).slice(0, 3)).toEqual([first, second, 1]);

  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Enter a mark for every question.').first().waitFor();
  await page.getByText('Question 4 has no mark.').waitFor();
  expect(await field(page, 4).evaluate((one) => one === document.activeElement)).toBe(true);
  for (const { number } of questions.slice(2)) await press(page, 'Max', number);
  await press(page, 'One less', questions.length);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await picture(page, 'confirm-390');
  expect(await brokenRules(page)).toEqual([]);
  await pressEnter(page.getByRole('button', { name: `Submit ${full - 1} of ${full}` }));
  await page.getByText("Submitted: waiting for your teacher's total").waitFor();
  // The form is gone; the keyboard, and who hears the page, go on where it was.
  await hasFocus(page.locator('div', { has: page.getByRole('table', { name: 'Marks for Written examination' }) }).last());
  await picture(page, 'sent-390');
  expect(await brokenRules(page)).toEqual([]);
  expect((await submissionOf(page, testId)).confirmedTotal).toBe(full - 1);
  await page.goto('/student');
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  expect(await page.getByText('waits for your marks').count()).toBe(0);

  await enterTotal(sophie, full - 3);
  // The home says so, and so does the list, until it is settled.
  await page.goto('/student/submit');
  await page.getByText(`the totals differ: you submitted ${full - 1}, your teacher’s total is ${full - 3}`).waitFor();
  await page.goto('/student');
  await page.getByText(MISMATCH).waitFor();
  await page.getByText(`you submitted ${full - 1}, your teacher’s total is ${full - 3}`).waitFor();
  await picture(page, 'home-mismatch-390');
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('link', { name: 'Written examination' }).click();
  await page.getByText(MISMATCH).waitFor();
  await picture(page, 'mismatch-390');
  expect(await brokenRules(page)).toEqual([]);
  await pressEnter(page.getByRole('button', { name: 'Change my marks' }));
  await hasFocus(field(page, 1));
  await press(page, 'One less', 1);
  await press(page, 'One less', 1);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByRole('button', { name: `Submit ${full - 3} of ${full}` }).click();
  await page.getByText('Submitted: the total is the same as your teacher’s.').waitFor();
  await page.goto('/student');
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  expect(await page.getByText(MISMATCH).count()).toBe(0);
  expect((await sheet()).students.find(({ studentId }) => studentId === sophie)?.effective).toEqual({
    sum: full - 3,
    count: questions.length,
  });
});

test('without a network the page opens with the kept marks, and what is submitted there is sent once', async () => {
  const page = await marktrail.person('student2@demo.example', { ...PHONE, at: '/student' });
  await page.getByRole('link', { name: 'Enter your marks' }).click();
  await page.getByRole('heading', { name: 'Written examination' }).waitFor();
  const testId = new URL(page.url()).searchParams.get('test') ?? '';
  const { questions } = await submissionOf(page, testId);
  const full = questions.reduce((sum, { max }) => sum + max, 0);
  await press(page, 'Max', 1);
  await saved(page);
  const cached = () =>
    page.evaluate(async () => {
      const caching = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return caching.flat().map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(cached).toContain('/student/submit');

  await page.context().setOffline(true);
  await press(page, 'Max', 2);
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Your marks' }).waitFor();
  await expect.poll(() => field(page, 2).inputValue()).toBe(String(questions[1]?.max));
  // What was stored before, too.
  expect(await field(page, 1).inputValue()).toBe(String(questions[0]?.max));
  await picture(page, 'offline-390');
  // Nor does it wait for a network that hangs.
  await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys())[0] ?? '');
    const kept = await cache.match('/student/submit', { ignoreVary: true });
    const text = (await kept?.text())?.replace('<head>', '<head><meta name="kept">');
    await cache.put('/student/submit', new Response(text ?? '', { headers: kept?.headers ?? {} }));
  });
  await page.context().setOffline(false);
  await page.context().route('**/*', () => new Promise(() => undefined));
  await page.reload();
  await page.getByRole('heading', { name: 'Your marks' }).waitFor();
  expect(await page.locator('meta[name=kept]').count()).toBe(1);
  await expect.poll(() => field(page, 2).inputValue()).toBe(String(questions[1]?.max));
  await page.context().setOffline(true);
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  for (const { number } of questions.slice(2)) await press(page, 'Max', number);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByRole('button', { name: `Submit ${full} of ${full}` }).click();
  await page.getByText('Your marks wait on this device. They are submitted as soon as the server can be reached.').waitFor();
  await page.reload();
  await page.getByText('Your marks wait on this device. They are submitted as soon as the server can be reached.').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/commands/SubmitFeedback')) sent.push(request.headers()['idempotency-key'] ?? '');
  });
  await page.context().setOffline(false);
  await page.getByText(MISMATCH).waitFor();
  expect(await submissionOf(page, testId)).toMatchObject({ state: 'confirmed', confirmedTotal: full });
  expect(new Set(sent).size).toBe(1);
  // The browser keeps none of the server's answers, and nothing of a test that is submitted.
  expect((await cached()).filter((path) => path !== '/student/submit' && !path.startsWith('/student-ui/assets/'))).toEqual([]);
  expect(await keptOnDevice(page)).toEqual([]);
});

test('two tabs of one student agree; somebody else on the device sees and sends nothing of theirs; staff look and change nothing', async () => {
  const { testId, setId } = await teacher();
  const admin = await marktrail.caller('admin@demo.example');
  const { students } = (await (await admin.get(`/api/queries/sheet?testId=${testId}&setId=${setId}`)).json()) as Sheet;
  const idOf = (last: string) => students.find(({ name }) => name?.startsWith(last))?.studentId ?? '';
  // Both may enter marks again.
  for (const studentId of [idOf('Edwards'), idOf('Kowalski')]) {
    const reopened = await admin.post('/api/commands/ReopenFeedback', { data: { testId, studentId } });
    expect(reopened.status(), await reopened.text()).toBe(200);
  }

  const address = `/student/submit?test=${testId}`;
  const one = await marktrail.signedIn('student1@demo.example', PHONE);
  await one.goto(address);
  const other = await one.context().newPage();
  await other.goto(address);
  for (const page of [one, other]) await page.getByRole('button', { name: 'Submit', exact: true }).waitFor();
  await field(one, 1).fill('0');
  await field(other, 2).fill('0');
  for (const page of [one, other]) for (const question of [1, 2]) await expect.poll(() => field(page, question).inputValue()).toBe('0');
  await expect.poll(async () => (await marksOf(one, testId)).slice(0, 2)).toEqual([0, 0]);
  for (const page of [one, other]) for (const question of [1, 2]) await expect.poll(() => field(page, question).inputValue()).toBe('0');
  // What a tab has not heard to be stored would wait with what is typed without a network.
  for (const page of [one, other]) await saved(page);
  await other.close();

  // The student goes on without a network, and leaves the device to somebody else without logging out.
  await one.context().setOffline(true);
  await field(one, 3).fill('1');
  await one.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  // First: a page that is left lives on for a moment, with a network.
  await signInByCall(one.request, marktrail.url(), 'student2@demo.example');
  await one.goto('about:blank');
  await one.context().setOffline(false);
  const before = await marksOf(one, testId);
  await one.goto(address);
  await one.getByRole('heading', { name: 'Written examination' }).waitFor();
  await one.getByRole('link', { name: /^Joseph Kowalski/ }).waitFor();
  expect(await one.getByText('on this device').count()).toBe(0);
  await field(one, 4).fill('1');
  await saved(one);
  await expect.poll(() => marksOf(one, testId)).toEqual(before.map((mark, at) => (at === 3 ? 1 : mark)));
  // Without a network it is the other student's page, too.
  await one.context().setOffline(true);
  await one.reload();
  await one.getByRole('heading', { name: 'Your marks' }).waitFor();
  await expect.poll(() => field(one, 3).inputValue()).toBe(String(before[2] ?? ''));
  await one.context().setOffline(false);

  // A newer version of the app is taken at the next load, whatever is kept.
  await one.evaluate(async () => {
    const [name = ''] = await caches.keys();
    await (await caches.open(name)).put('/student/submit', new Response('an old version', { headers: { 'Content-Type': 'text/html' } }));
  });
  await one.reload();
  await one.getByRole('heading', { name: 'Written examination' }).waitFor();

  // The first one comes back, and the mark goes.
  await signInByCall(one.request, marktrail.url(), 'student1@demo.example');
  await one.goto('/student');
  await expect.poll(async () => (await marksOf(one, testId)).slice(0, 3)).toEqual([0, 0, 1]);
  await one.getByText(/on this device/).waitFor({ state: 'detached' });

  // If they never came back, their marks would not stay on the device for ever.
  await one.goto(address);
  await one.getByRole('link', { name: /^Sophie Edwards/ }).waitFor();
  await expect.poll(() => field(one, 3).inputValue()).toBe('1');
  await one.context().setOffline(true);
  await field(one, 3).fill('0');
  await one.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  const left = async () => (await keptOnDevice(one)).map((row) => JSON.parse(row) as { accountId: string; key?: string });
  await expect.poll(async () => (await left()).some(({ key }) => key?.startsWith('own '))).toBe(true);
  const [{ accountId = '' } = {}] = (await left()).filter(({ key }) => key?.startsWith('own '));
  // First: a page that is left lives on for a moment, with a network.
  await signInByCall(one.request, marktrail.url(), 'student2@demo.example');
  await one.goto('about:blank');
  await one.context().setOffline(false);
  for (const [days, stays] of [
    [179, true],
    [181, false],
  ] as const) {
    await one.clock.setFixedTime(Date.now() + days * 24 * 3_600_000);
    await one.goto(address);
    await one.getByRole('heading', { name: 'Written examination' }).waitFor();
    const ofFirst = expect.poll(async () => (await left()).filter((row) => row.accountId === accountId));
    await (stays ? ofFirst.not.toEqual([]) : ofFirst.toEqual([]));
  }
  // Their own do.
  expect(await left()).not.toEqual([]);

  const staff = await marktrail.person('teacher1@demo.example', { at: '/student/select' });
  await staff.getByRole('combobox', { name: 'Select student' }).fill('edwards sophie 11x1');
  await staff.getByRole('option', { name: /Edwards, Sophie/ }).click();
  await staff.getByRole('link', { name: 'Enter your marks' }).click();
  await staff.getByRole('row', { name: /^3 / }).getByRole('cell', { name: '1', exact: true }).waitFor();
  expect(await staff.getByRole('textbox').count()).toBe(0);
  expect(await staff.getByRole('button', { name: /Submit|Change my marks/ }).count()).toBe(0);
  await picture(staff, 'staff-1440');
  expect(await brokenRules(staff)).toEqual([]);
});

test('a question that is taken away while its mark waits on the device holds up none of the others', async () => {
  const { testId } = await teacher();
  const admin = await marktrail.caller('admin@demo.example');
  const page = await marktrail.signedIn('student2@demo.example', PHONE);
  // What was submitted before is entered anew.
  if ((await submissionOf(page, testId)).state === 'confirmed') {
    const again = await page.request.post('/api/commands/ReopenFeedback', { data: { testId } });
    expect(again.status(), await again.text()).toBe(200);
  }
  await page.goto(`/student/submit?test=${testId}`);
  await page.getByRole('button', { name: 'Submit', exact: true }).waitFor();
  const { questions } = await submissionOf(page, testId);
  await page.context().setOffline(true);
  await field(page, 1).fill('1');
  await field(page, 2).fill('0');
  await page.getByText('2 marks wait on this device until the server can be reached.').waitFor();
  const [gone, ...others] = questions;
  const left = others.map(({ questionId, topic, max }) => ({ questionId, topic, marksAvailable: max }));
  const another = { questionId: null, topic: 'Another question', marksAvailable: gone?.max };
  const edited = await admin.post('/api/commands/EditQuestions', { data: { testId, questions: [...left, another] } });
  expect(edited.status(), await edited.text()).toBe(200);
  await page.context().setOffline(false);
  await page.getByText('There is no such question in this assessment.').waitFor();
  await expect
    .poll(async () => (await submissionOf(page, testId)).questions[0])
    .toMatchObject({ questionId: left[0]?.questionId, mark: 0 });
  const waits = async () => (await keptOnDevice(page)).filter((row) => row.includes('own '));
  // Its mark is kept: the question may come back. The submission needs it no more.
  expect(await waits()).toHaveLength(1);
  for (const [at] of questions.entries()) await field(page, at + 1).fill('0');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  // The student is told before it goes.
  await page.getByText('1 mark that you entered is not submitted.').waitFor();
  await picture(page, 'gone-question-390');
  await page.getByRole('button', { name: /^Submit 0 of/ }).click();
  await expect.poll(async () => (await submissionOf(page, testId)).state).toBe('confirmed');
  await expect.poll(waits).toEqual([]);
});

test('a question that is added after the submission is asked for, and the tracker does not count the student as done', async () => {
  const { testId } = await teacher();
  const admin = await marktrail.caller('admin@demo.example');
  const page = await marktrail.signedIn('student2@demo.example', PHONE);
  const { questions, state, name } = await submissionOf(page, testId);
  if (state !== 'confirmed') {
    const marks = questions.map(({ questionId }) => ({ questionId, mark: 0 }));
    const submitted = await page.request.post('/api/commands/SubmitFeedback', { data: { testId, marks } });
    expect(submitted.status(), await submitted.text()).toBe(200);
  }
  const paper = questions.map(({ questionId, topic, max }) => ({ questionId, topic, marksAvailable: max }));
  const data = { testId, questions: [...paper, { questionId: null, topic: 'Added', marksAvailable: 3 }] };
  const edited = await admin.post('/api/commands/EditQuestions', { data });
  expect(edited.status(), await edited.text()).toBe(200);

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
  await picture(page, 'added-question-390');
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change my marks' }).click();
  await field(page, questions.length + 1).fill('3');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByRole('button', { name: /^Submit 3 of/ }).click();
  await expect.poll(async () => (await submissionOf(page, testId)).addedSince).toBe(0);
  await incomplete.getByText('1 question added since').waitFor({ state: 'detached' });
});

/** What of marks is kept in this browser, as text. */
const keptOnDevice = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const answerOf = <Answer>(request: IDBRequest<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
      });
    const rows: string[] = [];
    for (const name of ['marktrail-drafts', 'marktrail-offline']) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of [...database.objectStoreNames].filter((one) => one !== 'student'))
        rows.push(...(await answerOf(database.transaction(store).objectStore(store).getAll())).map((row) => JSON.stringify(row)));
      database.close();
    }
    return rows;
  });
