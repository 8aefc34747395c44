import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { csv, open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [admin, leader] = [await school.as('admin'), await school.as('leader')];
const { maths: subjectId, students } = school.ids;
const thisYear = new Date().getFullYear();
const file = (...rows: readonly string[]): File => csv('prior_upload.csv', 'StudentID,LastFirst,Grade', ...rows);

const PRIOR = '/leader/prior';

/** The page of a new terminal exam, as the leader sees it. */
const openExam = async (name: string, from = PRIOR) => {
  const { terminalExamId } = await admin.done('AddTerminalExam', { subjectId, name, yearSat: 6 });
  const page = await open(leader, from);
  if (from !== PRIOR) await page.press('Upload prior data', 'link');
  await page.check(name);
  return { page, terminalExamId };
};

test('a file of prior scores needs a year and grades, shows whom it names wrongly, and is taken back', async () => {
  const { page } = await openExam('Key Stage 2');
  await page.press('Upload CSV', 'tab');
  await page.upload(file('00A1,"A1, Student",b'));
  await page.says('Choose the year in which the exam was completed.');
  await page.cannotPress('Upload');
  await page.choose('Year completed', String(thisYear - 5));
  await page.upload(file('00A1,"A1, Student",A**', '00A2,Somebody,9-'));
  await page.press('Upload');
  await page.says('The upload file is invalid. The grades submitted should be numeric or A* to G or U.');
  await page.says('See line 2, Grade: "A**"; line 3, Grade: "9-".');
  await page.upload(file('00A1,"A1, Student",b', '00A2,"A2, Student",', 'X9,"Nobody, Ned",C'));
  await page.press('Upload');
  await page.says('1 new score, 1 student without a grade.');
  await page.says('1 student(s) from the upload file cannot be found in the database');
  await page.press('Commit to DB');
  await page.says('Upload Successful! 1 score stored.');
  await page.find('row', /Key Stage 2 .*1 of 12 8\.3 % Letters/);
  await page.press('Upload another file');
  await page.upload(file('00A2,"A2, Student",104'));
  await page.press('Upload');
  await page.says('This exam would hold 1 letter and 1 number.');
  await page.press(/^Undo prior_upload.csv/);
  await page.find('row', /Key Stage 2 .*0 of 12/);
});

test('a score has to be one, and what is typed is not left without a question', async () => {
  const { page } = await openExam('Spelling', '/leader');
  await page.choose('Year completed', String(thisYear));
  await page.fill('Score of A1, Student', 'H');
  await page.says('Value must be numeric or a grade from A*-G or U');
  await page.says('Correct the score of A1, Student.');
  await page.fill('Score of A1, Student', 'd');
  await page.press('Markbook', 'link');
  await page.whenAsked('Stay here');
  history.back();
  await page.whenAsked('Stay here');
  expect(location.pathname).toBe(PRIOR);
  await page.press('Submit');
  await page.says('1 score stored');
  await page.goneFrom('button', 'Storing…');
  await page.press('Back to dashboard', 'link');
  await expect.poll(() => location.pathname).toBe('/leader');
});

test('two who type into one student: the second sees the first at once, and nothing is overwritten unseen', async () => {
  const { page, terminalExamId } = await openExam('Reading');
  const lastYear = thisYear - 1;
  await page.choose('Year completed', String(lastYear));
  const label = 'Score of A1, Student';
  await page.fill(label, '101');
  const theirs = { subjectId, terminalExamId, yearCompleted: lastYear, scores: [{ studentId: students['A1'], score: '99' }] };
  await admin.done('EnterPriorScores', theirs);
  await page.says('Meanwhile: 99');
  await page.holds(label, '101');
  await page.says('Decide about the score of A1, Student first.');
  await page.press('Keep mine');
  await page.press('Submit');
  await page.says('1 score stored');

  // What is typed over one's own score before the answer is there is not typed over somebody else's.
  await page.choose('Year completed', String(thisYear));
  const answer = page.line.hold(/EnterPriorScores/);
  await page.fill(label, '102');
  await page.press('Submit');
  await answer.reached;
  await page.fill(label, '103');
  // The page has heard of it by the line.
  await page.says(`Completed in ${thisYear} · ${lastYear}: 101`);
  answer.letGo();
  await page.press('Submit');
  await page.goneFrom('button', 'Storing…');
  await page.holds(label, '103');
});

test('an auditor reads the scores of an exam, and finds nothing to change them', async () => {
  const { terminalExamId } = await admin.done('AddTerminalExam', { subjectId, name: 'Only read', yearSat: 6 });
  const page = await open(await school.as('auditor'), `${PRIOR}?exam=${terminalExamId}`);
  await page.find('heading', 'Only read');
  expect(page.seen().queryByRole('tab', { name: 'Upload CSV' })).toBeNull();
});
