import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { app } from '../../api/http/app.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { openBackend } from '../../run/backend.ts';
import { demoSchool } from '../../run/demo/demo.ts';
import { listen } from '../../run/http/http-server.ts';
import { appServer } from '../../run/http/static.ts';
import { Wire } from '../faults/wire.ts';
import { madeOnce } from '../support/made-once.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY, SIGNING_KEY } from '../support/product.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { dialogOf, previewTotals, signIn, totalsOf } from './marktrail.ts';
import { openBrowser } from './shared-browser.ts';

/** The log can be taken away while its database stays, and sessions can be ended: what do people at work see, and what becomes of it? */
const TOTALS = 'Upload Student Assessment Totals';
const NOT_NOW = 'Marks cannot be stored just now. Nothing that you typed is lost';

let database: TestDatabase;
let wire: Wire;
let browser: Browser;
let address: string;

openedAnew(async (atEnd) => {
  await madeOnce('apps');
  const dataDir = temporaryDataDir();
  atEnd(() => dataDir.remove());
  database = await testDatabase();
  atEnd(() => database.drop());
  wire = await Wire.to(database.url);
  atEnd(() => wire.close());
  const http = await listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${http.port}`;
  const backend = await openBackend({
    databaseUrl: database.url,
    store: postgresStore({ connectionString: wire.url }),
    dataDir: dataDir.path,
    headsFile: join(dataDir.path, 'heads.ndjson'),
    forgettingsFile: join(dataDir.path, 'forgettings.ndjson'),
    masterKey: MASTER_KEY,
    signingKey: SIGNING_KEY,
    publicUrl: address,
    role: 'all',
    tell: () => undefined,
  });
  atEnd(() => backend.close());
  atEnd(() => http.close());
  const stopping = new AbortController();
  atEnd(() => stopping.abort());
  await demoSchool(backend, () => undefined);
  const product = app({
    ...backend,
    positions: () => backend.progress.positions(),
    onCommitted: (listener) => backend.progress.onCommitted(listener),
    waitFor: (models, position, timeoutMs) => backend.progress.waitFor(models, position, timeoutMs),
    publicUrl: address,
    serveApp: appServer(),
    stopping: stopping.signal,
    log: pino({ level: 'silent' }),
  });
  http.answerWith((request, environment) => product.fetch(request, environment));
  const launched = await openBrowser();
  browser = launched;
  atEnd(() => launched.close());
});

afterEach(() => wire.speak());

const person = async (email: string, width = 1440): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: address, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await signIn(page, email);
  return page;
};

/** Opens the form for a class of his. */
const typing = async (page: Page, set: string) => {
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: set });
  await dialog.getByLabel('Edwards, Sophie').or(dialog.getByRole('textbox').first()).first().waitFor();
  return dialog;
};

const query = async (sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
};

const endSessions = () => query(`delete from identity.session`);

/** The saves of a command's kind in the log, and what counts for the student now. */
const typedEvents = async (): Promise<number> => (await query(`select from log.events where type = 'MarksEntered'`)).rowCount ?? 0;
const totalOf = async (admissionNo: string): Promise<number | null> =>
  (
    await query(`select m.total from read.markbook m join read.students s using (school_id, student_id) where s.admission_no = $1`, [
      admissionNo,
    ])
  ).rows[0]?.total ?? null;

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
};

test.each([[1440], [390]])('what is typed while the log is away stays, and is stored once when it is back, at %i px', async (width) => {
  const page = await person('teacher1@demo.example', width);
  const before = await typedEvents();
  const mark = String(width % 20);
  const dialog = await typing(page, '11X1');
  await dialog.getByLabel('Edwards, Sophie').fill(mark);
  wire.silence();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByText(NOT_NOW).waitFor();
  await picture(page, `log-away-form-${width}`);

  // He types on meanwhile.
  await dialog.getByLabel('Kowalski, Joseph').fill('11');
  wire.speak();
  await dialog.getByText('1 total changed').waitFor();
  await expect.poll(() => dialog.getByLabel('Kowalski, Joseph').inputValue()).toBe('11');
  await expect.poll(() => totalOf('M0001')).toBe(Number(mark));
  expect(await typedEvents()).toBe(before + 1);

  // Closed without submitting: it says so, and goes on where he was.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('1 total that you typed for 11X1, Written examination is not stored yet.').waitFor();
  await picture(page, `not-stored-yet-${width}`);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => dialogOf(page, TOTALS).getByLabel('Kowalski, Joseph').inputValue()).toBe('11');
  await dialogOf(page, TOTALS).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('not stored yet').waitFor({ state: 'detached' });
});

test('a page that is loaded anew while a save waits sends it again under the same key, and keeps what was not submitted', async () => {
  const page = await person('teacher1@demo.example');
  const before = await typedEvents();
  const dialog = await typing(page, '11X1');
  await dialog.getByLabel('Clarke, Poppy').fill('3');
  wire.silence();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByText(NOT_NOW).waitFor();
  await dialog.getByLabel('Select Class').selectOption({ label: '11X2' });
  await dialog.getByRole('textbox').first().fill('4');
  await page.reload();
  await page.getByText(NOT_NOW).waitFor();
  await page.getByText('1 total that you typed for 11X2, Written examination is not stored yet.').waitFor();
  wire.speak();
  await page.getByText(NOT_NOW).waitFor({ state: 'detached' });
  await expect.poll(() => totalOf('M0004')).toBe(3);
  expect(await typedEvents()).toBe(before + 1);

  // Logging out asks, and takes along what was typed.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('marktrail-typed')))).toEqual([]);
});

test('an upload that cannot be stored just now keeps its file and preview, and is stored once when the log is back', async () => {
  const page = await person('leader@demo.example');
  await previewTotals(page, totalsOf([['M0005', 'Mensah, Rhys', 1]]));
  const dialog = dialogOf(page, TOTALS);
  wire.cut();
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText(NOT_NOW).waitFor();
  await dialog.getByRole('row', { name: /Mensah, Rhys/ }).waitFor();
  await picture(page, 'log-away-upload');
  wire.speak();
  await dialog.getByText('1 total stored.').waitFor();
  await expect.poll(() => totalOf('M0005')).toBe(1);
  expect((await query(`select from log.events where type = 'TotalsUploaded' and data::text like '%"is":[[1]]%'`)).rowCount).toBe(1);
});

test.each([[1440], [390]])(
  'a session that ends in the middle of typing: its owner logs in over it, and it goes on, at %i px',
  async (width) => {
    const page = await person('teacher1@demo.example', width);
    const dialog = await typing(page, '11X1');
    const mark = width === 390 ? '7' : '8';
    await dialog.getByLabel('Powell, Mia').fill(mark);
    await endSessions();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill('not the password');
    await again.getByRole('button', { name: 'Login' }).click();
    await again.getByText('Login failed').waitFor();
    await picture(page, `session-ended-${width}`);
    await again.getByLabel('Password').fill('marktrail-demo');
    await again.getByRole('button', { name: 'Login' }).click();
    await again.waitFor({ state: 'detached' });
    await dialog.locator('form').getByText('Done', { exact: true }).waitFor();
    await expect.poll(() => totalOf('M0006')).toBe(Number(mark));
  },
);

test('a session that ends before an upload is committed: file, choice and preview stay', async () => {
  const page = await person('leader@demo.example');
  await previewTotals(page, totalsOf([['M0007', 'Somebody', 2]]));
  await endSessions();
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password').fill('marktrail-demo');
  await again.getByRole('button', { name: 'Login' }).click();
  await dialog.getByText('1 total stored.').waitFor();
  await expect.poll(() => totalOf('M0007')).toBe(2);
});
