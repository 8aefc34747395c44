import { readFileSync } from 'node:fs';
import type { APIRequestContext, BrowserContext, Locator, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { startEventStore } from '../support/eventstoredb/server.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { openMailbox } from '../support/mailbox.ts';
import type { OidcProvider } from '../support/oidc.ts';
import { openOidcProvider } from '../support/oidc.ts';
import { buildSchoolWithoutPast, marktrailCommand, temporaryDataDir } from '../support/marktrail.ts';
import { madeOnce } from '../support/made-once.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { testDatabase } from '../support/postgres.ts';
import { demoSchool } from '../support/started-data-dir.ts';
import type { ProfileOptions } from './profiles.ts';
import { openCaller, openProfiles, refusals, signInByCall } from './profiles.ts';
import { served, servedApart, type Served } from './served.ts';

/**
 * A running product with its demo school, and a browser, for all tests of a file; started anew after a test that failed. `empty`: instead
 * of the demo school an empty one, made by `marktrail school create` with this admin. `past`: the demo school as its users get it, built by
 * a first start; otherwise it has no past (`buildSchoolWithoutPast`). `apart`: in a process of its own, which can be killed.
 * TEST_LOG=eventstoredb: the log is on the stand-in for EventStoreDB.
 */
export const marktrailInBrowser = ({ mail = false, social = false, past = false, apart = false, empty }: Wanted = {}): {
  url(): string;
  /** The first password of the empty school's admin, as printed on the command line. */
  firstPassword(): string;
  /** The mail server; needs `mail: true`. */
  mailbox(): Mailbox;
  /** The provider for social sign-in; needs `social: true`. */
  provider(): OidcProvider;
  /** Kills the server, as a power cut does; needs `apart: true`. Resolves to the way to start it again, on the same data and at the same address. */
  killed(): Promise<() => Promise<void>>;
  /** A visitor who is not signed in, in a browser profile of their own. */
  visitor(options?: ProfileOptions): Promise<Page>;
  /** Somebody who is signed in and has opened no page yet. */
  signedIn(email: string, options?: ProfileOptions): Promise<Page>;
  /** Somebody who is signed in and needs no page, for what is asked of the server only. */
  caller(email: string): Promise<APIRequestContext>;
  /** Somebody who is signed in and looks at `at`. */
  person(email: string, options: ProfileOptions & { readonly at: string }): Promise<Page>;
} => {
  let mailbox: Mailbox | undefined;
  let provider: OidcProvider | undefined;
  let address = '';
  let firstPassword: string | undefined;
  let kill: (() => Promise<() => Promise<void>>) | undefined;

  openedAnew(async (atEnd) => {
    await madeOnce('apps');
    const eventStore = process.env['TEST_LOG'] === 'eventstoredb' ? await startEventStore() : undefined;
    if (eventStore) atEnd(() => eventStore.stop());
    const { dataDir, database } =
      eventStore || empty ? { dataDir: temporaryDataDir(), database: await testDatabase() } : await demoSchool({ past });
    atEnd(() => dataDir.remove());
    atEnd(() => database.drop());
    const where = { DATA_DIR: dataDir.path, DATABASE_URL: database.url, ...(eventStore ? { EVENTSTORE_URL: eventStore.url } : {}) };
    if (eventStore && !empty && !past) await buildSchoolWithoutPast(where);
    const mails = mail ? await openMailbox() : undefined;
    if (mails) atEnd(() => mails.close());
    // The redirect address is known when the server listens.
    const callback = Promise.withResolvers<string>();
    const identities = social ? await openOidcProvider(callback.promise) : undefined;
    if (identities) atEnd(() => identities.close());
    if (empty) {
      const words = ['--name', 'Greenfield Academy', '--admin', 'Ada Nwosu', '--email', empty.admin];
      const said = await marktrailCommand(where, 'school', 'create', ...words);
      firstPassword = /password +(\S+)/.exec(said)?.[1];
    }
    const settings = {
      ...where,
      DEMO: past ? 'yes' : 'no',
      ...(identities ? settingsOf(identities) : {}),
      ...(mails ? { SMTP_URL: mails.url } : {}),
    };
    const start = apart ? servedApart : served;
    let server: Served = await start(settings);
    atEnd(() => server.close());
    ({ address } = server);
    kill = async () => {
      await server.kill();
      return async () => {
        server = await start({ ...settings, PORT: new URL(address).port });
      };
    };
    callback.resolve(`${address}/api/identity/callback/school`);
    [mailbox, provider] = [mails, identities];
    // Proves that the log is on the chosen store.
    if (eventStore) expect(eventStore.size).toBeGreaterThan(10);
  });

  const profiles = openProfiles(() => address);
  const calling: APIRequestContext[] = [];
  afterEach(async ({ task }) => {
    const isSpoilt = task.result?.state === 'fail';
    if (isSpoilt) console.log(await shownBy(profiles.contexts()));
    await Promise.all([profiles.giveBack({ isSpoilt }), ...calling.splice(0).map((caller) => caller.dispose())]);
    expect(refusals()).toEqual([]);
  });

  /** In a browser profile of their own, where the cookie question is answered already. */
  const signedIn = async (email: string, options: ProfileOptions = {}): Promise<Page> => {
    const page = await profiles.page(options);
    await page.context().addCookies([{ name: 'marktrail_consent', value: 'declined', url: address }]);
    await signInByCall(page.request, address, email);
    return page;
  };

  return {
    url: () => address,
    firstPassword() {
      if (firstPassword === undefined) throw new Error('This test has asked for no empty school.');
      return firstPassword;
    },
    mailbox() {
      if (!mailbox) throw new Error('This test has asked for no mailbox.');
      return mailbox;
    },
    provider() {
      if (!provider) throw new Error('This test has asked for no provider.');
      return provider;
    },
    killed() {
      if (!kill) throw new Error('Nothing runs yet.');
      return kill();
    },
    visitor: profiles.page,
    signedIn,
    async caller(email) {
      const caller = await openCaller(address);
      calling.push(caller);
      await signInByCall(caller, address, email);
      return caller;
    },
    async person(email, { at, ...options }) {
      const page = await signedIn(email, options);
      await page.goto(at);
      await page.getByRole('button', { name: 'Logout' }).waitFor();
      return page;
    },
  };
};

type Wanted = {
  readonly mail?: boolean;
  readonly social?: boolean;
  readonly past?: boolean;
  readonly apart?: boolean;
  readonly empty?: { readonly admin: string };
};

const settingsOf = ({ issuer, clientId, clientSecret, name }: OidcProvider) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: name,
});

