import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { dialogOf, marktrailInBrowser, searchForOne, undo, whenAsked } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';

const marktrail = marktrailInBrowser();
const csv = (text: string) => ({ name: 'own_tree.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const tree = (page: Page, name: string) => page.getByRole('tree', { name }).filter({ visible: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).filter({ visible: true });
const submitted = (page: Page) => page.getByText('Submitted successfully!').filter({ visible: true });
const item = (page: Page, name: string) => page.locator('label').filter({ has: page.getByRole('radio'), hasText: name, visible: true });

const currentStep = (page: Page, hasText: string) => page.locator('[aria-current=step]').filter({ hasText }).waitFor();

/** No serious findings of axe on what is shown. */
const accessible = async (page: Page): Promise<void> => {
  expect(await brokenRules(page, { serious: true })).toEqual([]);
};
/** Nothing sticks out to the right, on a phone either. */
const fits = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

test('an admin chooses a topic tree and allocates in three steps; two who do so at once lose nothing', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/mappings' });

  // Step 3 is opened first: questions are suggested by their topics.
  await currentStep(page, 'Manually allocate prerequisites');
  const slider = page.getByRole('slider', { name: 'AI suggestions' }).filter({ visible: true });
  await expect
    .poll(async () => [await slider.getAttribute('min'), await slider.getAttribute('max'), await slider.inputValue()])
    .toEqual(['1', '13', '5']);
  await page.getByText('100% match').filter({ visible: true }).waitFor();
  expect(await save(page).count()).toBe(0);
  await page.getByRole('checkbox', { name: /1\. Quadratic forms/ }).check();
  await page.getByText('1 change is not saved yet.').waitFor();
  await save(page).click();
  await submitted(page).waitFor();
  await save(page).waitFor({ state: 'detached' });
  await accessible(page);

  // Another topic: the message is gone, Save comes back with the next change.
  await item(page, 'Derivatives').click();
  await submitted(page).waitFor({ state: 'detached' });
  await tree(page, 'Questions').getByRole('treeitem', { name: '2. Derivatives' }).click();
  await save(page).click();
  await submitted(page).waitFor();
  await page.getByRole('button', { name: 'Undo' }).filter({ visible: true }).click();
  await page.getByText('Nothing is allocated yet').filter({ visible: true }).waitFor();

  // Step 1 wants a topic tree: bad files say where, a good one is looked at first.
  await page.getByRole('button', { name: /^1 Allocate pre-requisite/ }).click();
  await page.getByRole('button', { name: 'Choose a topic tree' }).filter({ visible: true }).click();
  const dialog = dialogOf(page, 'Topic tree of Mathematics');
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles(csv('Topic,Parent\nFractions,Number\n'));
  await dialog.getByText('The upload file does not meet the required format.').waitFor();
  await file.setInputFiles(csv('Level 1,Level 2,Level 3\nNumber,,Adding\n'));
  await dialog.getByText(/A level is empty with another one after it\. See line 2, Level 2/).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Use this tree' }).isDisabled()).toBe(true);
  await file.setInputFiles(csv('Level 1,Level 2,Level 3\nOwn,Topic\n'));
  await dialog.getByText('2 topics').waitFor();
  await dialog.getByRole('button', { name: 'Use the GCSE Mathematics tree' }).click();
  await dialog.getByText('Ratio, proportion and rates of change').waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: 'Use this tree' }).click();
  await page.getByText('Mathematics: GCSE Mathematics').waitFor();

  // The tree by keyboard: search, walk, tick.
  const topics = tree(page, 'Topics');
  await page.getByLabel('Search topics').filter({ visible: true }).fill('completing the square');
  await topics.getByRole('treeitem', { name: 'Algebra' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await page
    .getByRole('list', { name: 'Allocated topics' })
    .filter({ visible: true })
    .getByText('Quadratic formula and completing the square')
    .waitFor();

  // A colleague saves the same topic first.
  const leader = await marktrail.caller('leader@demo.example');
  const ask = async (path: string) => (await leader.get(`/api/queries/${path}`)).json();
  const subjectId: string = (await ask('me')).subjects[0].subjectId;
  const mappings = await ask(`mappings?subjectId=${subjectId}`);
  const topicId: string = mappings.tree.topics.find(({ name }: { name: string }) => name === 'Algebraic proof').topicId;
  const theirs = { subjectId, changes: [{ schemeTopicId: mappings.schemes[0].topics[0].schemeTopicId, topicIds: [topicId] }] };
  expect((await leader.post('/api/commands/MapSchemeTopics', { data: theirs })).status()).toBe(200);
  await save(page).click();
  await page.getByText(/Somebody else has changed this allocation meanwhile/).waitFor();
  await page.getByRole('button', { name: 'Reload, keep my changes' }).click();
  const allocated = page.getByRole('list', { name: 'Allocated topics' }).filter({ visible: true });
  await allocated.getByText('Algebraic proof').waitFor();
  await save(page).click();
  await submitted(page).waitFor();
  await expect.poll(() => allocated.getByRole('listitem').count()).toBe(2);

  // Step 2, preselected by a test, on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/assessments');
  await page.getByRole('button', { name: new RegExp(`^${mappings.tests[0].name}`) }).click();
  await page.getByRole('link', { name: 'Topic mappings', exact: true }).click();
  await expect.poll(() => page.url()).toContain(`/admin/mappings?test=${mappings.tests[0].testId}`);
  await currentStep(page, 'Allocate topics to an assessment');
  await item(page, 'Quadratic forms').waitFor();
  await tree(page, 'Topics').getByRole('treeitem', { name: 'Number' }).click();
  await save(page).click();
  await submitted(page).waitFor();
  await fits(page);
  await accessible(page);

  // A topic or a question is asked about before it goes only where something is mapped to it.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/admin/sow');
  await page.getByRole('button', { name: 'Edit Mathematics for economists' }).click();
  const scheme = dialogOf(page, 'Edit scheme of work');
  await scheme.getByRole('button', { name: 'Delete Topic 13' }).click();
  await scheme.getByLabel('Topic 13', { exact: true }).waitFor({ state: 'detached' });
  await scheme.getByRole('button', { name: 'Delete Topic 1', exact: true }).click();
  const topic = dialogOf(page, 'Delete Quadratic forms?');
  await topic.getByText('Topics or questions are mapped to it.').waitFor();
  await topic.getByRole('button', { name: 'Cancel' }).click();
  await scheme.getByLabel('Topic 1', { exact: true }).fill(' ');
  await scheme.getByRole('button', { name: 'Save' }).click();
  await scheme.getByText('Required.').waitFor();
  await scheme.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/admin/assessments');
  await page.getByRole('button', { name: /^Written examination/ }).click();
  await page.getByRole('button', { name: 'Edit questions' }).click();
  const paper = dialogOf(page, 'Questions of Written examination');
  await paper.getByRole('button', { name: 'Delete question 13' }).click();
  await paper.getByLabel('Topic of question 13', { exact: true }).waitFor({ state: 'detached' });
  await paper.getByRole('button', { name: 'Delete question 1', exact: true }).click();
  const question = dialogOf(page, 'Delete this question?');
  await question.getByText(/^“Quadratic forms” leaves the paper with \d topic mappings?/).waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await paper.getByText('11 questions, 22 marks').waitFor();
});

test('terminal exams are added, warned about, removed and brought back', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/terminal' });
  const year = page.getByLabel('School year exam sat');
  const name = page.getByLabel('Exam name');
  const add = page.getByRole('button', { name: 'Add exam' });
  await add.click();
  await page.getByText('Required.').first().waitFor();
  await year.fill('0');
  await name.fill('GCSE Mathematics');
  await add.click();
  await page.getByText('The value must be greater than zero').waitFor();
  await year.fill('10.5');
  await page.getByText('The value must be an integer number').waitFor();
  await year.fill('11');
  await add.click();
  const timeline = page.getByRole('list', { name: 'Terminal exams by school year' });
  await timeline.getByText('GCSE Mathematics').waitFor();

  await year.fill('11');
  await page.getByText('Warning: There is already a terminal exam allocated to this school year').waitFor();
  await name.fill('gcse mathematics');
  await add.click();
  await page.getByText('There is a terminal exam of this name in this school year already').waitFor();
  await name.fill('Mock GCSE');
  await add.click();
  await timeline.getByText('Mock GCSE').waitFor();
  await accessible(page);

  await page.getByRole('button', { name: 'Remove Mock GCSE, year 11' }).click();
  await undo(page, 'Mock GCSE removed.', timeline.getByText('Mock GCSE'));
  await timeline.getByText('Mock GCSE').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  expect(download.suggestedFilename()).toBe('terminal_exams.csv');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page);
});

