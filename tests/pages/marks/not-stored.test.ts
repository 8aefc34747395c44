import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacherA, student] = [await school.as('leader'), await school.as('teacherA'), await school.as('student')];
const { maths: subjectId, mock: testId, students } = school.ids;

test('totals that are typed and not submitted are reminded of on the page, and gone on with', async () => {
  const page = await open(teacherA, '/teacher?year=11&set=11A');
  await page.press('Upload totals');
  const dialog = await page.dialog('Upload Student Assessment Totals');
  await dialog.press('Manual Entry', 'tab');
  await dialog.choose('Select an assessment', 'Mock (of 20)');
  (await dialog.find('textbox', /A1, Student/)).focus();
  await user.keyboard('9');
  await dialog.press('Close');
  await page.says('1 total that you typed for 11A, Mock is not stored yet.');
  await page.press('Go on');
  const again = await page.dialog('Upload Student Assessment Totals');
  await again.says('1 of 4 students have a total');
  await again.press('Submit');
  await again.says('Done');
  await again.says('1 total stored; 3 students have no total yet');
  await again.press('Close');
  await page.gone('that you typed for 11A');
});

test('whoever goes to another control before the fields are there stays there', async () => {
  const page = await open(teacherA, '/teacher?year=11&set=11A');
  const loading = page.line.hold(/queries\/sheet/);
  await page.press('Upload totals of Mock');
  await loading.reached;
  const dialog = await page.dialog('Upload Student Assessment Totals');
  const choice = await dialog.field('Select an assessment');
  choice.focus();
  await user.keyboard('9');
  loading.letGo();
  await dialog.find('grid', /^Totals of/);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(choice);
  await dialog.says('1 of 4 students have a total');
});

test('a mark of one’s own that is refused waits on the page with the reason', async () => {
  await leader.done('ShowAssessment', { testId, visible: true });
  const page = await open(student, `/student/submit?test=${testId}`);
  const saving = page.line.hold(/SaveFeedback/, 'there');
  await page.fill(/^Question 1/, '4');
  await saving.reached;
  await leader.done('ShowAssessment', { testId, visible: false });
  saving.letGo();
  await page.says('1 mark waits on this device. This assessment is not open to you: your teacher may have closed it.');
  await page.press('Discard');
  await page.gone('waits on this device');
});

test('marks of one’s own are at most the maximum, all of them are needed, and they are submitted after a question', async () => {
  await leader.done('ShowAssessment', { testId, visible: true });
  const cells = [{ studentId: students['A1'], testId, is: 12 }];
  await leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
  const page = await open(student, `/student/submit?test=${testId}`);
  await page.fill(/^Question 1/, '6');
  await page.says('Max mark available is 5');
  await page.fill(/^Question 1/, '4');
  await page.press('Submit');
  await page.says('Question 2 has no mark.');
  await page.fill(/^Question 2/, '7');
  await page.fill(/^Question 3/, '5');
  await page.press('Submit');
  const question = await page.dialog('Submit your marks?');
  await question.says('Your total is 16 of 20; your teacher’s total is 12.');
  await question.says('The totals differ.');
  expect(question.seen().queryByText(/submit your marks once/)).toBeNull();
  await question.press('Submit 16 of 20');
  await page.find('button', 'Change my marks');
  expect(document.activeElement?.textContent).toMatch(/^\*This submitted feedback does not match.*Change my marks$/);
  await page.press('Change my marks');
  await page.fill(/^Question 3/, '1');
  await page.press('Submit');
  const again = await page.dialog('Submit your marks?');
  await again.says('You can submit your marks once.');
});

test('it says what becomes of the total of somebody who is absent or exempt, and takes it back', async () => {
  const a3 = { studentId: students['A3'], testId };
  await leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: [{ ...a3, is: 17 }] });
  const page = await open(teacherA, `/teacher/marks?year=11&set=11A&test=${testId}`);
  const struck = () => page.seen().queryAllByLabelText('17 does not count').length;
  (await page.find('textbox', /^A2, Student/)).focus();
  await user.keyboard('{ArrowDown}a');
  await page.says('A3, Student is absent: the total of 17 no longer counts.');
  expect(struck()).toBe(1);
  // Beside what it says, and not the one among the tools.
  await user.click(page.seen().getAllByRole('button', { name: 'Undo' }).at(-1) ?? document.body);
  await page.gone('the total of 17');
  expect(struck()).toBe(0);
  (await page.find('textbox', /^A3, Student/)).focus();
  await user.keyboard('e');
  await page.says('A3, Student is exempt: the total of 17 no longer counts.');
  await user.keyboard('e');
  await page.says('A3, Student sat it: the total of 17 counts again.');
});

test('beneath the dialog the markbook waits: closed, it shows what was stored meanwhile, from here and by others', async () => {
  const page = await open(teacherA, '/teacher/markbook?year=11&set=11A');
  await page.find('row', /^A1, Student/);
  await page.press('Upload totals');
  const dialog = await page.dialog('Upload Student Assessment Totals');
  await dialog.press('Manual Entry', 'tab');
  await dialog.choose('Select an assessment', 'Mock (of 20)');
  (await dialog.find('textbox', /A2, Student/)).focus();
  await user.keyboard('11');
  await dialog.press('Submit');
  await dialog.says('Done');
  await leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId: students['A4'], testId, is: 13 }] });
  await dialog.find('row', /A4, Student.*13/);
  await dialog.press('Close');
  await page.find('row', /A2, Student.*11/);
  await page.find('row', /A4, Student.*13/);
});
