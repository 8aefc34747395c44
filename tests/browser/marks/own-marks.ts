import type { Locator, Page } from 'playwright-core';
import type { SubmissionPage } from '../../../api/marks/submissions/submissions.contract.ts';
import { act, ask, enter, type Acted } from '../calls.ts';
import { knowing } from '../profiles.ts';
import { placeOf, sheetOf } from '../sheet.ts';

/** Students enter the marks of the examination for themselves, on their phones. */
export const PHONE = { viewport: { width: 390, height: 800 } };
export const MISMATCH = '*This submitted feedback does not match the total your teacher uploaded';

export const field = (page: Page, question: number): Locator => page.getByRole('textbox', { name: new RegExp(`^Question ${question}\\b`) });
export const press = (page: Page, button: string, question: number): Promise<void> =>
  page.getByRole('button', { name: `${button}, question ${question}`, exact: true }).click();
export const submitButton = (page: Page): Locator => page.getByRole('button', { name: 'Submit', exact: true });

/** What the server has of the student who is signed in, with all that their pages have stored. */
export const submissionOf = async (page: Page, testId: string): Promise<SubmissionPage> =>
  ask(page.request, `submission?testId=${testId}`, (await knowing(page.context()))['X-Min-Position'] ?? null);
export const marksOf = async (page: Page, testId: string) => (await submissionOf(page, testId)).questions.map(({ mark }) => mark);

/** The examination of 11X1, as its teacher has it, who is signed in on `page`. */
export const examinationOf = async (page: Page) => {
  const { subjectId, setId, testId } = await placeOf(page, '11X1');
  const { students, questions } = await sheetOf(page, '11X1');
  const studentOf = (name: string) => students.find((one) => one.name === name);
  const totals = new Map(students.map(({ name, total }) => [name, total ? [total.value] : []]));
  return {
    testId,
    setId,
    full: questions.reduce((sum, { max }) => sum + max, 0),
    /** The teacher's total of a student becomes another, or goes. */
    enterTotal: (name: string, is: number | 'cleared') => {
      const was = totals.get(name);
      totals.set(name, is === 'cleared' ? [] : [is]);
      return enter(page.request, subjectId, [{ studentId: studentOf(name)?.studentId, testId, is, was }]);
    },
    /** What a student has submitted before may be entered anew. */
    reopen: (name: string) => act(page.request, 'ReopenFeedback', { testId, studentId: studentOf(name)?.studentId }),
  };
};

/** Students' pages hear of no change: the next one that opens shows what was done. */
export const told = (page: Page, { position }: Acted): Promise<unknown> => ask(page.request, 'to-submit', position);

/** What of marks is kept in this browser, as text. */
export const keptOnDevice = (page: Page, databases = ['marktrail-drafts', 'marktrail-offline']): Promise<string[]> =>
  page.evaluate(async (names) => {
    const answerOf = <Answer>(request: IDBRequest<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
      });
    const rows: string[] = [];
    for (const name of names) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of [...database.objectStoreNames].filter((one) => one !== 'student'))
        rows.push(...(await answerOf(database.transaction(store).objectStore(store).getAll())).map((row) => JSON.stringify(row)));
      database.close();
    }
    return rows;
  }, databases);

/** The paths of what the browser keeps of the app, so that it opens without a network. */
export const keptOfApp = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const caching = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return caching.flat().map(({ url }) => new URL(url).pathname);
  });
