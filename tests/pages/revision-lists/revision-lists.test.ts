import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacher] = [await school.as('leader'), await school.as('teacherB')];
const { maths: subjectId, mock: testId, questions } = school.ids;

/** The list of Mock, as the leader makes it. */
const openList = async () => {
  const page = await open(leader, '/leader/marks');
  await page.press('Revision Lists');
  const dialog = await page.dialog('Revision Lists');
  await dialog.choose('Select an assessment', testId);
  await dialog.find('heading', 'Mock');
  return { page, dialog };
};
const addHeader = (name: string) => teacher.done('AddRevisionHeader', { subjectId, name });

test('a header needs a name, and what is typed of one is not closed without a question', async () => {
  const { page, dialog } = await openList();
  await dialog.press('New Header');
  const header = await page.dialog('New Header');
  await header.press('Save');
  await header.says('Required');
  await header.fill('Header', 'Trigonometry');
  await header.press('Cancel');
  await page.whenAsked('Stay here');
  await header.press('Save');
  await page.says('Trigonometry was added.');
  await dialog.press('Delete Trigonometry');
  await (await page.dialog('Delete Trigonometry')).press('OK');
  await page.says('Trigonometry was deleted.');
  await dialog.press('Restore Trigonometry');
  await dialog.find('rowheader', /Trigonometry/);
});

test('what a colleague changed about a question meanwhile is told before it is overwritten', async () => {
  const { headerId } = await addHeader('Geometry');
  const { page, dialog } = await openList();
  await dialog.check('Geometry');
  await dialog.check('Question 1 under Geometry');
  await dialog.fill(/^Topic of question 1,/, 'Mine');
  const theirs = [0, 2].map((at) => ({ questionId: questions[at], headerId, text: 'Theirs' }));
  await teacher.done('SaveRevisionList', { subjectId, testId, questions: theirs });
  // The page knows of it; what its user saw is what counts.
  await dialog.holds(/^Topic of question 3,/, 'Theirs');
  await dialog.press('Save (1)');
  await dialog.says('Question 1 stands under “Geometry” as “Theirs” now.');
  const stored = async () =>
    (await leader.ask<{ test: { questions: object[] } }>('revision-lists', { subjectId, testId })).test.questions[0];
  expect(await stored()).toMatchObject({ headerId, text: 'Theirs' });
  await dialog.press('Save (1)');
  await page.says('Done');
  expect(await stored()).toMatchObject({ text: 'Mine' });
});

test('a question stands under one header, and what is changed is not on the list until it is saved', async () => {
  await addHeader('Matrices');
  await addHeader('Vectors');
  const { dialog } = await openList();
  await dialog.check('Matrices');
  await dialog.check('Question 2 under Matrices');
  await dialog.check('Vectors');
  expect(dialog.seen().queryByLabelText(/^Question 2 under/)).toBeNull();
  await dialog.press('View/Download', 'tab');
  await dialog.says('What you have changed is not saved yet, and not on this list.');
  await dialog.press('Create Revision List', 'tab');
  await dialog.press('Save (1)');
  await dialog.press('View/Download', 'tab');
  await dialog.find('heading', 'Matrices');
});
