import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TeachersToView } from '../../api/school/sets/sets.contract.ts';
import { brokenRules } from './axe.ts';
import { hasFocus, pressEnter } from './keyboard.ts';
import { marktrailInBrowser, signIn } from './marktrail.ts';
import { placeOf } from './sheet.ts';

const marktrail = marktrailInBrowser();
const pathOf = (page: Page): string => new URL(page.url()).pathname;

const upload = 'Upload Student Assessment Totals';
const marks = 'Enter question-level analysis';
const menus = {
  leader: ['Home', 'Markbook', marks, 'Upload prior data', upload, 'Revision Lists', 'Profile'],
  teacher: ['Home', 'Markbook', marks, upload, 'Revision Lists', 'Profile'],
  student: ['Home', 'Change Subject', 'My data', 'Profile'],
  asStudent: ['Home', 'Select Student', 'Profile'],
};

/** Where each role comes out of each section, and with which menu where it may stay. */
test.each([
  ['leader@demo.example', '/leader', { admin: '/leader', leader: '/leader', teacher: '/teacher', student: '/student/select' }],
  ['teacher1@demo.example', '/teacher', { admin: '/teacher', leader: '/teacher', teacher: '/teacher', student: '/student/select' }],
  ['student1@demo.example', '/student', { admin: '/student', leader: '/student', teacher: '/student', student: '/student' }],
])('%s begins at %s, and is bounced home from where they may not be', async (email, home, ends) => {
  const page = await marktrail.visitor();
  await page.goto('/teacher/markbook?year=11');
  await page.waitForURL(/\/login\?next=/);
  await signIn(page, email, { goTo: false });
  // Where they wanted to go before they logged in, or home where they may not.
  await expect.poll(() => pathOf(page)).toBe(email.startsWith('student') ? '/student' : '/teacher/markbook');
  await page.goto('/');
  await page.waitForURL(`**${home}`);
  for (const [section, end] of Object.entries(ends)) {
    await page.goto(`/${section}`);
    await page.waitForURL(`**${end}`);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByText('Profile').waitFor();
    const entries = end === '/student/select' ? menus.asStudent : menus[end.slice(1) as 'leader' | 'teacher' | 'student'];
    await expect.poll(() => menu.getByRole('listitem').allInnerTexts(), { message: section }).toEqual(entries);
  }
});

test('a leader looks as a teacher, and as a student, where nothing can be changed', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const viewAs = async (role: string) => {
    await page.getByRole('button', { name: /^View as/ }).click();
    await page.getByRole('link', { name: role, exact: true }).click();
  };
  await viewAs('Teacher');
  await page.waitForURL('**/teacher');
  const chosen = page.waitForRequest((request) => /^teacher [0-9a-f-]{36}$/.test(request.headers()['x-view-as'] ?? ''));
  await page.getByRole('button', { name: /^Tom Hughes/ }).click();
  await page.goto('/teacher/markbook');
  await chosen;

  await viewAs('Student');
  await page.getByRole('combobox', { name: 'Select student' }).fill('edwards sophie 11x1');
  await page.getByRole('option', { name: /Edwards, Sophie/ }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  expect(await brokenRules(page)).toEqual([]);
  const looked = page.waitForRequest((request) => /^student [0-9a-f-]{36}$/.test(request.headers()['x-view-as'] ?? ''));
  await page.keyboard.press('Enter');
  const asStudent = (await looked).headers()['x-view-as'] ?? '';
  const banner = page.getByText('You are viewing as Edwards, Sophie.');
  await banner.waitFor();
  await page.getByText('11X1').waitFor();
  // A write from this page, by hand: the pages have none.
  const status = await page.evaluate(async (header) => {
    const headers = { 'Content-Type': 'application/json', 'X-View-As': header };
    return (await fetch('/api/commands/EnterMarks', { method: 'POST', body: '{}', headers })).status;
  }, asStudent);
  expect(status).toBe(403);
  await page.reload();
  await banner.waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await page.waitForURL('**/leader');
  await banner.waitFor({ state: 'detached' });
});

