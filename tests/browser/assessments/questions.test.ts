import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { isDisabled, reads } from '../looks.ts';
import { noticeOf, marktrailInBrowser } from '../marktrail.ts';
import { markedPaper, openQuestions } from './marked-paper.ts';

const marktrail = marktrailInBrowser();
const csv = (...topics: readonly string[]) => ({
  name: 'assessment_upload.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Question No,Topic,Max Mark', ...topics.map((topic, index) => `${index + 1},${topic},5`)].join('\n')),
});

test('a file in another order shows what each question was and becomes, asks which it is, and the marks stay with their topics', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { holds } = await markedPaper(page, 'Re-ordered');
  const upload = await openQuestions(page, 'Re-ordered', 'Upload questions');
  await upload.locator('input[type=file]').setInputFiles(csv('Ratio', 'Vectors', 'Shape'));
  await upload.getByText('Which questions are these? Marks or mappings belong to 2 numbers that the file changes.').waitFor();
  const items = upload.getByRole('list', { name: 'Which questions the file means' }).getByRole('listitem');
  await expect
    .poll(() => items.first().innerText())
    .toMatch(/Was\s+“Algebra” \(5\), with the marks of 3 students\s+Becomes\s+“Ratio” \(5\)/);
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  // What a topic says is proposed; what nothing says is asked.
  const first = upload.getByLabel('Question 1 is');
  const second = upload.getByLabel('Question 2 is');
  const save = upload.getByRole('button', { name: 'Save questions' });
  await reads(first.locator('option:checked'), 'Moved: it was question 2, “Ratio” (5)');
  await upload.getByText('It keeps the marks of 3 students.').waitFor();
  await upload.getByText('Choose which question this is.').waitFor();
  await isDisabled(save);
  await second.selectOption({ label: 'The same question' });
  await upload.getByText('Chosen for question 1 too.').waitFor();
  await isDisabled(save);
  // By keyboard: each option by its first letters.
  await second.focus();
  await page.keyboard.type('Another');
  await upload.getByText('1 question with marks or mappings will leave the paper.').waitFor();
  await upload.getByText('Question 1, “Algebra” (5), with the marks of 3 students').waitFor();
  await save.click();
  const saved = await noticeOf(page, 'Data uploaded successfully!');
  await holds('Ratio: 3', 'Vectors: 0', 'Shape: 3');
  await saved.getByRole('button', { name: 'Undo' }).click();
  await holds('Algebra: 3', 'Ratio: 3', 'Shape: 3');
});
