import type { Locator, Page } from 'playwright-core';
import { beforeEach, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import { act, ask } from '../../../browser/calls.ts';
import { pressEnter } from '../../../browser/keyboard.ts';
import { holds, isGone } from '../../../browser/looks.ts';
import { heldBack, noticeOf, marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();
let page: Page;
beforeEach(async () => {
  page = await marktrail.signedIn('admin@demo.example');
});

const seen = (what: Locator): Promise<void> => what.waitFor();
const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

test('of two changes of a name each notice names its act; the older one is undone first, and neither name comes back', async () => {
  await page.goto('/admin/add_students');
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  const names = page.getByRole('textbox', { name: /^Name of/ });
  const called = await names.nth(0).inputValue();
  await names.nth(0).fill('Aa One');
  const list = await heldBack(page, '**/api/rest/students?*');
  await button('Submit Changes (1)').click();
  const older = await noticeOf(page, 'Aa One: name changed.');
  // What is stored stands there before the list is read again, and whoever types over it is not somebody else.
  await list.answered;
  await holds(names.nth(0), 'Aa One');
  await names.nth(0).fill('Aa Two');
  await list.letGo();
  await seen(page.getByRole('textbox', { name: 'Name of Aa One' }));
  await button('Submit Changes (1)').waitFor();
  await isGone(page.getByText('Somebody else changed this student meanwhile'));
  const [stored] = await Promise.all([page.waitForResponse('**/api/commands/ChangeStudents'), pressEnter(button('Submit Changes (1)'))]);
  // One notice at a time: the older one is there again once the newer one is dismissed.
  await button('Dismiss', await noticeOf(page, 'Aa Two: name changed.')).click();
  await button('Undo', older).click();
  await button('Undo').click();
  await seen(page.getByText('Undone: Aa One: name changed. 1 student was changed again since: that stays.'));
  await holds(names.nth(0), 'Aa Two');
  const { subjectId: ofNewer } = stored.request().postDataJSON() as { subjectId: string };
  const { commandId: newer } = ((await stored.json()) as { result: { commandId: string } }).result;
  await page.request.post('/api/commands/UndoRosterChange', { data: { subjectId: ofNewer, commandId: newer } });
  await holds(names.nth(0), called);
});

test('questions are dragged into another order', async () => {
  const subjectId = (await ask<Me>(page.request, 'me')).subjects.find(({ name }) => name === 'Mathematics')?.subjectId;
  const { testId } = (await act(page.request, 'CreateAssessment', { subjectId, name: 'Autumn test' })).result;
  await act(page.request, 'UploadQuestions', {
    testId,
    questions: [1, 2, 3].map((number) => ({ number, topic: `Topic ${number}`, marksAvailable: 3 })),
  });
  await page.goto('/admin/assessments');
  await button(/^Autumn test/).click();
  await button('Edit questions').click();
  const edit = page.getByRole('dialog', { name: 'Questions of Autumn test' });
  const handle = edit.getByLabel('Drag question 2', { exact: true });
  const [from, to] = [await handle.boundingBox(), await edit.getByLabel('Drag question 1', { exact: true }).boundingBox()];
  if (!from || !to) throw new Error('the questions are not shown');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y + 2, { steps: 8 });
  // Drop only when the page has noticed that the pointer is over another question.
  await page.getByText(/^Draggable item (\S+) was moved over droppable area (?!\1\.)/).waitFor({ state: 'attached' });
  await page.mouse.up();
  await seen(edit.getByText('Question 2 is question 1 now.'));
  await holds(edit.getByLabel('Topic of question 1', { exact: true }), 'Topic 2');
  await button('Save', edit).click();
  await seen(page.getByText('Submitted successfully!'));
});
