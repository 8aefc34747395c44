import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { dialogOf, noticeOf, marktrailInBrowser, undo, whenAsked } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const csv = (text: string) => ({ name: 'topics.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** No serious findings of axe on what is shown. */
const sound = async (page: Page): Promise<void> => {
  expect(await brokenRules(page, { serious: true })).toEqual([]);
};

test('a subject, its scheme of work, its classes and its teachers are made, each with good and with bad input', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/subjects' });

  // Subjects
  await press(page, 'Add subject');
  const subject = dialogOf(page, 'Add subject');
  await subject.getByRole('button', { name: 'Add subject' }).click();
  await subject.getByText('Required.').waitFor();
  await subject.getByLabel('Subject name').fill('mathematics');
  await subject.getByRole('button', { name: 'Add subject' }).click();
  await subject.getByText('Subject name needs to be unique').waitFor();
  await subject.getByLabel('Subject name').fill('Art');
  await subject.getByRole('button', { name: 'Add subject' }).click();
  await page.getByText('Art added.').waitFor();
  await page.getByRole('heading', { name: 'Art' }).waitFor();
  await sound(page);
  await press(page, 'Remove Mathematics');
  const removal = page.getByRole('dialog', { name: 'Remove Mathematics?' });
  // What would go is said before.
  await removal
    .getByText(/^Its .*26 sets, 7\d\d students, .* assessments?.* and [\d,]+ marks will be hidden with it\. Undo brings everything back\.$/)
    .waitFor();
  await removal.getByRole('button', { name: 'Cancel' }).click();

  // Home says what is where, and leads on.
  await page.goto('/admin');
  for (const [help, about] of [
    ['School Structure', 'Who teaches which sets.'],
    ['Student Details', 'A whole year from a CSV file'],
    ['Manage Users', 'Invite admins, leaders and teachers'],
    ['Export QLA Data', 'Everything that was entered, as CSV.'],
  ] as const) {
    await press(page, help);
    await page.getByText(about).waitFor();
  }
  await page.getByRole('link', { name: 'Add a scheme of work with its topics' }).click();

  // Schemes of work
  await press(page, 'Add scheme of work');
  const scheme = dialogOf(page, 'Add scheme of work');
  await scheme.getByLabel('Name of the scheme of work').fill('Foundation');
  await scheme.locator('input[type=file]').setInputFiles(csv('Topic\nColour\n'));
  await scheme.getByText('The upload file does not meet the required format.').waitFor();
  await scheme.locator('input[type=file]').setInputFiles(csv('SoW_Topic\nColour\nLine\n'));
  await scheme.getByText('2 topics read from topics.csv.').waitFor();
  await scheme.getByLabel('New topic').fill('Shape');
  await scheme.getByLabel('New topic').press('Enter');
  await scheme.getByRole('button', { name: 'Move Topic 3 up' }).click();
  await sound(page);
  // What is typed and not added yet is saved with it.
  await scheme.getByLabel('New topic').fill('Tone');
  await scheme.getByRole('button', { name: 'Add scheme of work' }).click();
  await page.getByText('Foundation saved with 4 topic(s).').waitFor();
  await press(page, 'Edit Foundation');
  await expect.poll(() => dialogOf(page, 'Edit scheme of work').getByLabel('Topic 2', { exact: true }).inputValue()).toBe('Shape');
  await press(page, 'Cancel');
  await press(page, 'Delete Foundation');
  await page.getByText('Its 4 topics will be hidden with it. Undo brings everything back.').waitFor();
  await dialogOf(page, 'Delete Foundation?').getByRole('button', { name: 'Delete' }).click();
  await undo(page, 'Foundation deleted.', page.getByRole('heading', { name: 'Foundation' }));
  await page.getByRole('heading', { name: 'Foundation' }).waitFor();

  // Classes
  await page.getByRole('link', { name: 'Classes', exact: true }).click();
  const year = page.getByLabel('New year group, such as 11');
  await year.fill('0');
  await page.getByText('The value must be greater than zero').waitFor();
  await year.fill('1.5');
  await page.getByText('The value must be an integer number').waitFor();
  await year.fill('10');
  await press(page, 'Add year group');
  await page.getByLabel('Add new group').fill('10A');
  await press(page, 'Add group');
  const set = page.getByRole('listitem', { name: 'Set 10A' });
  await set.getByLabel('Amber %').fill('90');
  await set.getByText('The thresholds must rise from red to amber to green.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await set.getByLabel('Amber %').fill('50');
  await press(page, /^Save$/);
  await page.getByText('Submitted successfully!').waitFor();
  await page.getByLabel('Add new group').fill('10a');
  await page.getByText('Set name needs to be unique').waitFor();
  await sound(page);
  await press(page, 'Delete set 10A');
  await dialogOf(page, 'Delete 10A?').getByRole('button', { name: 'Delete' }).click();
  await undo(page, '10A deleted.', set);
  await expect.poll(() => set.getByLabel('Amber %').inputValue()).toBe('50');

  // Teachers; the group that is half typed is asked about first.
  for (const answer of ['Stay here', 'Leave all the same'] as const) {
    expect(await page.getByLabel('Add new group').inputValue()).toBe('10a');
    await page.getByRole('link', { name: 'Assign teachers to classes' }).click();
    await whenAsked(page, answer);
  }
  await page.getByLabel('Add new teacher').fill('Frida Kahlo');
  await press(page, 'Add teacher');
  await page.getByLabel('Classes of Frida Kahlo').click();
  await page.getByRole('option', { name: '10A' }).click();
  await page.keyboard.press('Escape');
  await press(page, 'Submit');
  await page.getByText('Submitted successfully!').waitFor();
  await page.getByLabel('Add new teacher').fill('frida kahlo');
  await page.getByText('Teacher name needs to be unique').waitFor();
  await sound(page);
  await press(page, 'Remove Frida Kahlo');
  await dialogOf(page, 'Remove Frida Kahlo?').getByRole('button', { name: 'Remove' }).click();
  const removed = await noticeOf(page, 'Frida Kahlo removed.');
  await page.getByText('Art has no teachers yet').waitFor();
  await removed.getByRole('button', { name: 'Undo' }).click();
  const kahlo = page.getByRole('listitem', { name: 'Frida Kahlo' });
  await kahlo.getByRole('button', { name: '10A' }).waitFor();
  await kahlo.getByLabel('Teacher name').fill(' ');
  await kahlo.getByText('Required.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Submit' }).isDisabled()).toBe(true);

  // A page at a time: what is typed on one of them is stored from another.
  const [art] = (await (await page.request.get('/api/rest/subjects?filter={"name":"Art"}')).json()) as { id: string }[];
  for (let number = 1; number <= 25; number++) {
    const data = { subjectId: art?.id, name: `Teacher ${number}` };
    // One after the other: they stand in one stream.
    // oxlint-disable-next-line no-await-in-loop
    expect((await page.request.post('/api/rest/teachers', { data })).status()).toBe(201);
  }
  await kahlo.getByLabel('Teacher name').fill('Frida Rivera');
  await page.getByText('1–25 of 26').waitFor();
  await press(page, 'Next page');
  await page.getByRole('listitem', { name: 'Teacher 25' }).waitFor();
  await page.getByText('1 change not on this page').waitFor();
  await press(page, 'Submit');
  await page.getByText('Submitted successfully!').waitFor();
  await page.getByLabel('Search teachers').fill('rivera');
  await page.getByRole('listitem', { name: 'Frida Rivera' }).getByRole('button', { name: '10A' }).waitFor();
  await page.getByText('1–1 of 1').waitFor();
});

