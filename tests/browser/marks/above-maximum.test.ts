import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { brokenRules } from '../axe.ts';
import { noticeOf, marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();

test('a redo above the lowered maximum asks first; redone anyway, the cell says which question mark does not fit', async () => {
  const [page, admin] = await Promise.all([marktrail.signedIn('leader@demo.example'), marktrail.caller('admin@demo.example')]);
  const ask = async <Answer>(path: string, who = page.request): Promise<Answer> =>
    (await (await who.get(`/api/queries/${path}`)).json()) as Answer;
  const act = async (name: string, data: object, who = page.request): Promise<Record<string, string>> => {
    const answer = await who.post(`/api/commands/${name}`, { data });
    expect([name, answer.status()]).toEqual([name, 200]);
    return ((await answer.json()) as { result: Record<string, string> }).result;
  };
  const [{ subjectId }] = (await ask<{ subjects: [{ subjectId: string }] }>('me')).subjects;
  const { yearGroups } = await ask<Structure>(`structure?subjectId=${subjectId}`);
  const { yearGroupId, sets } = yearGroups.find(({ year }) => year === 11)!;
  const { students, tests } = await ask<Markbook>(`markbook?yearGroupId=${yearGroupId}`);
  const { setId, admissionNo, name } = students.find((student) => student.name === 'Powell, Mia')!;
  const [testId = ''] = tests.map((test) => test.testId);
  const { questions } = await ask<AssessmentContents>(`assessment?testId=${testId}`, admin);
  const first = questions.find(({ number }) => number === 1)!;
  const others = questions.filter((question) => question !== first).toSorted((a, b) => a.number - b.number);
  expect(sets.map((set) => set.setId)).toContain(setId);

  // A mark at the maximum is uploaded and undone, and then the maximum is lowered.
  const most = first.marksAvailable;
  const rows = [{ admissionNo, name, marks: [most + 1] }];
  await act('EditQuestions', { testId, questions: [{ ...asTyped(first), marksAvailable: most + 1 }, ...others.map(asTyped)] }, admin);
  await expect
    .poll(async () =>
      (await ask<AssessmentContents>(`assessment?testId=${testId}`, admin)).questions.some(
        ({ marksAvailable }) => marksAvailable === most + 1,
      ),
    )
    .toBe(true);
  const { entryId, commandId } = await act('UploadMarks', { subjectId, testId, setIds: [setId], rows, fileName: 'one.csv' });
  await act('UndoCommand', { entryId, commandId });
  await act('EditQuestions', { testId, questions: [first, ...others].map(asTyped) }, admin);

  await page.goto('/leader');
  const redo = page.getByRole('button', { name: /^Redo one.csv/ });
  await redo.click();
  const asks = await noticeOf(page, 'one.csv: 1 mark is above today’s maximum. They can come back all the same, and are marked as such.');
  expect(await redo.count()).toBe(1);
  await asks.getByRole('button', { name: 'Redo anyway' }).click();
  await noticeOf(page, 'one.csv is in force again.');
  await page.getByRole('button', { name: /^Undo one.csv/ }).waitFor();

  await page.goto('/leader/markbook?year=11&find=Powell');
  const cell = page.locator('td[data-column]').filter({ hasText: 'a question mark is above its maximum' });
  await cell.click();
  const dialog = page.getByRole('dialog', { name: /^Powell, Mia/ });
  await dialog.getByText('a question mark is above its maximum').waitFor();
  await dialog.getByText('Above the maximum. Correct the mark, or the maximum of the question:').waitFor();
  await dialog.getByText(`Question 1: ${most + 1} of ${most}`).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
});

const asTyped = ({ questionId, topic, marksAvailable }: AssessmentContents['questions'][number]) => ({ questionId, topic, marksAvailable });