/** `goTo: false`: the log-in page is already open. */
export const signIn = async (page: Page, email: string, { goTo = true } = {}): Promise<void> => {
  if (goTo) await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('marktrail-demo');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
};

/** A file of the real data set. */
export const data = (name: string): URL => new URL(`../data/mathexam/${name}`, import.meta.url);

/** The real totals, changed by `change`: the total and the student's row, from 0. */
export const totalsFile = (
  change: (total: number, row: number) => number | '' = (total) => total,
): { name: string; mimeType: string; buffer: Buffer } => {
  const [header = '', ...rows] = readFileSync(data('totals_upload.csv'), 'utf8').trim().split(/\r?\n/);
  const changed = rows.map((row, index) => row.replace(/,(\d+),,,,,$/, (_, total: string) => `,${change(Number(total), index)},,,,,`));
  return { name: 'totals_upload.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...changed].join('\n')) };
};

/** A totals file with these rows. */
export const totalsOf = (
  rows: readonly (readonly [id: string, name: string, total: number])[],
): { name: string; mimeType: string; buffer: Buffer } => ({
  name: 'class.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6',
      ...rows.map(([id, name, total]) => `${id},"${name}",${total},,,,,`),
    ].join('\r\n'),
  ),
});

export const resultsFile = (): { name: string; mimeType: string; buffer: Buffer } => ({
  name: 'results_upload.csv',
  mimeType: 'text/csv',
  buffer: readFileSync(data('results_upload.csv')),
});

