import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { AssessmentContents } from '../../../../api/assessments/assessments.contract.ts';
import type { Sheet } from '../../../../api/marks/sheet.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask, enter } from '../../../browser/calls.ts';
import { holds, isGone } from '../../../browser/looks.ts';
import { field, marksOf, PHONE } from '../../../browser/marks/own-marks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { placeOf, saved } from '../../../browser/sheet.ts';

/** What goes wrong while students enter their own marks: none is lost, and they are told why one waits. */
const marktrail = marktrailInBrowser();

/** An admin, who changes things meanwhile, and the paper. */
const admin = async () => {
  const caller = await marktrail.caller('admin@demo.example');
  const { testId, setId, subjectId } = await placeOf(await marktrail.signedIn('teacher1@demo.example'), '11X1');
  const { questions } = await ask<AssessmentContents>(caller, `assessment?testId=${testId}`);
  return { caller, testId, setId, subjectId, paper: questions.toSorted((a, b) => a.number - b.number) };
};

const opened = async (email: string, testId: string, before?: (page: Page) => Promise<unknown>) => {
  const page = await marktrail.signedIn(email, PHONE);
  await before?.(page);
  await page.goto(`/student/submit?test=${testId}`);
  await page.getByRole('heading', { name: 'Written examination' }).waitFor();
  return { page, marks: () => marksOf(page, testId) };
};

type Question = { readonly questionId: string | null; readonly topic: string; readonly marksAvailable: number };

test('a session that ends while a student types: they log in over it, and their mark is stored', async () => {
  const { testId } = await admin();
  const { page, marks } = await opened('student1@demo.example', testId);
  await page.context().clearCookies({ name: /session/ });
  await field(page, 1).fill('1');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password').fill('marktrail-demo');
  await again.getByRole('button', { name: 'Login' }).click();
  await saved(page);
  expect((await marks())[0]).toBe(1);
  await holds(field(page, 1), '1');
});

test('a maximum lowered and a question removed meanwhile keep back no other mark, and what they keep back goes once it may', async () => {
  const { caller, testId, paper } = await admin();
  const { page, marks } = await opened('student1@demo.example', testId);
  const at = paper.findIndex(({ marksAvailable }, index) => index > 4 && marksAvailable > 1);
  const most = paper[at]?.marksAvailable ?? 0;
  const other = 1;
  const edit = (edited: readonly Question[]) =>
    act(caller, 'EditQuestions', {
      testId,
      questions: edited.map(({ questionId, topic, marksAvailable }) => ({ questionId, topic, marksAvailable })),
    });
  await page.context().setOffline(true);
  await field(page, at + 1).fill(String(most));
  await field(page, other + 1).fill('0');
  await field(page, paper.length).fill('1');
  await page.getByText('3 marks wait on this device until the server can be reached.').waitFor();
  // Another question makes up for both: totals stand above a lower sum.
  await edit([
    ...paper.slice(0, -1).map((one, index) => (index === at ? { ...one, marksAvailable: most - 1 } : one)),
    { questionId: null, topic: 'Another topic', marksAvailable: (paper.at(-1)?.marksAvailable ?? 0) + 1 },
  ]);
  await page.context().setOffline(false);
  await expect.poll(async () => (await marks())[other]).toBe(0);
  await page
    .getByText(`Max mark available is ${most - 1}`)
    .first()
    .waitFor();
  expect(await brokenRules(page)).toEqual([]);

  await field(page, at + 1).fill(String(most - 1));
  await expect.poll(async () => (await marks())[at]).toBe(most - 1);
  await page.getByText('There is no such question in this assessment.').waitFor();
  await edit(paper);
  await page.reload();
  await expect.poll(async () => (await marks()).at(-1)).toBe(1);
  await holds(field(page, paper.length), '1');
});

test('an assessment hidden, and all marks entered by staff meanwhile: what waits is said with its reason, and goes or is discarded', async () => {
  const { caller, testId, setId, subjectId, paper } = await admin();
  const { page, marks } = await opened('student2@demo.example', testId);
  const typedOffline = async (question: number, mark: number, meanwhile: () => Promise<unknown>) => {
    await page.context().setOffline(true);
    await field(page, question).fill(String(mark));
    await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
    await meanwhile();
    await page.context().setOffline(false);
  };
  await typedOffline(1, 1, () => act(caller, 'ShowAssessment', { testId, visible: false }));
  await page.getByRole('heading', { name: 'This assessment is not open to you' }).waitFor();
  await page.getByText('1 mark waits on this device. This assessment is not open to you: your teacher may have closed it.').waitFor();
  await act(caller, 'ShowAssessment', { testId, visible: true });
  await page.reload();
  await expect.poll(async () => (await marks())[0]).toBe(1);

  const { students } = await ask<Sheet>(caller, `sheet?testId=${testId}&setId=${setId}`);
  const studentId = students.find(({ name }) => name?.startsWith('Kowalski'))?.studentId;
  const cells = paper.map(({ questionId }) => ({ studentId, testId, questionId, is: 0 }));
  await field(page, 2).waitFor();
  await typedOffline(2, 1, () => enter(caller, subjectId, cells));
  await page
    .getByText(/^1 mark( for Written examination)? waits on this device\. Your teacher has entered the marks of every question\.$/)
    .waitFor();
  expect(await brokenRules(page)).toEqual([]);
  expect((await marks()).slice(0, 2)).toEqual([1, null]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await isGone(page.getByText(/waits on this device/));
});

test('a browser that keeps nothing says so to a student, and their mark is stored all the same', async () => {
  const { testId } = await admin();
  const { page, marks } = await opened('student1@demo.example', testId, (one) =>
    one.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      };
    }),
  );
  const mark = (await marks())[2] === 0 ? 1 : 0;
  await page.route('**/api/commands/SaveFeedback', (route) => route.abort());
  await field(page, 3).fill(String(mark));
  await page.getByText('This browser keeps nothing for later.', { exact: true }).waitFor();
  await page.getByText('1 mark waits in this page alone: this browser keeps nothing for later.').waitFor();
  await page.unroute('**/api/commands/SaveFeedback');
  await saved(page);
  expect((await marks())[2]).toBe(mark);
});
