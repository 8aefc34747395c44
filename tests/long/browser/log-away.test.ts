import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { app } from '../../../api/http/app.ts';
import { postgresStore } from '../../../events/store/postgres.ts';
import { openBackend } from '../../../run/backend.ts';
import { listen } from '../../../run/http/http-server.ts';
import { appServer } from '../../../run/http/static.ts';
import { Wire } from '../../faults/wire.ts';
import { madeOnce } from '../../support/made-once.ts';
import { openedAnew } from '../../support/opened-anew.ts';
import type { TestDatabase } from '../../support/postgres.ts';
import { demoSchool } from '../../support/started-data-dir.ts';
import { dialogOf, previewTotals, signIn, totalsOf } from '../../browser/marktrail.ts';
import { isGone } from '../../browser/looks.ts';
import { keptOnDevice } from '../../browser/marks/own-marks.ts';
import { openProfiles, signInByCall } from '../../browser/profiles.ts';
import { totalShown, typeTotal } from '../../browser/sheet.ts';

/** The log can be taken away while its database stays, and sessions can be ended: what do people at work see, and what becomes of it? */
const TOTALS = 'Upload Student Assessment Totals';
const NOT_NOW = 'Marks cannot be stored just now. Nothing that you typed is lost';

let database: TestDatabase;
let wire: Wire;
let address: string;

openedAnew(async (atEnd) => {
  await madeOnce('apps');
  const made = await demoSchool();
  const { dataDir } = made;
  atEnd(() => dataDir.remove());
  database = made.database;
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
    masterKey: undefined,
    signingKey: undefined,
    publicUrl: address,
    role: 'all',
    tell: () => undefined,
  });
  atEnd(() => backend.close());
  atEnd(() => http.close());
  const stopping = new AbortController();
  atEnd(() => stopping.abort());
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
});

const profiles = openProfiles(() => address);
afterEach(async ({ task }) => {
  wire.speak();
  await profiles.giveBack({ isSpoilt: task.result?.state === 'fail' });
});

const person = async (email: string, width = 1440): Promise<Page> => {
  const page = await profiles.page({ viewport: { width, height: 900 } });
  await signInByCall(page.request, address, email);
  await page.goto('/');
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  return page;
};

/** Opens the form for one of the teacher's classes. */
const typing = async (page: Page, set: string) => {
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: set });
  await dialog.getByRole('grid', { name: /^Totals of/ }).waitFor();
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

test.each([[1440], [390]])('what is typed while the log is away stays, and is stored once when it is back, at %i px', async (width) => {
  const page = await person('teacher1@demo.example', width);
  const before = await typedEvents();
  const mark = String(width % 20);
  const dialog = await typing(page, '11X1');
  await typeTotal(dialog, 'Edwards, Sophie', mark);
  wire.silence();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByText(NOT_NOW).waitFor();

  // The teacher types on meanwhile.
  await typeTotal(dialog, 'Kowalski, Joseph', '11');
  wire.speak();
  await dialog.getByText('1 total changed').waitFor();
  await expect.poll(() => totalShown(dialog, 'Kowalski, Joseph')).toBe('11');
  await expect.poll(() => totalOf('M0001')).toBe(Number(mark));
  expect(await typedEvents()).toBe(before + 1);

  // Closed without submitting: it says so, and goes on where the teacher was.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('1 total that you typed for 11X1, Written examination is not stored yet.').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => totalShown(dialogOf(page, TOTALS), 'Kowalski, Joseph')).toBe('11');
  await dialogOf(page, TOTALS).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('not stored yet').waitFor({ state: 'detached' });
});

test('a page that is loaded anew while a save waits sends it again under the same key, and keeps what was not submitted', async () => {
  const page = await person('teacher1@demo.example');
  const before = await typedEvents();
  const dialog = await typing(page, '11X1');
  await typeTotal(dialog, 'Clarke, Poppy', '3');
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
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog', { name: 'Log out without saving?' }).getByRole('button', { name: 'Log out all the same' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  await expect.poll(() => keptIn(page)).toBe(0);
});

/** How much the browser keeps of anybody's marks on this device. */
const keptIn = async (page: Page): Promise<number> => (await keptOnDevice(page, ['marktrail-drafts'])).length;

const REMINDER = '1 total that you typed for 11X1, Written examination is not stored yet.';

