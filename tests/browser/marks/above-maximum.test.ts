import { expect, test } from 'vitest';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import { brokenRules } from '../axe.ts';
import { act, ask } from '../calls.ts';
import { counts } from '../looks.ts';
import { noticeOf, marktrailInBrowser } from '../marktrail.ts';
import { placeOf, sheetOf } from '../sheet.ts';

const marktrail = marktrailInBrowser();

test('a redo above the lowered maximum asks first; redone anyway, the cell says which question mark does not fit', async () => {
  const [page, admin] = await Promise.all([marktrail.signedIn('leader@demo.example'), marktrail.caller('admin@demo.example')]);
  const leader = page.request;
  const { subjectId, setId, testId } = await placeOf(page, '11X1');
  const { studentId, admissionNo, name } = (await sheetOf(page, '11X1')).students.find((one) => one.name === 'Powell, Mia')!;
  const paper = (await ask<AssessmentContents>(admin, `assessment?testId=${testId}`)).questions.toSorted((a, b) => a.number - b.number);
  const most = paper[0]!.marksAvailable;
  /** The first question of the paper is worth so much. */
  const worth = (first: number) =>
    act(admin, 'EditQuestions', {
      testId,
      questions: paper.map(({ questionId, topic, marksAvailable }, at) => ({
        questionId,
        topic,
        marksAvailable: at === 0 ? first : marksAvailable,
      })),
    });

  // A mark at the maximum is uploaded and undone, and then the maximum is lowered.
  const { position } = await worth(most + 1);
  await ask(admin, `assessment?testId=${testId}`, position);
  const rows = [{ admissionNo, name, marks: [most + 1] }];
  const { result } = await act(leader, 'UploadMarks', { subjectId, testId, setIds: [setId], rows, fileName: 'one.csv' });
  await act(leader, 'UndoCommand', { entryId: result['entryId'], commandId: result['commandId'] });
  await worth(most);

  await page.goto('/leader');
  const redo = page.getByRole('button', { name: /^Redo one.csv/ });
  await redo.click();
  const asks = await noticeOf(
    page,
    'one.csv: 1 mark is above today’s maximum. They can be brought back all the same, and are marked as such.',
  );
  await counts(redo, 1);
  await asks.getByRole('button', { name: 'Redo anyway' }).click();
  await noticeOf(page, 'one.csv is in force again.');
  await page.getByRole('button', { name: /^Undo one.csv/ }).waitFor();

  // The total was entered, and says nothing of the marks beneath; what opens from it does.
  await page.goto(`/leader/markbook?year=11&cell=${studentId}.${testId}`);
  const dialog = page.getByRole('dialog', { name: /^Powell, Mia/ });
  await dialog.getByText('Above the maximum. Correct the mark, or the maximum of the question:').waitFor();
  await dialog.getByText(`Question 1: ${most + 1} of ${most}`).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
});
