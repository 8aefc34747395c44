import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { brokenRules } from '../axe.ts';
import { dialogOf, noticeOf, marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const csv = (...topics: readonly string[]) => ({
  name: 'assessment_upload.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Question No,Topic,Max Mark', ...topics.map((topic, index) => `${index + 1},${topic},5`)].join('\n')),
});

const get = async <Body>(page: Page, path: string): Promise<Body> => (await page.request.get(path)).json() as Promise<Body>;
const act = async (page: Page, name: string, data: object): Promise<Record<string, string>> => {
  const answer = await page.request.post(`/api/commands/${name}`, { data });
  expect([name, answer.status()]).toEqual([name, 200]);
  return ((await answer.json()) as { result: Record<string, string> }).result;
};

/** An assessment of Algebra, Ratio and Shape with the marks of three students. */
const marked = async (page: Page, name: string) => {
  const [subject] = await get<{ id: string }[]>(page, '/api/rest/subjects?filter={"name":"Mathematics"}');
  const subjectId = subject?.id ?? '';
  const { yearGroups } = await get<Structure>(page, `/api/queries/structure?subjectId=${subjectId}`);
  const { students } = await get<Markbook>(page, `/api/queries/markbook?yearGroupId=${yearGroups[0]?.yearGroupId}`);
  const { testId = '' } = await act(page, 'CreateAssessment', { subjectId, name });
  const questions = ['Algebra', 'Ratio', 'Shape'].map((topic, index) => ({ number: index + 1, topic, marksAvailable: 5 }));
  await act(page, 'UploadQuestions', { testId, questions });
  const paper = () => get<AssessmentContents>(page, `/api/queries/assessment?testId=${testId}`);
  await expect.poll(async () => (await paper()).questions.length).toBe(3);
  const cells = (await paper()).questions.flatMap(({ questionId }, index) =>
    students.slice(0, 3).map(({ studentId }) => ({ studentId, testId, questionId, is: index + 1 })),
  );
  await act(page, 'EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
  const held = async () => (await paper()).questions.map(({ topic, marks }) => `${topic}: ${marks}`);
  return { held, students, testId, subjectId };
};

const open = async (page: Page, name: string, what: 'Upload questions' | 'Edit questions') => {
  await page.goto('/admin/assessments');
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: what }).click();
  return dialogOf(page, what === 'Upload questions' ? `Upload questions of ${name}` : `Questions of ${name}`);
};

test('a file in another order shows what each question was and becomes, asks which it is, and the marks stay with their topics', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { held } = await marked(page, 'Re-ordered');
  const upload = await open(page, 'Re-ordered', 'Upload questions');
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
  await expect.poll(() => first.locator('option:checked').innerText()).toBe('Moved: it was question 2, “Ratio” (5)');
  await upload.getByText('It keeps the marks of 3 students.').waitFor();
  await upload.getByText('Choose which question this is.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await second.selectOption({ label: 'The same question' });
  await upload.getByText('Chosen for question 1 too.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  // By keyboard: each option by its first letters.
  await second.focus();
  await page.keyboard.type('Another');
  await upload.getByText('1 question with marks or mappings will leave the paper.').waitFor();
  await upload.getByText('Question 1, “Algebra” (5), with the marks of 3 students').waitFor();
  await save.click();
  const saved = await noticeOf(page, 'Data uploaded successfully!');
  await expect.poll(held).toEqual(['Ratio: 3', 'Vectors: 0', 'Shape: 3']);
  await saved.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(held).toEqual(['Algebra: 3', 'Ratio: 3', 'Shape: 3']);
});

test('the form says what an edited question was, and brings back a removed one with its marks', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { held } = await marked(page, 'Edited');
  let edit = await open(page, 'Edited', 'Edit questions');
  await edit.getByLabel('Topic of question 1').fill('Equations');
  await edit.getByText('Was “Algebra” (5): the marks of 3 students stay with it.').waitFor();
  await edit.getByRole('button', { name: 'Delete question 3' }).click();
  await dialogOf(page, 'Delete this question?').getByRole('button', { name: 'Delete' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect.poll(held).toEqual(['Equations: 3', 'Ratio: 3']);

  edit = await open(page, 'Edited', 'Edit questions');
  await edit.getByText(/Question 3, “Shape” \(5\), was removed on \d\d\/\d\d\/\d{4} with the marks of 3 students\./).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await edit.getByRole('button', { name: 'Bring back Shape' }).click();
  await edit.getByText('Back again: question 3, “Shape” (5): the marks of 3 students stay with it.').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect.poll(held).toEqual(['Equations: 3', 'Ratio: 3', 'Shape: 3']);
});
