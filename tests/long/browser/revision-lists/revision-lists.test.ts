import { expect, test } from 'vitest';
import type { ClassHome } from '../../../../api/analysis/analysis.contract.ts';
import { act, ask } from '../../../browser/calls.ts';
import { isDisabled } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { examination, listOf, names, pagesBy } from '../../../browser/revision-lists/revision-list.ts';
import { placeOf, uploadMarksOfData } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

test('headers are dragged into another order; an emptied list cannot be downloaded', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  const { subjectId, testId, questions } = await examination(page.request);
  const listed = ['Algebra', 'Łucja’s revision'].map((header, index) => ({
    questionId: questions[index]?.questionId,
    headerId: null,
    header,
  }));
  await act(page.request, 'SaveRevisionList', { subjectId, testId, questions: listed });
  await page.goto('/');
  const dialog = await listOf(page, 'Written examination');
  await dialog.getByRole('button', { name: 'Edit Topic Headers' }).click();
  await expect.poll(() => names(dialog)).toEqual(['Algebra', 'Łucja’s revision']);

  // By dragging: the second onto the first.
  const handles = dialog.getByTitle('Drag to another place');
  await handles.nth(1).hover();
  await page.mouse.down();
  await handles.nth(0).hover();
  await handles.nth(0).hover({ position: { x: 2, y: 2 } });
  // Dropped only when the page has noticed that it is over another header.
  await dialog.locator('tr[data-over]').waitFor();
  await page.mouse.up();
  await expect.poll(() => names(dialog)).toEqual(['Łucja’s revision', 'Algebra']);

  // Clear empties the list, and nothing can be downloaded then.
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  await dialog.getByText('No question stands under a header yet').waitFor();
  await isDisabled(dialog.getByRole('button', { name: 'Download Revision List' }));
});

test('a list is suggested in one click from the topics of the scheme of work, and undone in one', async () => {
  const staff = await marktrail.signedIn('leader@demo.example');
  const leader = staff.request;
  const { setId } = await placeOf(staff, '11X1');
  const { subjectId, questions } = await examination(leader);
  const { topics } = await ask<ClassHome>(leader, `class-home?setId=${setId}`);
  const changes = [{ schemeTopicId: topics[0]?.schemeTopicId, questionIds: questions.slice(0, 3).map(({ questionId }) => questionId) }];
  await act(leader, 'AllocatePrerequisites', { subjectId, changes });
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const dialog = await listOf(page, 'Written examination');
  await dialog.getByRole('button', { name: 'Suggest a list' }).click();
  await page.getByText(/questions stand under the topic of the scheme of work\. Change what does not fit\./u).waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Undone.').waitFor();
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  await dialog.getByText('No question stands under a header yet').waitFor();
  await dialog.getByRole('tab', { name: 'Create Revision List' }).click();
  await dialog.getByRole('button', { name: 'Suggest a list' }).click();
  await dialog.getByRole('button', { name: 'Suggest a list' }).waitFor({ state: 'detached' });
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  const download = dialog.getByRole('button', { name: 'Download personal lists' });
  await download.click();
  await dialog.getByText('Nobody in 11X1 has marks by question in Written examination yet.').waitFor();
  await uploadMarksOfData(staff, '11X1');
  const personal = await pagesBy(download);
  expect(personal.name).toBe('Revisionlist 11X1.pdf');
  expect(personal.pages.join('\n')).toMatch(
    /Revision Checklist: Written examination\s+[^·]+, .+ · 11X1 · StudentID \w+\s+As it stood on [\d/]+, [\d:]+\.\s+Tick each topic/u,
  );
  expect(personal.pages.length).toBeGreaterThan(10);
});
