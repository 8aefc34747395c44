import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import { ask } from '../../../browser/calls.ts';
import { keptOnDevice, submissionOf } from '../../../browser/marks/own-marks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { openSheet, placeOf, sheetOf } from '../../../browser/sheet.ts';

/**
 * What earlier versions left unsent in a browser is read and sent after an upgrade. The rows are spelled out as those versions wrote them,
 * without today's code: their names and keys can never change.
 */
const marktrail = marktrailInBrowser();

type Rows = { readonly drafts: readonly object[]; readonly batches: readonly object[] };
/** What pages that closed could not write any more, in the browser's local storage. */
const JOURNAL = 'marktrail-journal-';

/** Leaves rows and journals in the browser before any page of the product opens there. */
const left = async (page: Page, { drafts, batches }: Rows, journals: Readonly<Record<string, string>> = {}): Promise<void> => {
  await page.route('**/before-the-upgrade', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Before</title>' }),
  );
  await page.goto('/before-the-upgrade');
  await page.evaluate(
    async ([rows, texts]) => {
      for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('marktrail-drafts', 1);
        opening.onupgradeneeded = () => {
          for (const table of ['drafts', 'batches']) opening.result.createObjectStore(table, { keyPath: ['accountId', 'key'] });
        };
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB is refused'));
      });
      await new Promise<void>((resolve, reject) => {
        const writing = database.transaction(['drafts', 'batches'], 'readwrite');
        for (const row of rows.drafts) writing.objectStore('drafts').put(row);
        for (const row of rows.batches) writing.objectStore('batches').put(row);
        writing.oncomplete = () => resolve();
        writing.onabort = () => reject(writing.error ?? new Error('IndexedDB is full'));
      });
      database.close();
    },
    [{ drafts, batches }, journals] as const,
  );
};

/** The rows that are left in the browser. */
const leftIn = (page: Page): Promise<readonly string[]> => keptOnDevice(page, ['marktrail-drafts']);

const accountOf = async (page: Page): Promise<string> => (await ask<Me>(page.request, 'me')).accountId;

