import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import type { Effort } from '../../../browser/hands.ts';
import { openHands } from '../../../browser/hands.ts';
import { data, dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';

const ADMIN = 'ada@greenfield.example';
const marktrail = marktrailInBrowser({ empty: { admin: ADMIN } });

const file = (name: string): string => fileURLToPath(data(name));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

/** README states these figures: who changes them changes it. */
const STATED: Effort = { clicks: 36, fields: 6, files: 4 };

test('an empty school is set up to its first marks, by way of its checklist', async () => {
  const hands = openHands();
  const page = await marktrail.visitor();
  /** The line above every page; `next`: what it leads on to. */
  const stands = async (done: number, next: string): Promise<void> => {
    await page.getByText(`First steps: ${done} of 9 done.`).waitFor();
    await page.getByText(next).first().waitFor();
  };
  const goOn = (to: string) => hands.click(page.getByRole('link', { name: to }));

  await page.goto('/');
  await hands.click(button(page, 'Decline non-essential'));
  await hands.click(page.getByRole('link', { name: 'Log in' }).first());
  await hands.type(page.getByLabel('E-mail'), ADMIN);
  await hands.type(page.getByLabel('Password', { exact: true }), marktrail.firstPassword());
  await hands.click(button(page, 'Login'));
  await page.getByText('0 of 9 done').waitFor();

  expect(await brokenRules(page)).toEqual([]);
  await goOn('Add a subject');
  await hands.click(button(page, 'Add subject'));
  const subject = dialogOf(page, 'Add subject');
  await hands.type(subject.getByLabel('Subject name'), 'Mathematics');
  await hands.click(subject.getByRole('button', { name: 'Add subject' }));
  await stands(1, 'Next: Add a scheme of work with its topics');

  await goOn('Add a scheme of work with its topics');
  await hands.click(button(page, 'Add scheme of work'));
  const scheme = dialogOf(page, 'Add scheme of work');
  await hands.type(scheme.getByLabel('Name of the scheme of work'), 'Mathematics for economists');
  await hands.choose(scheme.locator('input[type=file]'), file('sow_upload.csv'));
  await scheme.getByText('13 topics read from sow_upload.csv.').waitFor();
  await hands.click(scheme.getByRole('button', { name: 'Add scheme of work' }));
  await stands(2, 'Next: Add an assessment with its questions');

  await goOn('Add an assessment with its questions');
  await hands.click(button(page, 'Add assessment'));
  const assessment = dialogOf(page, 'Add assessment');
  await hands.type(assessment.getByLabel('Assessment name'), 'Written examination');
  await hands.click(assessment.getByRole('button', { name: 'Add assessment' }));
  await page.getByText('No questions yet.').waitFor();
  // Without questions it takes no marks: nothing is ticked.
  await stands(2, 'Now: Add an assessment with its questions');
  await hands.click(button(page, 'Upload questions'));
  const questions = dialogOf(page, 'Upload questions of Written examination');
  await hands.choose(questions.locator('input[type=file]'), file('assessment_upload.csv'));
  await hands.click(questions.getByRole('button', { name: 'Save questions' }));
  await page.getByText('13 questions, 26 marks').waitFor();
  await stands(3, 'Next: Import the students with their sets');

  await goOn('Import the students with their sets');
  await hands.choose(page.locator('input[type=file]'), file('student_upload.csv'));
  await page.getByText('26 sets in the file, 26 of them not known').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await hands.click(button(page, 'Make 26 sets'));
  await page.getByText('26 sets in year 11 will be made with the import.').waitFor();
  await hands.click(button(page, 'Commit to Database (729)'));
  await page.getByText(/^729 student\(s\) on import file successfully uploaded/).waitFor();
  await stands(5, 'Next: Add the teachers and their classes');

  const before = hands.effort();
  await goOn('Add the teachers and their classes');
  await hands.type(page.getByLabel('Add new teacher'), 'Tom Hughes');
  await hands.click(button(page, 'Add teacher'));
  await stands(5, 'Now: Add the teachers and their classes');
  const classes = page.getByRole('combobox', { name: 'Classes of Tom Hughes' });
  await hands.click(classes);
  for (const name of ['11X1', '11X2', '11X3']) await hands.click(page.getByRole('option', { name, exact: true }));
  await hands.press(classes, 'Escape');
  await hands.click(button(page, 'Submit (1)'));
  await page.getByText('Submitted successfully!').waitFor();
  await stands(6, 'Next: Upload the first marks');
  const teacher = hands.effort();

  await goOn('Upload the first marks');
  await hands.click(button(page, 'Upload totals'));
  const totals = dialogOf(page, 'Upload Student Assessment Totals');
  await hands.choose(totals.locator('input[type=file]'), file('totals_upload.csv'));
  await hands.click(totals.getByRole('button', { name: 'Upload', exact: true }));
  await hands.click(totals.getByRole('button', { name: 'Confirm Assessments' }));
  await hands.click(totals.getByRole('button', { name: 'View Upload Data' }));
  await hands.click(totals.getByRole('button', { name: 'Commit to DB' }));
  await totals.getByText('729 totals stored.').waitFor();
  await hands.click(totals.getByRole('link', { name: 'Open the markbook' }));
  await page.getByRole('row', { name: /Adeyemi, Anh.*10/ }).waitFor();
  await page.getByRole('row', { name: /^Mean/ }).getByText('16.9').waitFor();

  console.log(`From an empty school to its first marks: ${inWords(hands.effort())}.`);
  console.log(`Of these for one teacher with three classes: ${inWords(difference(teacher, before))}.`);
  expect(hands.effort()).toEqual(STATED);

  // What is done is no longer listed.
  await Promise.all([page.waitForResponse(/\/api\/rest\/subjects/), page.goto('/admin')]);
  await page.getByRole('heading', { name: 'Help' }).waitFor();
  await page.getByText('First steps').first().waitFor({ state: 'detached' });
});

const inWords = ({ clicks, fields, files }: Readonly<Effort>): string =>
  `${clicks} clicks, fields to type into: ${fields}, files to choose: ${files}`;

const difference = (late: Readonly<Effort>, early: Readonly<Effort>): Effort => ({
  clicks: late.clicks - early.clicks,
  fields: late.fields - early.fields,
  files: late.files - early.files,
});