test('what is typed outlasts the closed page and the end of the session, in every tab, and nobody else on the device sees it', async () => {
  const page = await person('teacher1@demo.example');
  const before = await typedEvents();
  const dialog = await typing(page, '11X1');
  await dialog.locator('[data-row="8"][data-column="0"]').click();
  await page.keyboard.type('9');
  await expect.poll(() => keptIn(page)).toBe(1);
  await page.close({ runBeforeUnload: false });

  const [tab, other] = [await page.context().newPage(), await page.context().newPage()];
  for (const one of [tab, other]) {
    await one.goto('/teacher');
    await one.getByText(REMINDER).waitFor();
  }
  // The session ends, and somebody else logs in on the same device.
  await other.close();
  await endSessions();
  await tab.goto('about:blank');
  const somebody = await page.context().newPage();
  await signIn(somebody, 'leader@demo.example');
  await somebody.getByRole('button', { name: 'Upload totals' }).first().waitFor();
  await expect.poll(() => keptIn(somebody)).toBe(1);
  await isGone(somebody.getByText('not stored yet'));
  expect(await typedEvents()).toBe(before);
  await somebody.getByRole('button', { name: 'Logout' }).click();
  await somebody.waitForURL('**/login');

  // The author again, in two tabs that both submit it.
  await signIn(somebody, 'teacher1@demo.example');
  const twice = await page.context().newPage();
  await twice.goto('/teacher');
  for (const one of [somebody, twice]) {
    await one.getByText(REMINDER).waitFor();
    await one.getByRole('button', { name: 'Go on' }).click();
    await dialogOf(one, TOTALS).getByText('1 total changed').waitFor();
  }
  // Without waiting until it is enabled: one of the two is faster.
  await Promise.all([somebody, twice].map((one) => dialogOf(one, TOTALS).getByRole('button', { name: 'Submit' }).dispatchEvent('click')));
  for (const one of [somebody, twice]) await dialogOf(one, TOTALS).getByText('1 total changed').waitFor({ state: 'detached' });
  await expect.poll(() => keptIn(twice)).toBe(0);
  expect(await typedEvents()).toBe(before + 1);
});

test.each(['refuses', 'is full'] as const)('a browser that %s: it is said, and typing goes on', async (how) => {
  const page = await profiles.page({ viewport: { width: 390, height: 900 } });
  await page.addInitScript((trouble) => {
    if (trouble === 'refuses')
      IDBFactory.prototype.open = () => {
        throw new DOMException('The user denied permission to access the database.', 'SecurityError');
      };
    else
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
  }, how);
  await signIn(page, 'teacher1@demo.example');
  const before = await typedEvents();
  const dialog = await typing(page, '11X1');
  const mark = how === 'refuses' ? '5' : '6';
  await typeTotal(dialog, 'Mensah, Rhys', mark);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('This browser keeps nothing for later.').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await dialogOf(page, TOTALS).getByRole('button', { name: 'Submit' }).click();
  await dialogOf(page, TOTALS).locator('form').getByText('Done', { exact: true }).waitFor();
  expect(await typedEvents()).toBe(before + 1);
  await expect.poll(() => totalOf('M0005')).toBe(Number(mark));
});

test('an upload that cannot be stored just now keeps its file and preview, and is stored once when the log is back', async () => {
  const page = await person('leader@demo.example');
  await previewTotals(page, totalsOf([['M0005', 'Mensah, Rhys', 1]]));
  const dialog = dialogOf(page, TOTALS);
  wire.cut();
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText(NOT_NOW).waitFor();
  await dialog.getByRole('row', { name: /Mensah, Rhys/ }).waitFor();
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
    await typeTotal(dialog, 'Powell, Mia', mark);
    await endSessions();
    // The page may have found out by itself, and cover the button by now.
    await dialog.getByRole('button', { name: 'Submit' }).evaluate((button: HTMLElement) => button.click());
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill('not the password');
    await again.getByRole('button', { name: 'Login' }).click();
    await again.getByText('Login failed').waitFor();
    await again.getByLabel('Password').fill('marktrail-demo');
    await again.getByRole('button', { name: 'Login' }).click();
    await again.waitFor({ state: 'detached' });
    await dialog.locator('form').getByText('Done', { exact: true }).waitFor();
    await expect.poll(() => totalOf('M0006')).toBe(Number(mark));
  },
);
