import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { act } from '../calls.ts';
import { counts, isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { placeOf, uploadMarksOfData } from '../sheet.ts';

const marktrail = marktrailInBrowser();

test('a student reads on a phone how it went, beside the class and without a rank, and what to work on next', async () => {
  const staff = await marktrail.signedIn('admin@demo.example');
  const { subjectId } = await placeOf(staff, '11X1');
  await act(staff.request, 'AddTerminalExam', { subjectId, name: 'GCSE', yearSat: 11 });
  const { students, questions } = await uploadMarksOfData(staff, '11X1');
  const { staffTotal } = students.find(({ name }) => name === 'Edwards, Sophie') ?? {};
  const page = await marktrail.signedIn('student1@demo.example', { viewport: { width: 390, height: 844 } });
  await page.goto('/student');

  // The card, with the class beside it and what to do next; the graph and the topics below.
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  const card = page.getByRole('article', { name: 'Written examination' });
  await card.getByText(`${staffTotal} of ${questions.reduce((sum, { max }) => sum + max, 0)}`).waitFor();
  await card.getByText(/your class, whose average is about \d+ %\./u).waitFor();
  await card.getByRole('heading', { name: 'Work on next' }).waitFor();
  // All of it rests on single questions: that is said once.
  await card.getByText('There is little evidence yet').waitFor();
  await isGone(card.getByText('*', { exact: true }));
  const byQuestion = card.locator('summary').filter({ hasText: `Question by question (${questions.length})` });
  await byQuestion.press('Enter');
  await counts(card.getByRole('table').getByRole('row'), questions.length + 1);
  await page.getByRole('heading', { name: 'Where it can lead' }).waitFor();
  await page.getByText('Fewer than five students: not shown.').waitFor();
  await page.getByRole('heading', { name: 'Your topics' }).waitFor();
  await isGone(page.getByText('rank', { exact: false }));
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await brokenRules(page)).toEqual([]);
});