/** The commands of this name that the page sends: idempotency key and input. */
const sentBy = (page: Page, command: string) => {
  const sent: { key: string | undefined; body: unknown }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/commands/${command}`))
      sent.push({ key: request.headers()['idempotency-key'], body: request.postDataJSON() });
  });
  return sent;
};

test('marks of staff: single rows, a pasted block, attendance, saves with and without an answer, and what closing pages left', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const accountId = await accountOf(page);
  const { subjectId, setId, testId } = await placeOf(page, '11X1');
  const { students, questions } = await sheetOf(page, '11X1');
  const [one = '', two = '', three = '', four = ''] = students.map(({ studentId }) => studentId);
  const ids = questions.map(({ questionId }) => questionId);
  const place = `${subjectId} ${setId} ${testId}`;
  const at = Date.now() - 60_000;
  const [uncertain, unanswered] = [randomUUID(), randomUUID()];
  const entries = [randomUUID(), randomUUID()] as const;
  const saved = (studentId: string, entryId: string) => ({
    entryId,
    subjectId,
    seq: 3,
    cells: [{ studentId, testId, questionId: ids[0], is: 1, was: [] }],
    typedAt: '2026-01-15T09:30:00.000Z',
    as: '',
  });
  const pasted = ids.slice(0, 9).map((questionId) => [`mark ${place} ${two} ${questionId}`, { value: '0', saw: '', as: '' }] as const);
  await left(
    page,
    {
      drafts: [
        // The oldest rows have no order, no time, and nobody as whom they were typed.
        { accountId, key: `mark ${place} ${one} ${ids[1]}`, is: { value: '01', saw: '' } },
        { accountId, key: `block ${randomUUID()}`, order: at, is: Object.fromEntries(pasted), at },
        // Typed over after it was pasted.
        { accountId, key: `mark ${place} ${two} ${ids[0]}`, order: at + 1, is: { value: ' 1', saw: '', as: '' }, at },
        { accountId, key: `attendance ${place} ${four}`, order: at, is: { value: 'absent', saw: '', as: '' }, at },
        { accountId, key: `mark ${place} ${one} ${ids[0]}`, order: at, is: { value: '1', saw: '', as: '' }, at },
        { accountId, key: `mark ${place} ${three} ${ids[0]}`, order: at, is: { value: '1', saw: '', as: '' }, at },
      ],
      batches: [
        {
          accountId,
          key: uncertain,
          is: { id: uncertain, values: { [`mark ${place} ${one} ${ids[0]}`]: '1' }, input: saved(one, entries[0]), uncertain: true },
          at,
        },
        {
          accountId,
          key: unanswered,
          is: { id: unanswered, values: { [`mark ${place} ${three} ${ids[0]}`]: '1' }, input: saved(three, entries[1]) },
          at,
        },
      ],
    },
    {
      // Typed, and taken back, after it was pasted.
      [`${JOURNAL}${randomUUID()}`]: JSON.stringify([
        { accountId, key: `mark ${place} ${two} ${ids[1]}`, order: at + 2, is: { value: '1', saw: '', as: '' }, at },
        { accountId, key: `mark ${place} ${two} ${ids[2]}`, order: at + 2, isGone: true },
      ]),
      [`${JOURNAL}spoilt`]: '{"',
    },
  );

  const sent = sentBy(page, 'EnterMarks');
  await openSheet(page, '11X1');
  await expect.poll(() => leftIn(page)).toEqual([]);
  const stored = (await sheetOf(page, '11X1')).students;
  const marksOf = (studentId: string) => stored.find((student) => student.studentId === studentId)?.cells.map((cell) => cell?.value);
  expect(marksOf(one)?.slice(0, 3)).toEqual([1, 1, undefined]);
  expect(marksOf(two)?.slice(0, 9)).toEqual([1, 1, undefined, 0, 0, 0, 0, 0, 0]);
  expect(marksOf(three)?.slice(0, 2)).toEqual([1, undefined]);
  expect(stored.find(({ studentId }) => studentId === four)).toMatchObject({ attendance: { value: 'absent' } });
  // What may have been stored goes as it was sent before, under its own key.
  const { as: _, ...input } = saved(one, entries[0]);
  expect(sent.filter(({ key }) => key === uncertain)).toEqual([{ key: uncertain, body: input }]);
  expect(sent.filter(({ key }) => key === unanswered)).toHaveLength(1);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).not.toContainEqual(expect.stringMatching(JOURNAL));
});

test('a student’s own marks: typed ones, a save without an answer, and what was submitted without a network', async () => {
  const { testId } = await placeOf(await marktrail.signedIn('teacher1@demo.example'), '11X1');
  const open = async (email: string) => {
    const page = await marktrail.signedIn(email, { viewport: { width: 390, height: 800 } });
    const submission = () => submissionOf(page, testId);
    return { page, accountId: await accountOf(page), submission, questions: (await submission()).questions };
  };
  const at = Date.now() - 60_000;

  const typing = await open('student1@demo.example');
  const [first, second, third] = typing.questions.map(({ questionId }) => questionId);
  const unanswered = randomUUID();
  const input = { testId, marks: [{ questionId: third, mark: 0 }] };
  await left(typing.page, {
    drafts: [
      { accountId: typing.accountId, key: `own ${testId} ${first}`, is: { value: 1, saw: null } },
      { accountId: typing.accountId, key: `own ${testId} ${second}`, order: at, is: { value: 0, saw: null }, at },
      { accountId: typing.accountId, key: `own ${testId} ${third}`, order: at, is: { value: 0, saw: null }, at },
    ],
    batches: [
      {
        accountId: typing.accountId,
        key: unanswered,
        is: { id: unanswered, values: { [`own ${testId} ${third}`]: 0 }, input: { kind: 'save', input }, uncertain: true },
        at,
      },
    ],
  });
  const saved = sentBy(typing.page, 'SaveFeedback');
  await typing.page.goto('/student');
  await expect.poll(() => leftIn(typing.page)).toEqual([]);
  expect((await typing.submission()).questions.slice(0, 4).map(({ mark }) => mark)).toEqual([1, 0, 0, null]);
  expect(saved.filter(({ key }) => key === unanswered)).toEqual([{ key: unanswered, body: input }]);

  const submitting = await open('student2@demo.example');
  const marks = submitting.questions.map(({ questionId, max }) => ({ questionId, mark: max }));
  await left(submitting.page, {
    drafts: [{ accountId: submitting.accountId, key: `submit ${testId}`, order: at, is: { value: marks, saw: null }, at }],
    batches: [],
  });
  const submitted = sentBy(submitting.page, 'SubmitFeedback');
  await submitting.page.goto('/student');
  await expect.poll(() => leftIn(submitting.page)).toEqual([]);
  expect(submitted.map(({ body }) => body)).toEqual([{ testId, marks }]);
  expect((await submitting.submission()).confirmedTotal).toBe(marks.reduce((sum, { mark }) => sum + mark, 0));
});
