import { expect, test } from 'vitest';
import { markedPaper, openQuestions } from '../../../browser/assessments/marked-paper.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();

test('the form says what an edited question was, and brings back a removed one with its marks', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { holds } = await markedPaper(page, 'Edited');
  let edit = await openQuestions(page, 'Edited', 'Edit questions');
  await edit.getByLabel('Topic of question 1').fill('Equations');
  await edit.getByText('Was “Algebra” (5): the marks of 3 students stay with it.').waitFor();
  await edit.getByRole('button', { name: 'Delete question 3' }).click();
  await dialogOf(page, 'Delete this question?').getByRole('button', { name: 'Delete' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await holds('Equations: 3', 'Ratio: 3');

  edit = await openQuestions(page, 'Edited', 'Edit questions');
  await edit.getByText(/Question 3, “Shape” \(5\), was deleted on \d\d\/\d\d\/\d{4} with the marks of 3 students\./).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await edit.getByRole('button', { name: 'Bring back Shape' }).click();
  await edit.getByText('Back again: question 3, “Shape” (5): the marks of 3 students stay with it.').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await holds('Equations: 3', 'Ratio: 3', 'Shape: 3');
});
