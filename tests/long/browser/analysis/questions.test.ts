import { test } from 'vitest';
import { counts } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { placeOf, uploadMarksOfData } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

test('a teacher has the own classes, and is asked to choose one before students are named', async () => {
  const teacher = await marktrail.signedIn('teacher1@demo.example');
  for (const set of ['11X1', '11X2', '11X3']) await uploadMarksOfData(teacher, set);
  const { testId } = await placeOf(teacher, '11X1');
  await teacher.goto(`/teacher/questions?year=11&test=${testId}`);
  await teacher.getByRole('button', { name: 'Q1 Quadratic forms', exact: true }).click();
  await teacher.getByRole('dialog').getByText('Choose one of your classes to see its students.').waitFor();
  await teacher.keyboard.press('Escape');
  const byClass = teacher.getByRole('table').filter({ hasText: '11X1' });
  await counts(byClass.getByRole('columnheader'), 5);
});