test('what is renamed, deleted or removed is checked or asked about first', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const done = async <Result = { readonly [key: string]: string }>(command: string, data: object): Promise<Result> => {
    const answer = await page.request.post(`/api/commands/${command}`, { data });
    expect(answer.status(), await answer.text()).toBe(200);
    return ((await answer.json()) as { result: Result }).result;
  };
  const { subjectId } = await done('AddSubject', { name: 'Drama' });
  const { schemeId } = await done('AddScheme', { subjectId, name: 'Stagecraft' });
  await done('CreateAssessment', { subjectId, name: 'First night' });
  await done('AddYearGroup', { subjectId, year: 11 });
  const { yearGroupId } = await done('AddYearGroup', { subjectId, year: 10 });
  const sets = { subjectId, yearGroupId, schemeId, names: ['10D1', '10D2', '10D3'] };
  const { setIds } = await done<{ readonly setIds: readonly string[] }>('AddSets', sets);
  await done('AddStudent', { subjectId, setId: setIds[0], admissionNo: 'D-1', name: 'Stage, Ann', dateOfBirth: '2010-01-02' });
  const dialog = page.getByRole('dialog');

  await page.goto('/admin/classes');
  await page.getByLabel('Subject', { exact: true }).selectOption('Drama');
  await press(page, /^Year 10/);
  await press(page, 'Rename');
  const year = page.getByLabel('Year group', { exact: true });
  await year.fill('11');
  await page.getByText('This year group exists already').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).first().isDisabled()).toBe(true);
  await press(page, 'Cancel');
  await press(page, 'Rename');
  await year.fill('9');
  await press(page, /^Save$/);
  await page.getByRole('button', { name: /^Year 9/ }).waitFor();

  // One is open at a time.
  const first = page.getByRole('listitem', { name: 'Set 10D1' });
  await first.waitFor();
  await press(page, /^Year 11/);
  await first.waitFor({ state: 'detached' });
  await press(page, /^Year 9/);

  // What one set sits, all of them sit.
  await first.getByRole('combobox', { name: 'Mapped assessments' }).click();
  await page.getByRole('option', { name: 'First night' }).click();
  await page.keyboard.press('Escape');
  await first.getByRole('button', { name: 'Use the assessments of 10D1 for all sets of the year group' }).click();
  for (const name of ['10D2', '10D3'])
    await page
      .getByRole('listitem', { name: `Set ${name}` })
      .getByText('First night')
      .waitFor();
  await press(page, /^Save$/);
  await page.getByText('Submitted successfully!').waitFor();

  await press(page, 'Delete set 10D2');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await press(page, 'Delete set 10D2');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('10D2 deleted.').waitFor();
  await press(page, 'Delete set 10D1');
  await dialog.getByText(/^1 student is in it/).waitFor();
  await dialog.getByRole('button', { name: 'Move to Off-Roll and delete' }).click();
  await page.getByText('10D1 deleted.').waitFor();
  // The dialog offers what fits the number of students that the page knows.
  await page.getByRole('button', { name: /^Year 9.* 0 students/ }).waitFor();
  await press(page, 'Delete year group');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Year 9 deleted.').waitFor();
  // Undo is reached by keyboard, and waits for it; then the keyboard is where it was.
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => {
      await page.keyboard.press('F8');
      return page.evaluate(() => document.activeElement?.textContent);
    })
    .toBe('Undo');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Year 9/ }).waitFor();
  // Whoever notices later finds what was deleted on its page.
  await page.getByText('Deleted (2)').click();
  await press(page, 'Restore 10D2');
  await page.getByText('10D2 is back.').waitFor();
  await press(page, /^Year 9/);
  await press(page, 'Delete set 10D2');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('listitem', { name: 'Set 10D2' }).waitFor({ state: 'detached' });
  await press(page, 'Delete year group');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: /^Year 9/ }).waitFor({ state: 'detached' });
  await page.goto('/admin/add_students');
  await press(page, 'Off-Roll');
  await page.getByText('1–1 of 1').waitFor();

  await page.getByRole('link', { name: 'School Structure' }).first().click();
  await press(page, 'Remove Drama');
  await dialog.getByText('Its 1 year group, 1 student off roll, 1 scheme of work and 1 assessment will be hidden with it.').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Drama' }).waitFor({ state: 'detached' });
  // The keyboard goes on from its neighbour.
  await page.locator('main li button:focus').waitFor();
  await undo(page, 'Drama removed.');
  await page.getByText('Drama is back.').waitFor();
  await page.getByRole('heading', { name: 'Drama' }).waitFor();
});

