import { fileURLToPath } from 'node:url';
import type { APIRequestContext, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter, tabTo, typeOver } from '../keyboard.ts';
import { dialogOf, heldBack, noticeOf, marktrailInBrowser, whenAsked } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';
import { readExcel, rowsOf, rowWith } from '../../support/excel.ts';

/** The demo school as its users get it: two tiers, absences, and grades of an exam in Year 9. */
const marktrail = marktrailInBrowser({ past: true });
const AUTUMN = 'Autumn assessment (simulated)';
const HIGHER = 'Winter assessment, Higher (simulated)';
const FOUNDATION = 'Winter assessment, Foundation (simulated)';

const tick = async (dialog: Locator, ...cells: readonly string[]): Promise<void> => {
  for (const cell of cells) await dialog.getByLabel(cell, { exact: true }).check();
};
/** The step that is open. */
const step = (dialog: Locator, title: string): Locator => dialog.getByRole('region', { name: title, exact: true });
const goOn = (dialog: Locator): Promise<void> => dialog.getByRole('button', { name: 'Continue' }).click();
/** The ids of a feedback task of Year 11, and of a class. */
const idsOf = async (page: Page, task: string, set: string): Promise<{ taskId: string; setId: string }> => {
  const ask = async (query: string, input: Record<string, string>): Promise<unknown> =>
    (await page.request.get(`/api/queries/${query}?${new URLSearchParams(input)}`)).json();
  const me = (await ask('me', {})) as { subjects: { subjectId: string }[] };
  const structure = (await ask('structure', { subjectId: me.subjects[0]?.subjectId ?? '' })) as {
    yearGroups: { yearGroupId: string; year: number; sets: { setId: string; name: string }[] }[];
  };
  const year = structure.yearGroups.find((one) => one.year === 11);
  const { tasks } = (await ask('tasks', { yearGroupId: year?.yearGroupId ?? '' })) as { tasks: { taskId: string; name: string }[] };
  return {
    taskId: tasks.find(({ name }) => name === task)?.taskId ?? '',
    setId: year?.sets.find(({ name }) => name === set)?.setId ?? '',
  };
};
/** What a teacher's card says of the task. */
const cardOf = (page: Page): Locator => page.getByRole('listitem').filter({ hasText: 'Mock ranking' });
const act = async (caller: APIRequestContext, command: string, data: object): Promise<void> => {
  const answer = await caller.post(`/api/commands/${command}`, { data });
  expect(answer.status(), await answer.text()).toBe(200);
};
/** By the keyboard; the step that opens takes it on. */
const goOnByKey = async (dialog: Locator, to: string): Promise<void> => {
  await tabTo(dialog.page(), 'Continue');
  await dialog.page().keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: to }));
};

/** The demo's own are taken back before, so that only these are there. */
const uploadPrior = async (leader: Page): Promise<void> => {
  const file = fileURLToPath(new URL('../../../run/demo/history/this_year_prior.csv', import.meta.url));
  await leader.getByRole('radio', { name: 'Year 9 examination (simulated)' }).check();
  await leader.getByRole('button', { name: /^Undo this_year_prior.csv/ }).click();
  await leader.getByRole('button', { name: /^Take back \d+ scores$/ }).click();
  await leader.getByRole('row', { name: /^Year 9 examination .* 0 of 728 / }).waitFor();
  await leader.getByLabel('Year completed').selectOption(String(new Date().getFullYear() - 2));
  await leader.getByRole('tab', { name: 'Upload CSV' }).click();
  await leader.locator('input[type=file]').setInputFiles(file);
  await leader.getByRole('button', { name: 'Upload', exact: true }).click();
  await leader.getByRole('button', { name: 'Commit to DB' }).click();
  await leader.getByText(/^Upload Successful! 7\d\d scores stored\.$/).waitFor();
  await leader.getByRole('link', { name: 'Back to dashboard' }).click();
};

