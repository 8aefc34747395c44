import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { CellHistory } from '../../api/marks/marks.contract.ts';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import { act, ask } from './calls.ts';
import { data } from './marktrail.ts';
import { knowing } from './profiles.ts';

/** The marks of the data set by StudentID, in the order of the questions. */
export const marksOfData = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readFileSync(data('results_upload.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => {
        const [, id = '', rest = ''] = /^([^,]*),"[^"]*",(.*)$/.exec(line) ?? [];
        return [id, rest.split(',')] as const;
      }),
  );

const answer = async <Answer>(page: Page, path: string): Promise<Answer> =>
  (await (await page.request.get(`/api/queries/${path}`, { headers: await knowing(page.context()) })).json()) as Answer;

/** The ids of a class and of an assessment: left out, the first. Asked once by each page. */
export const placeOf = async (page: Page, set: string, test?: string): Promise<Place> => {
  const known = places.get(page) ?? new Map<string, Promise<Place>>();
  places.set(page, known);
  const key = `${set}: ${test}`;
  const place = known.get(key) ?? lookUp(page, set, test);
  known.set(key, place);
  return place;
};

type Place = { readonly subjectId: string; readonly setId: string; readonly testId: string };
const places = new WeakMap<Page, Map<string, Promise<Place>>>();

const lookUp = async (page: Page, set: string, test?: string): Promise<Place> => {
  const subjectId = (await answer<Me>(page, 'me')).subjects[0]?.subjectId ?? '';
  const { yearGroups, tests } = await answer<Structure>(page, `structure?subjectId=${subjectId}`);
  const setId = yearGroups.flatMap(({ sets }) => sets).find(({ name }) => name === set)?.setId ?? '';
  return { subjectId, setId, testId: (test === undefined ? tests[0] : tests.find(({ name }) => name === test))?.testId ?? '' };
};

/** Waits until the page says that all that was typed is stored. */
export const saved = (page: Page): Promise<void> => page.getByText(/^Saved \d\d:\d\d\b/).waitFor();

/** What the server has of a class, with all that the person's pages have stored: after `saved` it is asked once. */
export const sheetOf = async (page: Page, set: string, test?: string): Promise<Sheet> => {
  const { setId, testId } = await placeOf(page, set, test);
  return answer<Sheet>(page, `sheet?setId=${setId}&testId=${testId}`);
};

/** Opens the sheet of a class at an assessment, left out: the first, in the user's own area; an admin's is the leaders'. */
export const openSheet = async (page: Page, set: string, test?: string): Promise<void> => {
  const { testId } = await placeOf(page, set, test);
  const { role } = await answer<Me>(page, 'me');
  await page.goto(`/${role === 'admin' ? 'leader' : role}/marks?year=11&set=${set}&test=${testId}`);
  await page.getByRole('grid', { name: /^Marks of/ }).waitFor();
};

/** The cell of a student and a question, from 1. */
export const cellOf = (page: Page, name: string, question: number) =>
  page.getByRole('row', { name: new RegExp(`^${name}`) }).locator(`[data-column="${question - 1}"]`);

/** Types a mark into the cell of a student and a question, from 1. */
export const typeMark = async (page: Page, name: string, question: number, mark: number | string): Promise<void> => {
  await cellOf(page, name, question).click();
  await page.keyboard.type(String(mark));
};

/** Each change of a mark, as the log tells: of the student in a row, from 0, and a question, from 1. */
export const changesOf = async (page: Page, { testId, students, questions }: Sheet, row: number, question: number): Promise<Changes> => {
  const ids = `testId=${testId}&studentId=${students[row]?.studentId}&questionId=${questions[question - 1]?.questionId}`;
  return (await answer<CellHistory>(page, `cell?${ids}`)).changes;
};

type Changes = CellHistory['changes'];

/** Pastes a text as it lies on the clipboard of a spreadsheet. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** The field of a student in a sheet of totals. */
export const totalCell = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('row', { name: new RegExp(`^${name}`) }).locator('[data-column="0"]');

export const typeTotal = async (dialog: Locator, name: string, text: string): Promise<void> => {
  await totalCell(dialog, name).click();
  await dialog.getByLabel(`${name}, Total of`).fill(text);
};

/** What the field shows, whether it is the one that is typed into or not. */
export const totalShown = (dialog: Locator, name: string): Promise<string> =>
  totalCell(dialog, name).evaluate((cell) => cell.querySelector('input')?.value ?? cell.firstChild?.textContent ?? '');

/** The marks of the data set become those of a class in its first assessment; `page` is of somebody who may write there. */
export const uploadMarksOfData = async (page: Page, set: string): Promise<Sheet> => {
  const { subjectId, setId, testId } = await placeOf(page, set);
  const { students, questions } = await sheetOf(page, set);
  const marks = marksOfData();
  const rows = students.map(({ admissionNo, name }) => ({
    admissionNo,
    name,
    marks: (marks.get(admissionNo ?? '') ?? []).slice(0, questions.length).map(Number),
  }));
  const { position } = await act(page.request, 'UploadMarks', { subjectId, testId, setIds: [setId], fileName: 'marks.csv', rows });
  return ask<Sheet>(page.request, `sheet?setId=${setId}&testId=${testId}`, position);
};