test('a form that is open outlives the list around it, and asks before it lets go of what was typed', async () => {
  const page = await marktrail.signedIn('admin@demo.example', { viewport: { width: 390, height: 844 } });
  const send = async (method: 'POST' | 'DELETE', path: string, data?: object): Promise<string> => {
    const answer = await page.request.fetch(`/api/rest/${path}`, { method, ...(data && { data }) });
    expect(answer.ok(), await answer.text()).toBe(true);
    return ((await answer.json()) as { id: string }).id;
  };
  /** Until it hears what others do. */
  const open = async (path: string): Promise<void> => {
    // The page before may begin to listen only now.
    await page.goto('about:blank');
    const listening = page.waitForResponse((answer) => answer.url().includes('/api/live?'));
    await page.goto(path);
    await listening;
  };
  const subjectId = await send('POST', 'subjects', { name: 'Music' });
  await open('/admin/sow');
  await page.getByLabel('Subject', { exact: true }).selectOption('Music');

  // Opened from the empty list, which another admin fills meanwhile.
  await page.getByRole('button', { name: 'Add scheme of work' }).last().click();
  const scheme = dialogOf(page, 'Add scheme of work');
  const schemeName = scheme.getByLabel('Name of the scheme of work');
  await schemeName.fill('Rhythm');
  const schemeId = await send('POST', 'schemes', { subjectId, name: 'Harmony' });
  await page.getByRole('heading', { name: 'Harmony', includeHidden: true }).waitFor({ state: 'attached' });
  expect(await schemeName.inputValue()).toBe('Rhythm');
  const discard = dialogOf(page, 'Discard what you typed?');
  await schemeName.press('Escape');
  await discard.getByRole('button', { name: 'Keep typing' }).click();
  await discard.waitFor({ state: 'detached' });
  await schemeName.press('Escape');
  await discard.getByRole('button', { name: 'Discard' }).click();
  await scheme.waitFor({ state: 'detached' });
  await press(page, 'Add scheme of work');
  await schemeName.press('Escape');
  await scheme.waitFor({ state: 'detached' });
  // A topic that is half typed counts, and so does a click beside the dialog.
  await press(page, 'Edit Harmony');
  const harmony = dialogOf(page, 'Edit scheme of work');
  await harmony.getByLabel('New topic').fill('Chords');
  await page.mouse.click(195, 4);
  await discard.getByRole('button', { name: 'Discard' }).click();
  await harmony.waitFor({ state: 'detached' });

  await open('/admin/assessments');
  await page.getByRole('button', { name: 'Add assessment' }).last().click();
  const assessment = dialogOf(page, 'Add assessment').getByLabel('Assessment name');
  await assessment.fill('Grade 1');
  const testId = await send('POST', 'assessments', { subjectId, name: 'Grade 8' });
  await page.getByText('Grade 8').waitFor({ state: 'attached' });
  expect(await assessment.inputValue()).toBe('Grade 1');
  await press(page, 'Cancel');
  await press(page, /^Grade 8/);
  // By keyboard: what comes live may move the button from under the pointer.
  await pressEnter(page.getByRole('button', { name: 'Rename' }));
  await page.getByLabel('Assessment name').fill('Grade 7');
  await send('DELETE', `assessments/${testId}`);
  await page.getByText('Somebody else has removed this meanwhile.').waitFor();
  expect(await page.getByLabel('Assessment name').inputValue()).toBe('Grade 7');

  // A year group that is being renamed, and a teacher, are deleted by somebody else: what was typed can be copied.
  const yearGroupId = await send('POST', 'yearGroups', { subjectId, year: 7 });
  await press(page, 'Cancel');
  await open('/admin/classes');
  await press(page, /^Year 7/);
  await pressEnter(page.getByRole('button', { name: 'Rename' }).first());
  await page.getByLabel('Year group', { exact: true }).fill('8');
  await send('DELETE', `yearGroups/${yearGroupId}`);
  await page.getByText('Somebody else has removed this meanwhile.').waitFor();
  expect(await page.getByLabel('Year group', { exact: true }).inputValue()).toBe('8');
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await press(page, 'Cancel');

  const teacherId = await send('POST', 'teachers', { subjectId, name: 'Clara Wieck' });
  await open('/admin/teachers');
  const name = page.getByLabel('Teacher name');
  await name.fill('Clara Schumann');
  await send('DELETE', `teachers/${teacherId}`);
  await page.getByText('Somebody else has removed this meanwhile.').waitFor();
  expect(await name.inputValue()).toBe('Clara Schumann');
  await press(page, 'Reload');
  await page.getByText('Music has no teachers yet').waitFor();

  // On a phone one notice at a time, the newest.
  await page.getByText('Deleted (1)').click();
  await press(page, 'Restore Clara Wieck');
  await page.getByText('Clara Wieck is back.').waitFor();
  await page.getByLabel('Add new teacher').fill('Fanny Hensel');
  await press(page, 'Add teacher');
  await page.getByText('Fanny Hensel added.').waitFor();
  await page.getByText('Clara Wieck is back.').waitFor({ state: 'hidden' });
  await sound(page);
  await send('DELETE', `schemes/${schemeId}`);
});