type File = { name: string; mimeType: string; buffer: Buffer };

/** Opens the totals dialog and uploads a file up to the preview. */
export const previewTotals = async (page: Page, file: File, satOn?: string): Promise<void> => {
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload Student Assessment Totals' });
  await dialog.locator('input[type=file]').setInputFiles(file);
  if (satOn !== undefined) {
    await dialog.getByRole('button', { name: 'Change the date' }).click();
    await dialog.getByLabel('Date sat').fill(satOn);
  }
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByRole('button', { name: 'Confirm Assessments' }).click();
  await dialog.getByRole('button', { name: 'View Upload Data' }).click();
};

/** Stores the totals that are previewed. */
export const commitTotals = async (page: Page): Promise<void> => {
  const dialog = dialogOf(page, 'Upload Student Assessment Totals');
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog
    .getByText(/total.* stored/)
    .first()
    .waitFor();
};

export const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });

export const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

/** The newest notice with this text. In tests notices stay until they are dismissed. */
export const noticeOf = async (page: Page, says: string): Promise<Locator> => {
  const notice = page
    .getByRole('region', { name: /^Notices/ })
    .locator(':scope > *')
    .filter({ hasText: says })
    .last();
  await notice.waitFor();
  return notice;
};

/** Keeps what the page asks for from it until `letGo` is called; `answered`: the server has answered one. */
export const heldBack = async (
  page: Page,
  url: string,
): Promise<{ readonly answered: Promise<void>; readonly letGo: () => Promise<void> }> => {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  return {
    answered: answered.promise,
    letGo: () => {
      released.resolve();
      return page.unrouteAll({ behavior: 'wait' });
    },
  };
};

/** Searches a list for one record, and waits until it stands there alone: a row that moves under the pointer is not clicked. */
export const searchForOne = async (page: Page, label: string, words: string): Promise<void> => {
  await page.getByLabel(label).fill(words);
  await page.getByText('1–1 of 1').waitFor();
};

/** Presses Undo in the notice with this text, once `gone` has disappeared. */
export const undo = async (page: Page, says: string, gone?: Locator): Promise<void> => {
  const notice = await noticeOf(page, says);
  await gone?.waitFor({ state: 'detached' });
  await notice.getByRole('button', { name: 'Undo' }).click();
};

/** Answers the question before something typed is lost. */
export const whenAsked = async (page: Page, answer: 'Stay here' | 'Leave all the same'): Promise<void> => {
  const question = dialogOf(page, 'Leave without saving?');
  await question.getByRole('button', { name: answer }).click();
  await question.waitFor({ state: 'detached' });
};

/** A day in June before the newest school year of the demo school (run/demo/calendar.ts), as a date field takes it. */
export const lastJune = (): string => {
  const now = new Date();
  const tenWeeksIn = Date.UTC(now.getUTCFullYear(), 8, 1) + 70 * 24 * 3_600_000;
  return `${now.getTime() >= tenWeeksIn ? now.getUTCFullYear() : now.getUTCFullYear() - 1}-06-20`;
};

/** What each page shows, as a screen reader is told it. */
const shownBy = async (contexts: readonly BrowserContext[]): Promise<string> => {
  const pages = contexts.flatMap((context) => context.pages());
  const shown = await Promise.allSettled(pages.map((page) => page.locator('body').ariaSnapshot()));
  return shown
    .map((one, at) => `${pages[at]?.url()}\n${one.status === 'fulfilled' ? one.value.slice(0, 6_000) : String(one.reason)}`)
    .join('\n\n');
};