test('a leader chooses whose classes to see in the teacher area, changes it, and hears that one has gone', async () => {
  const [page, admin] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/teacher/marks?year=11' }),
    marktrail.caller('admin@demo.example'),
  ]);
  const { subjectId, testId } = await placeOf(page, '11X1');
  const all = await (await page.request.get(`/api/queries/teachers-to-view?subjectId=${subjectId}`)).json();
  const { teachers } = all as TeachersToView;
  const [tom, priya] = ['Tom Hughes', 'Priya Shah'].map((name) => teachers.find((one) => one.name === name));
  const classes = () => page.getByRole('group', { name: 'Class' }).getByRole('radio').count();
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
  await expect.poll(classes).toBe(1 + (tom?.sets.length ?? 0));
  await banner.getByRole('button', { name: /^(?!Stop).+: select another teacher$/ }).click();
  await page
    .getByRole('dialog', { name: 'Select teacher' })
    .getByRole('button', { name: /^Priya Shah/ })
    .click();
  await expect.poll(classes).toBe(1 + (priya?.sets.length ?? 0));
  await banner.getByText('You are viewing as Priya Shah. You have your own rights here.').waitFor();
  const [stored] = await Promise.all([page.waitForResponse('**/api/commands/EnterMarks'), page.unroute('**/api/commands/EnterMarks')]);
  expect([stored.status(), await stored.request().headerValue('X-View-As')]).toEqual([200, `teacher ${tom?.teacherId}`]);
  await page.reload();
  await banner.getByText('You are viewing as Priya Shah. You have your own rights here.').waitFor();
  expect(await brokenRules(page)).toEqual([]);

  // Another subject has other teachers; the user's own pages and another area are the user's own.
  await page.goto(`/leader/marks?year=11&set=11X1&test=${testId}`);
  await page.getByRole('grid').waitFor();
  expect(await banner.count()).toBe(0);

  // The teacher is removed while somebody looks at their classes.
  await page.goto('/teacher?year=11');
  await banner.waitFor();
  const act = async (name: string) => {
    const done = await admin.post(`/api/commands/${name}`, { data: { subjectId, teacherId: priya?.teacherId } });
    expect(done.status(), await done.text()).toBe(200);
  };
  await act('RemoveTeacher');
  await page.getByText('Priya Shah is not a teacher of this subject any more.').waitFor();
  await page.getByRole('button', { name: /^Tom Hughes/ }).click();
  await expect.poll(classes).toBe(1 + (tom?.sets.length ?? 0));
  await act('RestoreTeacher');
  // It ends as viewing a student does.
  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await page.waitForURL('**/leader');
  await banner.waitFor({ state: 'detached' });
  await page.goto('/teacher?year=11');
  await page.getByRole('heading', { name: 'Select teacher' }).waitFor();
});

test('what was refused about a teacher who has gone, however late it comes, is not taken for an answer about the one who is chosen next', async () => {
  const [page, admin] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/teacher?year=11' }),
    marktrail.caller('admin@demo.example'),
  ]);
  const { subjectId } = await placeOf(page, '11X1');
  const { teachers } = (await (await page.request.get(`/api/queries/teachers-to-view?subjectId=${subjectId}`)).json()) as TeachersToView;
  const [tom, priya] = ['Tom Hughes', 'Priya Shah'].map((name) => teachers.find((one) => one.name === name));
  const classes = () => page.getByRole('group', { name: 'Class' }).getByRole('radio').count();
  const asOf = (request: Request, teacherId: string | undefined) => request.headers()['x-view-as'] === `teacher ${teacherId}`;
  await page.getByRole('button', { name: /^Priya Shah/ }).click();
  await expect.poll(classes).toBe(1 + (priya?.sets.length ?? 0));

  // Until Tom's classes show, the list has not been answered again, and what was asked as her about the classes is on its way.
  const chosen = Promise.withResolvers<void>();
  await page.route('**/api/queries/teachers-to-view?*', async (route) => {
    if (!asOf(route.request(), priya?.teacherId)) await chosen.promise;
    await route.continue();
  });
  const refused = Promise.withResolvers<number>();
  await page.route('**/api/queries/structure?*', async (route) => {
    if (!asOf(route.request(), priya?.teacherId)) return route.continue();
    const response = await route.fetch();
    refused.resolve(response.status());
    await chosen.promise;
    return route.fulfill({ response });
  });
  const act = async (name: string) => {
    const done = await admin.post(`/api/commands/${name}`, { data: { subjectId, teacherId: priya?.teacherId } });
    expect(done.status(), await done.text()).toBe(200);
  };
  await act('RemoveTeacher');
  expect(await refused.promise).toBe(403);
  await page.getByText('Priya Shah is not a teacher of this subject any more.').waitFor();
  await page.getByRole('button', { name: /^Tom Hughes/ }).click();
  await expect.poll(classes).toBe(1 + (tom?.sets.length ?? 0));
  const askedAgain = ['teachers-to-view', 'structure'].map((name) =>
    page.waitForResponse(
      (answer) => answer.url().includes(`/api/queries/${name}?`) && asOf(answer.request(), tom?.teacherId) && answer.ok(),
    ),
  );
  chosen.resolve();
  for (const answer of askedAgain) await (await answer).finished();
  await expect.poll(() => page.getByText('This teacher is not one of yours.').count()).toBe(0);
  expect(await classes()).toBe(1 + (tom?.sets.length ?? 0));
  await act('RestoreTeacher');
});

