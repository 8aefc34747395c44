import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { csv, open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId, students } = school.ids;

/** An assessment of two questions of 10. */
const assessment = async (name: string): Promise<string> => {
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name });
  const questions = ['First', 'Second'].map((topic, index) => ({ number: index + 1, topic, marksAvailable: 10 }));
  await admin.done('UploadQuestions', { testId, questions });
  return testId;
};
const edit = async (name: string) => {
  const page = await open(admin, '/admin/assessments');
  await page.press(new RegExp(`^${name}`));
  await page.press('Edit questions');
  return { page, dialog: await page.dialog(`Questions of ${name}`) };
};

test('a question needs whole marks, and one that is half typed is not lost without a word', async () => {
  await assessment('Whole');
  const { page, dialog } = await edit('Whole');
  await dialog.fill('Marks of question 1', '2.5');
  await dialog.says('The value must be an integer number');
  await dialog.fill('Marks of question 1', '0');
  await dialog.says('The value must be greater than zero');
  await dialog.cannotPress('Save');
  await dialog.fill('Marks of question 1', '5');
  await dialog.press('Move question 2 up');
  await dialog.says('Question 2 is question 1 now.');
  await dialog.fill('Topic of a new question', 'Venn diagrams');
  await dialog.press('Save');
  await dialog.says('The new question is not complete.');
  // Not in what scrolls: beside Save.
  expect(dialog.seen().getByText('The new question is not complete.').closest('.MuiDialogContent-root')).toBeNull();
  await dialog.fill('Its marks', '3');
  await dialog.press('Save');
  await page.says('3 questions, 18 marks');
});

test('an assessment is renamed, deleted after a question, and brought back', async () => {
  await assessment('Autumn');
  const page = await open(admin, '/admin/assessments');
  await page.press(/^Autumn/);
  await page.press('Rename');
  await page.fill('Assessment name', 'Whole');
  await page.press('Save');
  await page.says('Assessment name needs to be unique');
  await page.fill('Assessment name', 'Winter');
  await page.press('Save');
  await page.find('button', /^Winter/);
  await page.press('Delete');
  const deletion = await page.dialog('Delete Winter?');
  await deletion.says('With it go 2 questions: hidden, not lost. Undo brings everything back.');
  await deletion.press('Delete');
  await page.goneFrom('button', /^Winter/);
  await page.press('Undo');
  await page.find('button', /^Winter/);
});

test('a file of questions that cannot be used is not kept, and says why', async () => {
  await assessment('From a file');
  const page = await open(admin, '/admin/assessments');
  await page.press(/^From a file/);
  await page.press('Upload questions');
  const dialog = await page.dialog('Upload questions of From a file');
  for (const [lines, message] of [
    [['No,Topic,Max Mark', '1,Algebra,2'], 'The upload file does not meet the required format.'],
    [['Question No,Topic,Max Mark', '1,Algebra,2', '3,Fractions,2'], 'Questions are not numbered sequentially.'],
    [['Question No,Topic,Max Mark', '1,Algebra,0'], 'Max mark needs to be an integer greater than 0.'],
  ] as const) {
    await dialog.upload(csv('bad.csv', ...lines));
    await dialog.says(message);
    await dialog.says('or drop it here');
    await dialog.cannotPress('Save questions');
  }
  await dialog.upload(csv('good.csv', 'Question No,Topic,Max Mark', '1,First,10', '2,Second,10', '3,Third,4'));
  await dialog.says('Third');
  (await dialog.find('button', 'Save questions')).focus();
  await user.keyboard('{Escape}');
  await (await page.dialog('Leave without saving?')).press('Stay here');
  await dialog.press('Save questions');
  await page.says('3 questions, 24 marks');
});

test('a question that somebody else changes is not overwritten unseen, and one with marks cannot be worth less', async () => {
  const testId = await assessment('Held');
  const cells = [{ studentId: students['A1'], testId, is: 19 }];
  await admin.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
  const { dialog } = await edit('Held');
  await dialog.fill('Topic of question 2', 'My topic');
  const theirs = ['Their topic', 'Second'].map((topic, index) => ({ number: index + 1, topic, marksAvailable: 10 }));
  await admin.done('UploadQuestions', { testId, questions: theirs });
  await dialog.says('Somebody else has changed this meanwhile.');
  await dialog.holds('Topic of question 2', 'My topic');
  await dialog.press('Show what it says now');
  await dialog.holds('Topic of question 1', 'Their topic');
  await dialog.fill('Marks of question 2', '5');
  await dialog.press('Save');
  await dialog.says('There are marks above the new maximum: correct them first.');
  await dialog.says('for the total is above the maximum of');
});
