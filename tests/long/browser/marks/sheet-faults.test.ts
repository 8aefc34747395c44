import { expect, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import type { AssessmentContents } from '../../../../api/assessments/assessments.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask } from '../../../browser/calls.ts';
import { holds, isGone } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import type { ProfileOptions } from '../../../browser/profiles.ts';
import { cellOf, changesOf, openSheet, paste, placeOf, saved, sheetOf, typeMark, typeTotal } from '../../../browser/sheet.ts';

/** What goes wrong while somebody types marks: no keystroke is lost, nothing is stored twice, and each cell says what became of it. */
const marktrail = marktrailInBrowser();
const ONE_WAITS = '1 mark waits on this device until the server can be reached.';

const open = async (set: string, options?: ProfileOptions) => {
  const page = await marktrail.signedIn('teacher1@demo.example', options);
  await openSheet(page, set);
  const sheet = await sheetOf(page, set);
  const changes = async (row: number, question: number) => (await changesOf(page, sheet, row, question)).map(({ is }) => is);
  return { page, ...(await placeOf(page, set)), ...sheet, names: sheet.students.map(({ name }) => name ?? ''), changes };
};

/**
 * An admin, who changes things meanwhile, and goes on once everybody is told: a mark that arrives before is still stored, because typing
 * does not wait for the head of the log, and a class or an assessment that is back may not be found yet.
 */
const admin = async () => {
  const caller = await marktrail.caller('admin@demo.example');
  const { subjects } = await ask<Me>(caller, 'me');
  return {
    caller,
    change: async (name: string, data: object) => {
      const { position } = await act(caller, name, data);
      const headers = { 'X-Min-Position': String(position) };
      const told = await caller.get(`/api/queries/structure?subjectId=${subjects[0]?.subjectId}`, { headers });
      expect(told.status()).toBe(name === 'RemoveSubject' ? 404 : 200);
    },
    list: async <Record>(resource: string): Promise<readonly Record[]> =>
      (await (await caller.get(`/api/rest/${resource}`)).json()) as readonly Record[],
  };
};

test('a pasted text that is too large says so and changes nothing; typing goes on', async () => {
  const { page, names, changes } = await open('11X2');
  const before = await sheetOf(page, '11X2');
  await cellOf(page, names[0] ?? '', 1).click();
  await paste(page, '1\t1\t1\n'.repeat(200_000));
  await page.getByText('That is too large for a block of marks. Nothing was taken.').waitFor();
  expect(await sheetOf(page, '11X2')).toEqual(before);
  await page.keyboard.type('1');
  await saved(page);
  expect(await changes(0, 1)).toEqual([1]);
  expect((await sheetOf(page, '11X2')).students.map(({ marks }) => marks.count)).toEqual(names.map((_, row) => (row === 0 ? 1 : 0)));
});

test('a browser that is full says so at once, and what is typed is stored all the same, once', async () => {
  const { page, names, changes } = await open('11X2', { fresh: true });
  const [name = '', other = ''] = names.slice(3);
  const devTools = await page.context().newCDPSession(page);
  const quota = (quotaSize?: number) =>
    devTools.send('Storage.overrideQuotaForOrigin', {
      origin: marktrail.url(),
      ...(quotaSize === undefined ? {} : { quotaSize }),
    });
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await quota(1);
  await typeMark(page, name, 1, 1);
  await page.getByText('This browser keeps nothing for later.', { exact: true }).waitFor();
  await typeMark(page, other, 1, 2);
  await page.getByText('2 marks wait in this page alone: this browser keeps nothing for later.').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.unroute('**/api/commands/EnterMarks');
  await saved(page);
  expect([await changes(3, 1), await changes(4, 1)]).toEqual([[1], [2]]);

  // Once there is room again, it keeps again, and has forgotten what is stored.
  await quota();
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await typeMark(page, name, 2, 1);
  await page.getByText(ONE_WAITS).waitFor();
  await page.reload();
  await page.unroute('**/api/commands/EnterMarks');
  await expect.poll(() => changes(3, 2)).toEqual([1]);
  expect([await changes(3, 1), await changes(4, 1)]).toEqual([[1], [2]]);
});

test('a maximum lowered, a question removed, a student moved meanwhile: each cell says why, the rest is stored, nothing is lost', async () => {
  const { page, testId, setId, subjectId, students, questions, names, changes } = await open('11X3');
  const { caller, change, list } = await admin();
  const [lowered = '', removed = '', moved = '', fine = ''] = names;
  const at = questions.findIndex(({ max }, index) => index > 4 && max > 1);
  const last = questions.length;
  const most = questions[at]?.max ?? 0;
  const plain = (at === 0 ? 1 : 0) + 1;
  await page.context().setOffline(true);
  await typeMark(page, lowered, at + 1, most);
  await typeMark(page, removed, last, 1);
  await typeMark(page, moved, plain, 1);
  await typeMark(page, fine, plain, 1);
  await page.getByText('4 marks wait on this device until the server can be reached.').waitFor();

  const before = (await ask<AssessmentContents>(caller, `assessment?testId=${testId}`)).questions.toSorted((a, b) => a.number - b.number);
  const edit = (edited: readonly Question[]) =>
    change('EditQuestions', {
      testId,
      questions: edited.map(({ questionId, topic, marksAvailable }) => ({ questionId, topic, marksAvailable })),
    });
  await edit(changedPaper(before, at));
  const elsewhere = await setOf(list, '11X4');
  const move = (to: string) =>
    change('ChangeStudents', { subjectId, changes: [{ studentId: students[2]?.studentId, place: { setId: to } }] });
  await move(elsewhere);
  await page.context().setOffline(false);

  const homeless = page.getByRole('status').filter({ hasText: '2 marks that you typed have no cell here any more.' });
  for (const text of [
    `${removed}: 1`,
    'A student who has left this class: 1',
    'There is no such question in this subject.',
    'You may not enter marks for this class.',
  ])
    await homeless.filter({ hasText: text }).waitFor();
  await page.getByRole('button', { name: '1 mark to correct' }).click();
  await page
    .getByText(`${lowered}: ${most} for Q${questions[at]?.number} is above the maximum of ${most - 1}`)
    .first()
    .waitFor();
  await expect.poll(() => changes(3, plain)).toEqual([1]);
  expect(await brokenRules(page)).toEqual([]);

  // Typing goes on. What is kept is stored once it can be; what is discarded never.
  await typeMark(page, fine, plain + 1 === at + 1 ? plain + 2 : plain + 1, 0);
  await typeMark(page, lowered, at + 1, most - 1);
  await expect.poll(() => changes(0, at + 1)).toEqual([most - 1]);
  await edit(before);
  await page.getByText('1 mark that you typed has no cell here any more.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('no cell here any more').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '1 mark to correct' }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Submitted successfully!').waitFor();
  expect(await changes(1, last)).toEqual([1]);
  await move(setId);
  await page.getByRole('row', { name: new RegExp(`^${moved}`) }).waitFor();
  expect(await changes(2, plain)).toEqual([]);
  expect(await changes(3, plain)).toEqual([1]);
});

test('a total that is typed for a student who leaves the class says so, and waits for its author to discard it', async () => {
  const { page, subjectId, students } = await open('11X3');
  const { change, list } = await admin();
  const leaver = students[5];
  await page.goto('/teacher?year=11&set=11X3');
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await typeTotal(dialog, leaver?.name ?? '', '7');
  await change('ChangeStudents', { subjectId, changes: [{ studentId: leaver?.studentId, place: { setId: await setOf(list, '11X4') } }] });
  const gone = dialog.getByRole('status').filter({ hasText: '1 total that you typed has no cell here any more.' });
  await gone.filter({ hasText: 'A student who has left this class: 7' }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await gone.waitFor({ state: 'detached' });
});

type Question = { readonly questionId: string | null; readonly topic: string; readonly marksAvailable: number };

/** The maximum of one is lowered, the last one is removed, and another one makes up for both: totals stand above a lower sum. */
const changedPaper = (before: readonly Question[], lowered: number): readonly Question[] => [
  ...before.slice(0, -1).map((one, index) => (index === lowered ? { ...one, marksAvailable: one.marksAvailable - 1 } : one)),
  { questionId: null, topic: 'Another topic', marksAvailable: (before.at(-1)?.marksAvailable ?? 0) + 1 },
];

type List = Awaited<ReturnType<typeof admin>>['list'];
const setOf = async (list: List, name: string): Promise<string> =>
  (await list<{ id: string }>(`sets?filter=${encodeURIComponent(JSON.stringify({ name }))}`))[0]?.id ?? '';

test('a class taken away, an assessment deleted or hidden, a subject removed meanwhile: what was typed waits with its reason, and is stored once it may', async () => {
  const { page, testId, setId, subjectId, names, changes } = await open('11X2');
  const { change, list } = await admin();
  const name = names[6] ?? '';
  const teachers = await list<{ id: string; setIds: string[] }>('teachers');
  const teacher = teachers.find(({ setIds }) => setIds.includes(setId));
  const typedOffline = async (question: number, meanwhile: () => Promise<void>) => {
    await page.context().setOffline(true);
    await typeMark(page, name, question, 1);
    await page.getByText(ONE_WAITS).waitFor();
    await meanwhile();
    await page.context().setOffline(false);
  };
  /** The page knows it too: otherwise a mark whose answer is lost on the way waits beside the next one. */
  const stored = async (question: number) => {
    await expect.poll(() => changes(6, question)).toEqual([1]);
    await saved(page);
  };
  const storedWhenOpened = async (question: number) => {
    await openSheet(page, '11X2');
    await stored(question);
  };

  await typedOffline(1, () => change('ShowAssessment', { testId, visible: false }));
  await stored(1);
  await change('ShowAssessment', { testId, visible: true });

  const { setIds = [], id: teacherId } = teacher ?? {};
  await typedOffline(2, () => change('ChangeTeacher', { subjectId, teacherId, setIds: setIds.filter((one) => one !== setId) }));
  await page.getByText(/^1 mark.* waits on this device\. You may not enter marks for this class\.$/).waitFor();
  await page.getByText('The class that was chosen here is not there any more.').waitFor();
  await isGone(page.getByRole('grid'));
  await change('ChangeTeacher', { subjectId, teacherId, setIds });
  await storedWhenOpened(2);

  // One that is renamed while it is looked at stays.
  await page.goto('/teacher/markbook?year=11&set=11X2');
  await holds(page.getByLabel('Set'), '11X2');
  await change('ChangeSet', { subjectId, setId, name: '11 Lions' });
  await holds(page.getByLabel('Set'), '11 Lions');
  await expect.poll(() => new URL(page.url()).searchParams.get('set')).toBe('11 Lions');
  await change('ChangeSet', { subjectId, setId, name: '11X2' });

  // Whoever looks at one that is taken away is told, on another page too, which shows all classes from then on.
  await page.goto('/teacher?year=11&set=11X2');
  await page.getByRole('heading', { name: '11X2 – Mathematics' }).waitFor();
  await change('ChangeTeacher', { subjectId, teacherId, setIds: setIds.filter((one) => one !== setId) });
  await page.getByText('11X2 has been deleted, or is no longer one of your classes. All classes are shown.').waitFor();
  await change('ChangeTeacher', { subjectId, teacherId, setIds });
  await openSheet(page, '11X2');

  await typedOffline(3, () => change('DeleteAssessment', { testId }));
  await page.getByText(/^1 mark.* waits on this device\. There is no such question in this subject\.$/).waitFor();
  // So is whoever has just stored marks in it, before or after the server had heard of the deletion.
  await page.getByText('The assessment that was chosen here is not there any more.').waitFor();
  await change('RestoreAssessment', { testId });
  await storedWhenOpened(3);

  // Also where the list of assessments comes after the sheet.
  const later = Promise.withResolvers<void>();
  await page.route('**/api/queries/structure?*', async (route) => {
    await later.promise;
    await route.continue();
  });
  await typedOffline(4, () => change('DeleteAssessment', { testId }));
  await page
    .getByRole('status')
    .filter({ hasText: 'There is no such assessment.' })
    .getByText('It may have been deleted since this page was opened.')
    .waitFor();
  later.resolve();
  await page.getByText('The assessment that was chosen here is not there any more.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText(/waits on this device/).waitFor({ state: 'detached' });
  await change('RestoreAssessment', { testId });
  await openSheet(page, '11X2');
  expect(await changes(6, 4)).toEqual([]);

  await typedOffline(5, () => change('RemoveSubject', { subjectId }));
  await page.getByText('Mathematics has been deleted, or is no longer one of your subjects.').waitFor();
  await page
    .getByText('1 mark waits on this device. The subject has been deleted, or is no longer one of yours. Nothing is lost')
    .waitFor();
  await page.getByRole('heading', { name: 'Mathematics has been deleted' }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await change('RestoreSubject', { subjectId });
  await expect.poll(() => changes(6, 5)).toEqual([1]);
  await page.getByText(/waits on this device/).waitFor({ state: 'detached' });
});