test('cookies are asked about once; the chosen subject is remembered, for good only with consent', async () => {
  const page = await marktrail.visitor();
  await signIn(page, 'teacher2@demo.example');
  const consent = page.getByRole('region', { name: 'Cookies' });
  await page.getByLabel('Subject').selectOption('Science');
  await page.getByRole('heading', { name: /Science/ }).waitFor();
  const kept = () => page.evaluate(() => Object.keys(localStorage));
  expect(await kept()).toEqual([]);
  expect((await page.context().cookies()).every(({ httpOnly }) => httpOnly)).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: /Science/ }).waitFor();

  await consent.getByRole('button', { name: 'Accept' }).click();
  const choice = async () => (await page.context().cookies()).find(({ name }) => name === 'marktrail_consent');
  await expect.poll(async () => Math.round((((await choice())?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  await page.getByLabel('Subject').selectOption('Mathematics');
  await expect.poll(async () => (await kept()).filter((name) => name.startsWith('marktrail-subject'))).toHaveLength(1);
  await page.reload();
  await page.getByRole('heading', { name: /Mathematics/ }).waitFor();
  await consent.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Privacy policy' }).click();
  await page.getByRole('dialog').getByText('Last updated 07/11/2019.').waitFor();
});

test('the drawer is used by keyboard', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/', viewport: { width: 390, height: 800 } });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  const toggle = page.getByRole('button', { name: 'Menu' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await hasFocus(toggle);
  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await drawer.getByRole('link', { name: 'Markbook' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/teacher/markbook');
  await drawer.waitFor({ state: 'hidden' });
});

const breakPage = (page: Page, what: string): Promise<void> =>
  page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, what);

test('an error is logged and shown to staff with a number by which an admin finds it, and not to students', async () => {
  const teacher = await marktrail.person('teacher1@demo.example', { at: '/' });
  await breakPage(teacher, 'the chalk broke');
  const banner = teacher.getByRole('alert').filter({ hasText: 'Oops...' });
  const [, number = ''] = /number (\d+)/.exec((await banner.textContent()) ?? '') ?? [];
  await banner.getByText('More details').click();
  await banner.getByText(/the chalk broke/).waitFor();
  expect(await brokenRules(teacher)).toEqual([]);
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await banner.waitFor({ state: 'detached' });

  const student = await marktrail.person('student1@demo.example', { at: '/' });
  const reported = student.waitForResponse('**/api/errors');
  await breakPage(student, 'the pencil broke');
  await (await reported).finished();
  expect(await student.getByText('Oops...').count()).toBe(0);

  const admin = await marktrail.person('admin@demo.example', { at: '/admin/status' });
  await admin.getByLabel('From number').fill(number);
  const row = admin.getByRole('row').filter({ hasText: 'the chalk broke' });
  await row.getByRole('rowheader', { name: number, exact: true }).waitFor();
  expect(await row.textContent()).toContain('Tom Hughes');
  await admin.getByLabel('From number').fill('');
  await admin.getByRole('row').filter({ hasText: 'the pencil broke' }).waitFor();
  await admin.getByLabel('From number').fill('1.5');
  await admin.getByRole('row').filter({ hasText: 'the pencil broke' }).waitFor();
  expect(await brokenRules(admin)).toEqual([]);

  await admin.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => admin.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const parts = [
    admin.getByRole('link', { name: /: home$/ }),
    admin.getByLabel('Subject'),
    admin.getByRole('button', { name: /^View as/ }),
  ];
  // They stand side by side and do not overlap.
  await expect
    .poll(async () => {
      const [home, subject, role] = await Promise.all(parts.map((part) => part.boundingBox()));
      return home && subject && role && home.x + home.width <= subject.x && subject.x + subject.width <= role.x;
    })
    .toBe(true);
});

test('a part of a page that cannot be loaded leaves the frame around it, and is tried again', async () => {
  const page = await marktrail.signedIn('student1@demo.example');
  await page.route('**/assets/RevisionList-*', (route) => route.abort());
  await page.goto('/student');
  await page.getByText('This page cannot be shown.').waitFor();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password').waitFor();
  await page.goBack();
  await page.getByText('This page cannot be shown.').waitFor();
  await page.unroute('**/assets/RevisionList-*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Student report' }).waitFor();
  expect(await page.getByText('This page cannot be shown.').count()).toBe(0);
});

test('tabs of one browser are one person: whoever logs in in another one takes over this one, or goes on in it', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  const nameOf = (tab: Page) => tab.getByLabel('Name', { exact: true }).inputValue();
  const logInElsewhere = async (email: string): Promise<Page> => {
    const tab = await page.context().newPage();
    await tab.request.post('/api/identity/sign-in/email', { data: { email, password: 'marktrail-demo' } });
    await tab.goto('/profile');
    await tab.getByLabel('Name', { exact: true }).waitFor();
    return tab;
  };
  await page.goto('/profile');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await expect.poll(() => nameOf(page)).not.toBe('Tom Hughes');
  const other = await logInElsewhere('teacher1@demo.example');
  for (const tab of [other, page]) await expect.poll(() => nameOf(tab)).toBe('Tom Hughes');

  await page.getByLabel('Current password').fill('marktrail-demo');
  await page.context().clearCookies({ name: /session/ });
  await page.getByRole('button', { name: 'Unlock' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  await logInElsewhere('teacher1@demo.example');
  await again.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save' }).waitFor();
});