test('data is looked at page by page and downloaded; an assessment without marks says so', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/export' });
  await page.getByRole('button', { name: 'View data' }).click();
  const dialog = dialogOf(page, 'Year 11');
  await dialog.getByText('1–15 of 729').waitFor();
  await expect.poll(() => dialog.locator('tbody tr').count()).toBe(15);
  await accessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download CSV' }).click()]);
  expect(download.suggestedFilename()).toBe('data_download.csv');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  const lines = Buffer.concat(chunks).toString('utf8').split('\r\n');
  expect(lines[0]).toBe('\ufeffStudentID,Name,Set,DoB');
  expect(lines.slice(1).filter(Boolean)).toHaveLength(729);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('radio', { name: 'Results of an assessment' }).check();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByText('No data for this assessment...').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page);
});

/** Each screen with the heading that it has when it is there. */
const screens = [
  ['', 'Marktrail Demo School'],
  ['subjects', 'Subjects'],
  ['sow', 'Schemes of Work'],
  ['assessments', 'Assessment Data'],
  ['classes', 'Classes'],
  ['mappings', 'Topic Mappings'],
  ['terminal', 'Terminal Exams'],
  ['teachers', 'Assign teachers to classes'],
  ['add_students', 'Manually Allocate Students'],
  ['upload_students', 'Bulk Upload'],
  ['export', 'Export QLA Data'],
  ['users', 'Staff users'],
  ['users_students', 'Student users'],
  ['status', 'Status'],
] as const;