test('a feedback task from its prior data to its end, by a leader and two teachers', async () => {
  const leader = await marktrail.person('leader@demo.example', { at: '/leader/prior?year=11' });
  await uploadPrior(leader);
  await leader.getByRole('link', { name: 'Upload prior data' }).click();
  await leader.getByRole('heading', { name: 'Terminal Exams' }).waitFor();
  await leader.goBack();
  await pressEnter(leader.getByRole('button', { name: 'Add new task' }));
  const dialog = dialogOf(leader, 'New feedback task – Year 11');
  const assign = step(dialog, 'Assign assessments to classes');

  // A name and a class are asked for; nothing is stored before.
  await assign.getByLabel('Written examination: all classes').uncheck();
  await dialog.getByRole('button', { name: 'Add task' }).click();
  await assign.getByText('This field is required').waitFor();
  await dialog.getByText(/Choose at least one class with an assessment\.$/).waitFor();
  await assign.getByLabel('Task name').press('M');
  await leader.keyboard.type('ock ranking');
  await leader.keyboard.press('Escape');
  await tick(dialog, `11X1: ${AUTUMN}`, `11X1: ${HIGHER}`, `11Y1: ${AUTUMN}`, `11Y1: ${FOUNDATION}`);
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await pressEnter(dialog.getByRole('button', { name: 'Add task' }));

  // All totals are there: on to the ranking.
  const open = dialogOf(leader, 'Mock ranking – Year 11');
  await step(open, 'Upload assessment totals').getByText('24 of 26 sets are not in this task').waitFor();
  // Nobody has proved an address in the demo: it stays on the page that they get no mail.
  await open.getByText(/^No mail to .+ \(e-mail address not confirmed\)\.$/).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await goOnByKey(open, 'Initial ranking by department lead');
  const rank = step(open, 'Initial ranking by department lead');
  await rank.getByRole('region', { name: 'The ranking before it is stored' }).waitFor();
  // Without any test the button is there, cannot be pressed, and says why.
  const tests = rank.getByRole('group', { name: 'Tests' }).getByRole('checkbox', { checked: true });
  const chosen = await tests.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).closest('label')?.textContent ?? ''));
  for (const label of chosen) await rank.getByLabel(label).uncheck();
  const rankNow = open.getByRole('button', { name: 'Rank the students' });
  await expect.poll(() => rankNow.isDisabled()).toBe(true);
  const why = await rankNow.getAttribute('aria-describedby');
  expect(await open.locator(`[id="${why}"]`).innerText()).toContain('Select at least one test.');
  for (const label of chosen) await rank.getByLabel(label).check();
  await expect.poll(() => rankNow.isDisabled()).toBe(false);
  await tabTo(leader, 'Rank the students');
  await leader.keyboard.press('Enter');
  // The demo has a total about which two teachers disagree.
  await leader.getByRole('dialog', { name: 'Rank by these totals as they are?' }).waitFor();
  await tabTo(leader, 'Rank the students all the same');
  await leader.keyboard.press('Enter');
  await rank.getByRole('region', { name: 'Ranking', exact: true }).waitFor();

  // What was done is said in the dialog. The keyboard gets there and back, and Escape leaves the notice, not the task.
  const notices = open.getByRole('region', { name: 'Notices (F8)' });
  await noticeOf(leader, 'The students are ranked.');
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  const score = rank.getByRole('button', { name: /how .* score came about/ }).first();
  await score.focus();
  await leader.keyboard.press('F8');
  await hasFocus(notices.getByRole('button', { name: 'Undo' }));
  await leader.keyboard.press('Escape');
  await hasFocus(score);
  await leader.keyboard.press('Enter');
  await leader.getByText('Weight × (z + 3)').waitFor();
  await leader.keyboard.press('Escape');
  await hasFocus(score);
  await goOnByKey(open, 'Teaching staff to check initial ranking');
  const checks = step(open, 'Teaching staff to check initial ranking');
  await checks.getByText('Awaiting 2 classes: 11X1 and 11Y1').waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);

  // One teacher checks with a flag; the leader sees it by itself.
  const tom = await marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1' });
  // What waits for the teacher comes before everything else, a row for each task and class; what does not is no more overdue to them.
  const waiting = tom.getByRole('region', { name: 'Waiting for you' });
  await waiting.getByRole('listitem').filter({ hasText: '11X1 – Mock ranking' }).getByText('Ranking complete: check your class').waitFor();
  expect(await tom.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Waiting for you',
    'Assessments',
    'Class RAG',
    'Feedback tasks',
    'Recent uploads with 11X1',
  ]);
  const others = tom.getByRole('region', { name: 'Feedback tasks' });
  await others.getByRole('listitem').filter({ hasText: 'Winter ranking' }).getByText('Grades checked: awaiting final check').waitFor();
  expect(await others.getByText('(Overdue!)').count()).toBe(0);
  // Totals can be corrected, though nobody is without one.
  await tom.getByRole('button', { name: 'Upload totals of 11X1: Mock ranking' }).waitFor();
  await tom.getByRole('button', { name: 'Check the ranking of 11X1: Mock ranking' }).click();
  const check = dialogOf(tom, 'Check the ranking – 11X1');
  const comment = check.getByLabel(/^Comment on/).first();
  await comment.waitFor();
  expect(await comment.isDisabled()).toBe(true);
  // By the keyboard alone: Enter and the arrows lead from student to student, and from the last one to the button that saves.
  const own = check.getByLabel(/^Your order of/);
  await tabTo(tom, (await own.first().getAttribute('aria-label')) ?? '');
  await tom.keyboard.press('Enter');
  await hasFocus(own.nth(1));
  await tom.keyboard.press('ArrowUp');
  await tom.keyboard.type('2');
  for (const key of ['Tab', 'Space', 'Tab']) await tom.keyboard.press(key);
  await hasFocus(comment);
  await tom.keyboard.type('Was ill in the winter paper');
  // On a phone nothing has to be scrolled sideways for.
  await tom.setViewportSize({ width: 390, height: 844 });
  const right = (field: Locator) => field.evaluate((one) => one.getBoundingClientRect().right);
  expect(Math.max(await right(comment), await right(own.first()), await right(check.getByLabel(/^Flag/).first()))).toBeLessThanOrEqual(390);
  expect(await brokenRules(tom, { serious: true })).toEqual([]);
  await tom.setViewportSize({ width: 1440, height: 900 });
  expect(await brokenRules(tom, { serious: true })).toEqual([]);

  // Somebody else says otherwise of the same student while the teacher types: both are shown, and neither is lost unseen.
  const other = await marktrail.caller('leader@demo.example');
  const { taskId, setId } = await idsOf(leader, 'Mock ranking', '11X1');
  const ranking = await other.get(`/api/queries/task-ranking?${new URLSearchParams({ taskId, setId })}`);
  const [first] = ((await ranking.json()) as { students: { studentId: string; name: string }[] }).students;
  await act(other, 'CheckRanking', { taskId, setId, rows: [{ studentId: first?.studentId, flag: false, teacherRank: 5 }] });
  await check.getByText('Grace Bell has checked this class while you typed, and says something else. Yours is not stored.').waitFor();
  await check.getByText(`${first?.name}: you say order 2, flagged: “Was ill in the winter paper”, they say order 5`).waitFor();

  // A task that is deleted while the teacher types takes nothing with it.
  await act(other, 'DeleteFeedbackTask', { taskId });
  await check.getByText('This feedback task was deleted by Grace Bell.').waitFor();
  await check.getByText(`${first?.name}: order 2, flagged: “Was ill in the winter paper”`).waitFor();
  await act(other, 'RestoreFeedbackTask', { taskId });
  await pressEnter(check.getByRole('button', { name: 'Keep mine' }));
  await comment.press('Enter');
  await hasFocus(check.getByRole('button', { name: 'Save the check of the ranking' }));
  await tom.keyboard.press('Enter');
  await cardOf(tom).getByText('Ranking checked: awaiting grades').waitFor();
  await expect.poll(() => waiting.count()).toBe(0);
  await checks.getByText('Awaiting 1 class: 11Y1').waitFor();
  await checks.getByText('Was ill in the winter paper').waitFor();

  // Who stands in for a teacher loses as little, if the task is deleted meanwhile.
  await checks.getByRole('button', { name: 'Check 11Y1 in the teacher’s place' }).click();
  const standIn = dialogOf(leader, 'Check the ranking – 11Y1');
  const order = standIn.getByLabel(/^Your order of/).first();
  await order.fill('3');
  const stoodFor = ((await order.getAttribute('aria-label')) ?? '').replace('Your order of ', '');
  await act(other, 'DeleteFeedbackTask', { taskId });
  await open.getByText(`Check of 11Y1 – ${stoodFor}: order 3`).waitFor();
  await open.getByRole('button', { name: 'Restore it' }).click();
  expect(await order.inputValue()).toBe('3');
  await standIn.getByRole('button', { name: 'Discard changes' }).click();
  await standIn.getByRole('button', { name: 'Close' }).click();
  await standIn.waitFor({ state: 'hidden' });

  // The other is not waited for.
  await checks.getByRole('button', { name: 'Go on without 11Y1' }).click();
  expect(await open.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  const reason = checks.getByLabel('Why you go on without it');
  await reason.fill('On a school trip');
  // A reason is stored with the grades: until then leaving the page asks.
  await leader.evaluate(() => history.forward());
  await whenAsked(leader, 'Stay here');
  expect(await reason.inputValue()).toBe('On a school trip');
  await goOn(open);

  // Grades by a profile.
  const grades = step(open, 'Allocate grade profile');
  await pressEnter(grades.getByRole('button', { name: 'New profile' }));
  const profile = dialogOf(leader, 'New grade profile');
  await tabTo(leader, 'Profile name');
  await leader.keyboard.type('Higher and Foundation');
  for (const [index, [label, percent]] of [
    ['7', '15'],
    ['5', '35'],
    ['3', '40'],
  ].entries()) {
    await tabTo(leader, `Grade ${index + 1}`);
    await leader.keyboard.type(label ?? '');
    await tabTo(leader, `Per cent ${index + 1}`);
    await leader.keyboard.type(percent ?? '');
  }
  await profile.getByText('Adds up to 90 %: 10 % are missing').waitFor();
  expect(await profile.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await typeOver(leader, '50');
  await leader.keyboard.press('Enter');
  await grades.getByRole('row', { name: /^7 15 / }).waitFor();
  await notices.getByText('Higher and Foundation was saved.').waitFor();
  const allocate = open.getByRole('button', { name: 'Allocate grades' });
  await allocate.click();
  await (await noticeOf(leader, 'The grades are allocated.')).getByRole('button', { name: 'Undo' }).click();
  await notices.getByText('The grades were taken back.').waitFor();
  await allocate.click();
  await grades.getByText(/^Higher and Foundation was allocated by Grace Bell/).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await goOn(open);

  // Both teachers check the grades.
  for (const [email, set] of [
    ['teacher1@demo.example', '11X1'],
    ['teacher2@demo.example', '11Y1'],
  ] as const) {
    const page = set === '11X1' ? tom : await marktrail.person(email, { at: `/teacher?year=11&set=${set}` });
    await page.getByRole('button', { name: `Check the grades of ${set}: Mock ranking` }).click();
    const final = dialogOf(page, `Check the grades – ${set}`);
    await final.getByRole('button', { name: 'Save the check of the grades' }).click();
    await cardOf(page).getByText('Grades checked: awaiting final check').waitFor();
  }
  await step(open, 'Teaching staff to check grades').getByText('The grades of every class are checked, or gone on without.').waitFor();
  await goOn(open);

  // The final check: whoever sat nothing is left out, one grade is overridden.
  const last = step(open, 'Final check');
  await last.getByRole('region', { name: 'Final check' }).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);

  // In the middle of it the grades are taken back, and then the whole task: nothing that was typed is lost.
  const grade = last.getByLabel(/^Grade of/).first();
  await tabTo(leader, (await grade.getAttribute('aria-label')) ?? '');
  await leader.keyboard.type('9');
  await leader.keyboard.press('Enter');
  await hasFocus(last.getByLabel(/^Grade of/).nth(1));
  const decided = ((await grade.getAttribute('aria-label')) ?? '').replace('Grade of ', '');
  await act(other, 'ReopenGrades', { taskId });
  await grades.getByText('This task was taken back to “Allocate grade profile”.').waitFor();
  await grades.getByText(`${decided}: grade 9`).waitFor();
  await act(other, 'DeleteFeedbackTask', { taskId });
  await open.getByText('This feedback task was deleted by Grace Bell.').waitFor();
  await open.getByText(`${decided}: grade 9`).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await open.getByRole('button', { name: 'Restore it' }).click();
  await allocate.click();
  await goOn(open);
  const finalChecks = step(open, 'Teaching staff to check grades');
  for (const set of ['11X1', '11Y1']) {
    await finalChecks.getByRole('button', { name: `Go on without ${set}` }).click();
    await finalChecks.getByRole('row', { name: set }).getByLabel('Why you go on without it').fill('Checked before');
  }
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await goOn(open);
  expect(await grade.inputValue()).toBe('9');

  const end = open.getByRole('button', { name: 'End the task' });
  for (const box of await last.getByRole('row').filter({ hasText: 'Required.' }).getByRole('checkbox').all()) await box.check();
  // What is typed while a decision is on its way is not lost with it, and is typed over one's own.
  const save = open.getByRole('button', { name: /^Save/ });
  const answer = await heldBack(leader, '**/api/commands/DecideResults');
  await pressEnter(save);
  await answer.answered;
  await grade.fill('8');
  await answer.letGo();
  await last.getByText('overridden by Grace Bell').first().waitFor();
  await pressEnter(open.getByRole('button', { name: 'Save (1 student)' }));
  await open.getByRole('button', { name: 'Save', exact: true }).waitFor();
  expect(await grade.inputValue()).toBe('8');
  await expect.poll(() => end.isEnabled()).toBe(true);
  await pressEnter(end);
  await leader.getByText('Are you sure you are done? This will end the feedback task.').waitFor();
  await leader.getByLabel('Why you go on without a decision').fill('The two teachers cannot agree');
  await pressEnter(leader.getByRole('dialog').last().getByRole('button', { name: 'End the task' }));
  await leader.getByText('Grades allocated and checked (2 of 2 classes)').waitFor();
  await cardOf(tom).getByText('Grades allocated and checked').waitFor();

  // The markbook of a class that is chosen as an Excel file, with the names, figures and bands that the screen shows.
  await leader.goto('/leader/markbook?year=11');
  const grid = leader.getByRole('grid', { name: /^Markbook of year 11/ });
  await grid.getByRole('row').nth(15).waitFor();
  const all = Number(await grid.getAttribute('aria-rowcount'));
  // Its head says from which task the ranking is, and offers the others; a score says how it came about.
  await leader.getByText(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d, over \d+ students of 11X1 and 11Y1$/).waitFor();
  await leader.goto('/leader/markbook?year=11&set=11X1');
  await grid.getByRole('row').nth(15).waitFor();
  const rows = Number(await grid.getAttribute('aria-rowcount'));
  expect(rows).toBeLessThan(all);
  const scored = grid.getByTitle('How it came about').first();
  await scored.focus();
  await leader.keyboard.press('Enter');
  const explained = leader.getByRole('dialog', { name: /^Score of / });
  await explained.getByText('Weight × (z + 3)').waitFor();
  await leader.keyboard.press('Escape');
  await hasFocus(scored);
  const shownRanking = leader.getByLabel('Ranking of');
  expect(await shownRanking.locator('option').allTextContents()).toEqual(['Mock ranking', 'Winter ranking', 'Autumn ranking']);
  await shownRanking.selectOption('Autumn ranking');
  await leader.getByText(/, over 180 students of 11X1, 11X2, 11X3 and 3 more$/).waitFor();
  await shownRanking.selectOption('Mock ranking');
  await leader.getByText(/ of 11X1 and 11Y1$/).waitFor();
  const [download] = await Promise.all([
    leader.waitForEvent('download'),
    leader.getByRole('button', { name: 'Download to Excel' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Markbook Mathematics 11X1 \d{4}-\d\d-\d\d\.xlsx$/);
  const sheets = readExcel(await downloaded(download));
  expect([...sheets.keys()]).toEqual(['11X1', 'About']);
  expect(rowsOf(sheets.get('11X1'))).toHaveLength(rows);
  expect(rowWith(sheets.get('About'), 'Feedback task').map(({ value }) => value)).toEqual(['Feedback task', 'Mock ranking']);
  expect(rowWith(sheets.get('About'), 'Formula').map(({ value }) => value)).toEqual(['Formula', 'R3']);
  const bands = new Map([
    ['CFE8B4', 'green'],
    ['FFE2A8', 'amber'],
    ['F9C9C1', 'red'],
  ]);
  const shown = await grid.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => ({
      id: row.querySelector('th')?.title ?? '',
      bands: [...row.querySelectorAll<HTMLElement>('td[data-band]')].map(
        (cell) => `${Number.parseFloat(cell.innerText)} ${cell.dataset['band']}`,
      ),
    })),
  );
  expect(shown.flatMap((row) => row.bands).length).toBeGreaterThan(15);
  for (const { id, bands: ofScreen } of shown) {
    const ofFile = rowWith(sheets.get('11X1'), id).filter(({ fill }) => fill);
    expect([id, ...ofFile.map(({ value, fill }) => `${value} ${bands.get(fill ?? '')}`)]).toEqual([id, ...ofScreen]);
  }
});
