import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { isLeaving } from '../api/signed-out.ts';
import type { RowOfAccount } from './database.ts';
import { answerOf, browserDatabase, forgetOthers, ofAccount } from './database.ts';

/**
 * What lets a student's page of own marks open without a network, in the browser's IndexedDB: the id of who was signed in last, if that was a
 * student, and the tests that they are entering, separately for each account: ids, numbers, maxima and marks, no names (docs/personal-data.md).
 * Nothing here is needed: where the browser refuses, the page opens with the network only.
 */

/** ms. A student who has not been seen for longer logs in first, even if that needs the network. */
const MOST_AGE = 24 * 3_600_000;

/** `accountId`: that of the student who is signed in; undefined: somebody else is. */
export const rememberStudent = (accountId: string | undefined): Promise<void> =>
  inStore('student', 'readwrite', (store) =>
    accountId === undefined ? store.delete(LAST) : store.put({ is: LAST, accountId, at: Date.now() } satisfies Last),
  ).then(ignore, ignore);

/** The student who was signed in in this browser last, unless somebody else was since. */
export const rememberedStudent = async (): Promise<string | undefined> => {
  const last = (await inStore('student', 'readonly', (store) => store.get(LAST)).catch(ignore)) as Last | undefined;
  return last && last.at > Date.now() - MOST_AGE ? last.accountId : undefined;
};

/** Keeps no names, no topics, and nothing that staff have entered. */
export const keepPaper = (accountId: string, page: SubmissionPage): Promise<void> => {
  // After a log-out nothing is kept, even if the server still answers.
  if (isLeaving()) return Promise.resolve();
  const questions = page.questions.map((one) => ({ ...one, topic: '', staff: null }));
  const row: Row = { accountId, testId: page.testId, page: { ...page, name: '', questions }, at: Date.now() };
  return inStore('papers', 'readwrite', (store) => store.put(row)).then(ignore, ignore);
};

export const keptPaper = async (accountId: string, testId: string): Promise<SubmissionPage | undefined> => {
  const row = (await inStore('papers', 'readonly', (store) => store.get([accountId, testId])).catch(ignore)) as Row | undefined;
  return row?.page;
};

export const dropPaper = (accountId: string, testId: string): Promise<void> =>
  inStore('papers', 'readwrite', (store) => store.delete([accountId, testId])).then(ignore, ignore);

/** After a log-out. */
export const forgetOffline = async (accountId: string): Promise<void> => {
  await rememberStudent(undefined);
  await inStore('papers', 'readwrite', (store) => store.delete(ofAccount(accountId))).catch(ignore);
};

/** Deletes the tests that other accounts than this one have left on the device. */
export const forgetAbandonedPapers = (accountId: string): Promise<void> => forgetOthers(database, ['papers'], accountId);

const LAST = 'last';
type Last = { readonly is: typeof LAST; readonly accountId: string; readonly at: number };
type Row = RowOfAccount & { readonly testId: string; readonly page: SubmissionPage };

const ignore = (): undefined => undefined;

const database = browserDatabase('marktrail-offline', 1, (made) => {
  made.createObjectStore('student', { keyPath: 'is' });
  made.createObjectStore('papers', { keyPath: ['accountId', 'testId'] });
});

const inStore = (name: 'student' | 'papers', mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> =>
  database.transaction(mode, (table) => answerOf<unknown>(act(table(name))));