test('every screen can be used by everybody, on a phone too', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  for (const [path, heading] of screens) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/admin/${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    // `first`: on a slow machine several parts may still be loading.
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await accessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    await accessible(page);
  }
});

/** As another browser of the same admin would. */
const send = (page: Page, command: string, body: object): Promise<number> =>
  page.evaluate(
    async ([name, sent]) =>
      (await fetch(`/api/commands/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: sent })).status,
    [command, JSON.stringify(body)] as const,
  );

test('lists that are no files of their own are exported', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  for (const [path, file, header, line] of [
    ['sow', 'schemes_of_work', 'Scheme of work,Sets,Topics', /^[^,]+,\d+,.*; /m],
    ['classes', 'classes', 'Year group,Set,Scheme of work,Assessments,Red,Amber,Green,Students', /^11,11X1,[^,]+,[^,]*,/m],
    ['teachers', 'teachers', 'Teacher,Classes', /11X1/],
    ['users', 'staff_users', 'Name,Teacher,Subject,Role,Email,State', /,Admin,admin@demo\.example,Active/],
    ['users_students', 'student_users', 'Name,Email,StudentID,Student,Subject,Joined', /student1@demo\.example.*,\d\d\/\d\d\/\d{4}\r?$/m],
  ] as const) {
    await page.goto(`/admin/${path}`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
    expect(download.suggestedFilename()).toBe(`${file}.csv`);
    const text = (await downloaded(download)).toString();
    expect(text.split('\r\n')[0]).toBe(`\ufeff${header}`);
    expect(text).toMatch(line);
  }

  // Who has joined: those of the subject in use, or all.
  expect(await send(page, 'AddSubject', { name: 'History' })).toBe(200);
  await page
    .getByRole('button', { name: /^Reset / })
    .first()
    .waitFor();
  await page.reload();
  await page.getByLabel('Subject', { exact: true }).selectOption('History');
  await page.getByText('Nobody of History has joined yet').waitFor();
  await page.getByLabel('Students of').selectOption('All subjects');
  await page
    .getByRole('button', { name: /^Reset / })
    .first()
    .waitFor();
});

test('what is typed and not stored is asked about before another page or subject is opened', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await page.goto('/admin/add_students');
  const subject = page.getByLabel('Subject', { exact: true });
  await subject.selectOption('Mathematics');
  await page.getByRole('button', { name: /^11X1,/ }).click();
  const name = page.getByRole('textbox', { name: /^Name of/ }).first();
  await name.fill('Typed, Here');
  await page.getByRole('button', { name: 'Submit Changes (1)' }).waitFor();
  const bulkUpload = page.getByRole('navigation', { name: 'Main' }).getByText('Bulk Upload');
  await bulkUpload.click();
  await whenAsked(page, 'Stay here');
  await subject.selectOption('Science');
  await whenAsked(page, 'Stay here');
  expect(await subject.locator('option:checked').innerText()).toBe('Mathematics');
  expect([await name.inputValue(), new URL(page.url()).pathname]).toEqual(['Typed, Here', '/admin/add_students']);
  await bulkUpload.click();
  await whenAsked(page, 'Leave all the same');
  await page.getByRole('heading', { level: 1, name: 'Bulk Upload' }).waitFor();
});

test('an account that somebody else has changed is not overwritten unseen, and an update is stored as a whole or not at all', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/users' });
  await searchForOne(page, 'Search staff', 'teacher1@');
  await page.getByRole('button', { name: 'Update Tom Hughes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role').waitFor();
  const accountId = await page.evaluate(async () => {
    const [user] = await (await fetch(`/api/rest/staffUsers?filter=${encodeURIComponent('{"q":"teacher1@"}')}`)).json();
    return String(user.id);
  });
  expect(await send(page, 'ChangeStaffAccount', { accountId, role: 'leader' })).toBe(200);
  await dialog.getByText('Somebody else has changed this meanwhile.').waitFor();
  await dialog.getByLabel('E-mail').fill('leader@demo.example');
  await dialog.getByLabel('Role').click();
  await page.getByRole('option', { name: 'Auditor' }).click();
  await dialog.getByRole('button', { name: 'Update' }).click();
  await dialog.getByText('Add teacher failed. Please check the email address is valid, and not already in use').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('row', { name: /Tom Hughes/ })
    .getByRole('cell', { name: 'Leader', exact: true })
    .waitFor();
});
