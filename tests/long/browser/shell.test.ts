import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TeachersToView } from '../../../api/school/sets/sets.contract.ts';
import { brokenRules } from '../../browser/axe.ts';
import { act } from '../../browser/calls.ts';
import { pressEnter } from '../../browser/keyboard.ts';
import { counts, holds, isGone } from '../../browser/looks.ts';
import { marktrailInBrowser } from '../../browser/marktrail.ts';
import { placeOf } from '../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

const tomAndPriya = async (page: Page, subjectId: string) => {
  const { teachers } = (await (await page.request.get(`/api/queries/teachers-to-view?subjectId=${subjectId}`)).json()) as TeachersToView;
  return ['Tom Hughes', 'Priya Shah'].map((name) => teachers.find((one) => one.name === name));
};
/** All classes together, and each of them. */
const classesOf = (page: Page): Locator => page.getByRole('group', { name: 'Class' }).getByRole('radio');

test('a leader chooses whose classes to see in the teacher area, changes it, and hears that one has gone', async () => {
  const [page, admin] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/teacher/marks?year=11' }),
    marktrail.caller('admin@demo.example'),
  ]);
  const { subjectId, testId } = await placeOf(page, '11X1');
  const [tom, priya] = await tomAndPriya(page, subjectId);
  const turn = (name: string) => act(admin, name, { subjectId, teacherId: priya?.teacherId });
  const banner = page.getByRole('region', { name: 'Viewing as' });

  await page.getByRole('heading', { name: 'Select teacher' }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await pressEnter(page.getByRole('button', { name: /^Tom Hughes/ }));
  // The page that they came for goes on, with this teacher's classes.
  await expect.poll(() => page.getByLabel('Select Class').locator('option:enabled').allInnerTexts()).toEqual(['11X1', '11X2', '11X3']);
  // What is typed while one teacher is viewed is recorded so, though it is sent when another one is.
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await page.getByLabel('Select Class').selectOption({ label: '11X1' });
  await page.locator('[data-row="0"][data-column="0"]').click();
  await page.keyboard.type('1');
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await counts(classesOf(page), 1 + (tom?.sets.length ?? 0));
  await banner.getByRole('button', { name: /^(?!Stop).+: select another teacher$/ }).click();
  await page
    .getByRole('dialog', { name: 'Select teacher' })
    .getByRole('button', { name: /^Priya Shah/ })
    .click();
  await counts(classesOf(page), 1 + (priya?.sets.length ?? 0));
  await banner.getByText('You are viewing as Priya Shah. You have your own rights here.').waitFor();
  const [stored] = await Promise.all([page.waitForResponse('**/api/commands/EnterMarks'), page.unroute('**/api/commands/EnterMarks')]);
  expect([stored.status(), await stored.request().headerValue('X-View-As')]).toEqual([200, `teacher ${tom?.teacherId}`]);
  await page.reload();
  await banner.getByText('You are viewing as Priya Shah. You have your own rights here.').waitFor();
  expect(await brokenRules(page)).toEqual([]);

  // Another subject has other teachers; the user's own pages and another area are the user's own.
  await page.goto(`/leader/marks?year=11&set=11X1&test=${testId}`);
  await page.getByRole('grid').waitFor();
  await isGone(banner);

  // The teacher is removed while somebody looks at their classes.
  await page.goto('/teacher?year=11');
  await banner.waitFor();
  await turn('RemoveTeacher');
  await page.getByText('Priya Shah is not a teacher of this subject any more.').waitFor();
  await page.getByRole('button', { name: /^Tom Hughes/ }).click();
  await counts(classesOf(page), 1 + (tom?.sets.length ?? 0));
  await turn('RestoreTeacher');
  // It ends as viewing a student does.
  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await page.waitForURL('**/leader');
  await banner.waitFor({ state: 'detached' });
  await page.goto('/teacher?year=11');
  await page.getByRole('heading', { name: 'Select teacher' }).waitFor();
});

test('tabs of one browser are one person: whoever logs in in another one takes over this one, or goes on in it', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  const nameOf = (tab: Page) => tab.getByLabel('Name', { exact: true });
  const logInElsewhere = async (email: string): Promise<Page> => {
    const tab = await page.context().newPage();
    await tab.request.post('/api/identity/sign-in/email', { data: { email, password: 'marktrail-demo' } });
    await tab.goto('/profile');
    return tab;
  };
  await page.goto('/profile');
  await expect.poll(() => nameOf(page).inputValue()).not.toBe('Tom Hughes');
  const other = await logInElsewhere('teacher1@demo.example');
  for (const tab of [other, page]) await holds(nameOf(tab), 'Tom Hughes');

  await page.getByLabel('Current password').fill('marktrail-demo');
  await page.context().clearCookies({ name: /session/ });
  await page.getByRole('button', { name: 'Unlock' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  await logInElsewhere('teacher1@demo.example');
  await again.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save' }).waitFor();

  await other.getByRole('button', { name: 'Logout' }).click();
  await page.getByText('You have been logged out in another tab of this browser.').waitFor();
  await isGone(other.getByText('You have been logged out'));
});
