import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import type { Mappings } from '../../../../api/assessments/mapping/mapping.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask } from '../../../browser/calls.ts';
import { counts } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { downloadBy } from '../../../browser/shared-browser.ts';

const marktrail = marktrailInBrowser();
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

/** A small topic tree, and what can be mapped to it: the first topic of the scheme of work, and the first question. */
const withTree = async () => {
  const [admin, leader] = [await marktrail.caller('admin@demo.example'), await marktrail.caller('leader@demo.example')];
  const subjectId = (await ask<Me>(leader, 'me')).subjects[0]?.subjectId ?? '';
  const paths = [['Number'], ['Algebra', 'Algebraic proof'], ['Algebra', 'Quadratic formula and completing the square']];
  const { position } = await act(admin, 'ReplaceTopicTree', { subjectId, title: 'Mathematics', paths });
  const { tree: topicTree, schemes, tests } = await ask<Mappings>(leader, `mappings?subjectId=${subjectId}`, position);
  const topicIds = new Map(topicTree?.topics.map(({ name, topicId }) => [name, topicId]));
  return { leader, subjectId, topicIds, schemeTopicId: schemes[0]?.topics[0]?.schemeTopicId, examination: tests[0] };
};

test('an allocation that is taken back is empty again, and the suggestions can be more or fewer', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/mappings' });
  await currentStep(page, 'Manually allocate prerequisites');
  const slider = page.getByRole('slider', { name: 'AI suggestions' }).filter({ visible: true });
  await expect
    .poll(async () => [await slider.getAttribute('min'), await slider.getAttribute('max'), await slider.inputValue()])
    .toEqual(['1', '13', '5']);
  await item(page, 'Derivatives').click();
  await tree(page, 'Questions').getByRole('treeitem', { name: '2. Derivatives' }).click();
  await save(page).click();
  await submitted(page).waitFor();
  await page.getByRole('button', { name: 'Undo' }).filter({ visible: true }).click();
  await page.getByText('Nothing is allocated yet').filter({ visible: true }).waitFor();
  // Another topic: the message is gone.
  await tree(page, 'Questions').getByRole('treeitem', { name: '2. Derivatives' }).click();
  await save(page).click();
  await submitted(page).waitFor();
  await item(page, 'Quadratic forms').click();
  await submitted(page).waitFor({ state: 'detached' });
});

test('two who allocate at once lose nothing', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { leader, subjectId, topicIds, schemeTopicId } = await withTree();
  await page.goto('/admin/mappings');
  await page.getByRole('button', { name: /^1 Allocate pre-requisite/ }).click();
  await page.getByLabel('Search topics').filter({ visible: true }).fill('completing the square');
  await tree(page, 'Topics').getByRole('treeitem', { name: 'Algebra' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  const allocated = page.getByRole('list', { name: 'Allocated topics' }).filter({ visible: true });
  await allocated.getByText('Quadratic formula and completing the square').waitFor();
  await act(leader, 'MapSchemeTopics', { subjectId, changes: [{ schemeTopicId, topicIds: [topicIds.get('Algebraic proof')] }] });
  await save(page).click();
  await page.getByText(/Somebody else has changed this allocation meanwhile/).waitFor();
  await page.getByRole('button', { name: 'Reload, keep my changes' }).click();
  await allocated.getByText('Algebraic proof').waitFor();
  await save(page).click();
  await submitted(page).waitFor();
  await counts(allocated.getByRole('listitem'), 2);
});

test('the second step is preselected by an assessment', async () => {
  const { examination } = await withTree();
  const page = await marktrail.person('admin@demo.example', { at: '/admin/assessments' });
  await page.getByRole('button', { name: new RegExp(`^${examination?.name}`) }).click();
  await page.getByRole('link', { name: 'Topic mappings', exact: true }).click();
  await expect.poll(() => page.url()).toContain(`/admin/mappings?test=${examination?.testId}`);
  await currentStep(page, 'Allocate topics to an assessment');
  await item(page, 'Quadratic forms').waitFor();
  await tree(page, 'Topics').getByRole('treeitem', { name: 'Number' }).click();
  await save(page).click();
  await submitted(page).waitFor();
});

test('a topic or a question is asked about before it goes only where something is mapped to it', async () => {
  const { leader, subjectId, topicIds, schemeTopicId, examination } = await withTree();
  const one = [topicIds.get('Number')];
  await act(leader, 'MapSchemeTopics', { subjectId, changes: [{ schemeTopicId, topicIds: one }] });
  await act(leader, 'MapQuestions', { subjectId, changes: [{ questionId: examination?.questions[0]?.questionId, topicIds: one }] });
  const page = await marktrail.signedIn('admin@demo.example');
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

test('data is looked at page by page and downloaded; an assessment without marks says so', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/export' });
  await page.getByRole('button', { name: 'View data' }).click();
  const dialog = dialogOf(page, 'Year 11');
  await dialog.getByText('1–15 of 729').waitFor();
  await counts(dialog.locator('tbody tr'), 15);
  await accessible(page);
  const { name, file } = await downloadBy(dialog.getByRole('button', { name: 'Download CSV' }));
  expect(name).toBe('data_download.csv');
  const lines = file.toString().split('\r\n');
  expect(lines[0]).toBe('\ufeffStudentID,Name,Set,DoB');
  expect(lines.slice(1).filter(Boolean)).toHaveLength(729);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('radio', { name: 'Results of an assessment' }).check();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByText('No data for this assessment...').waitFor();
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
    const exported = await downloadBy(page.getByRole('button', { name: 'Export CSV' }));
    expect(exported.name).toBe(`${file}.csv`);
    const text = exported.file.toString();
    expect(text.split('\r\n')[0]).toBe(`\ufeff${header}`);
    expect(text).toMatch(line);
  }

  // Who has joined: those of the subject in use, or all.
  await act(page.request, 'AddSubject', { name: 'History' });
  await page
    .getByRole('button', { name: /^Reset / })
    .first()
    .waitFor();
  await page.reload();
  await page.getByLabel('Subject', { exact: true }).selectOption('History');
  await page.getByText('Nobody in History has joined yet').waitFor();
  await page.getByLabel('Students of').selectOption('All subjects');
  await page
    .getByRole('button', { name: /^Reset / })
    .first()
    .waitFor();
});
