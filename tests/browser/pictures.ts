/**
 * `npm run pictures [-- NAME ...]`: takes the pictures of the splash page (student-ui/splash/pictures) and the README (docs/pictures)
 * from the demo school, on a wide and a narrow screen, light and dark.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { root } from '../../run/apps.ts';
import { launchBrowser } from '../support/browser.ts';
import { startMarktrail, temporaryDataDir } from '../support/marktrail.ts';
import { joinCodeOf } from './accounts/entrance.ts';
import { dialogOf, signIn, totalsFile } from './marktrail.ts';
import { signInByCall } from './profiles.ts';
import { cellOf, marksOfData, openSheet, paste, sheetOf } from './sheet.ts';

/** Sizes of the splash page's pictures in CSS pixels; also in student-ui/splash/pictures.ts. */
const sizes = { wide: { width: 840, height: 560 }, narrow: { width: 390, height: 520 } };
const DENSITY = 1.4;
const QUALITY = 62;
const MOST_BYTES = 40_000;

/** The pictures to take; none: all. */
const wanted = process.argv.slice(2);

const EXAMINATION = 'Written examination';
const TOTALS = 'Upload Student Assessment Totals';
const KAYLEIGH = '/leader/markbook?year=11&find=Lee%2C+Kayleigh';

const takeAll = async (browser: Browser, address: string): Promise<void> => {
  const someone = async (email?: string): Promise<Page> => {
    const context = await browser.newContext({
      viewport: sizes.wide,
      deviceScaleFactor: DENSITY,
      baseURL: address,
      reducedMotion: 'reduce',
    });
    await context.addCookies([{ name: 'marktrail_consent', value: 'accepted', url: address }]);
    const page = await context.newPage();
    if (email !== undefined) await signIn(page, email);
    return page;
  };
  const admin = await someone();
  await signInByCall(admin.request, address, 'admin@demo.example');
  const leader = await someone('leader@demo.example');
  const teacher = await someone('teacher1@demo.example');
  await leader.goto('/leader');
  await leader.getByRole('button', { name: 'Upload totals' }).first().click();
  const preview = dialogOf(leader, TOTALS);
  await preview.locator('input[type=file]').setInputFiles(totalsFile((total, row) => (row % 4 === 1 ? Math.min(26, total + 2) : total)));
  await preview.getByRole('button', { name: 'Upload', exact: true }).click();
  await preview.getByRole('combobox', { name: /for 11X1$/ }).selectOption({ label: 'Written examination (of 26)' });
  await preview.getByRole('button', { name: 'Use the tests of 11X1 for all classes' }).click();
  await preview.getByRole('button', { name: 'Confirm Assessments' }).click();
  await preview.getByRole('button', { name: 'View Upload Data' }).click();
  await preview.getByText(/This will change/).waitFor();
  await preview.getByRole('radio', { name: /Only changes/ }).check();
  await take(leader, 'preview', () => scrollTo(preview.getByText(/This will change/)));
  await takeForReadme(leader, 'preview', { width: 1440, height: 900 });

  await typeMarks(teacher);
  await takeForReadme(teacher, 'grid', { width: 1440, height: 900 });

  await leader.goto('/leader?year=11');
  await leader.getByRole('button', { name: 'Open Autumn ranking' }).click();
  await leader.getByRole('button', { name: 'Teaching staff to check initial ranking' }).click();
  await leader.getByRole('region', { name: 'Ranking', exact: true }).waitFor();
  await take(leader, 'task');
  await takeForReadme(leader, 'task', { width: 1440, height: 900 });

  await leader.goto(KAYLEIGH);
  await leader.locator('td[data-contested]').first().click();
  const cell = dialogOf(leader, 'Lee, Kayleigh');
  await cell.getByRole('button', { name: 'Use 38' }).waitFor();
  await take(leader, 'contested');
  await takeForReadme(leader, 'contested', { width: 1440, height: 900 });

  await leader.goto('/leader/markbook?year=11');
  await leader.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await take(leader, 'markbook', async () => {
    if ((leader.viewportSize()?.width ?? 0) < 600) await scrollTo(leader.getByRole('grid'));
  });
  await takeForReadme(leader, 'markbook', { width: 1440, height: 900 });
  await takeForReadme(leader, 'phone', { width: 390, height: 700 });
  const phone = await someone('m0009@demo.example');
  await phone.goto('/student');
  await phone.getByRole('heading', { name: 'Work on next' }).waitFor();
  await takeForReadme(phone, 'student', { width: 390, height: 700 });

  await leader.goto('/leader/markbook?year=11');
  await leader.getByRole('link', { name: /^Question analysis of Winter assessment, Foundation/ }).click();
  await leader.getByRole('figure').first().getByRole('button', { name: /^Q1 / }).waitFor();
  await take(leader, 'questions', () => scrollTo(leader.getByRole('figure').first()));
  await takeForReadme(leader, 'questions', { width: 1440, height: 1000 });

  await leader.goto('/leader?year=11');
  const averages = leader.getByRole('button', { name: /^Averages in/ }).first();
  await averages.click();
  await take(leader, 'averages', () => scrollTo(averages));

  await leader.goto('/leader/predictors?year=11&set=11X1');
  const students = leader.getByRole('row');
  await students.nth(1).waitFor();
  await take(leader, 'predictors', async () => {
    if ((leader.viewportSize()?.width ?? 0) < 600) await scrollTo(students.first());
  });

  await leader.goto('/leader?year=11&set=11X1');
  await leader
    .getByRole('button', { name: /^Revision list of / })
    .first()
    .click();
  const lists = dialogOf(leader, 'Revision Lists');
  await lists.getByRole('button', { name: 'Suggest a list' }).click();
  await leader.getByText(/under the topic of the scheme of work\./).waitFor();
  await leader.getByRole('button', { name: 'Dismiss' }).last().click();
  await lists.getByRole('tab', { name: 'View/Download' }).click();
  await take(leader, 'revision');
  await takeForReadme(leader, 'revision', { width: 1024, height: 760 });
  await takeReport(leader);

  const student = await someone();
  await chooseName(student, await joinCodeOf(admin.request, 'Mathematics'));
  await take(student, 'joining');
};

/** Takes four pictures of the page; `settle` scrolls to what matters after each change of the window. */
const take = async (page: Page, name: string, settle: () => Promise<void> = async () => undefined): Promise<void> => {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle();
      await page.mouse.move(0, 0);
      await page.waitForTimeout(600);
      await save(page, fileOf(name, size, colorScheme), MOST_BYTES);
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(sizes.wide);
};

const fileOf = (name: string, size: string, scheme: string): string =>
  join(root, 'student-ui/splash/pictures', `${name}-${size}-${scheme}.webp`);

/** Scrolls the element to the top of the page, or of its dialog's scroll area only. */
const scrollTo = (what: Locator): Promise<void> =>
  what.evaluate((shown) => {
    const scrolls = (box: Element) => /auto|scroll/u.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight;
    let box = shown.parentElement;
    while (box && !(shown.closest('dialog')?.contains(box) && scrolls(box))) box = box.parentElement;
    const top = box ? box.getBoundingClientRect().top : 48;
    (box ?? document.documentElement).scrollTop += shown.getBoundingClientRect().top - top - 12;
  });

const takeForReadme = async (page: Page, name: string, viewport: { width: number; height: number }): Promise<void> => {
  await page.setViewportSize(viewport);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(600);
  await save(page, join(root, 'docs/pictures', `${name}.webp`), 4 * MOST_BYTES);
  await page.setViewportSize(sizes.wide);
};

/** As WebP, which playwright does not offer. */
const save = async (page: Page, file: string, mostBytes: number): Promise<void> => {
  if (wanted.length > 0 && !wanted.some((name) => file.includes(name))) return;
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  const bytes = Buffer.from(data, 'base64');
  console.log(`${(bytes.length / 1000).toFixed(1).padStart(6)} kB  ${file.slice(root.length)}`);
  if (bytes.length > mostBytes) throw new Error(`${file} has more than ${mostBytes / 1000} kB`);
  writeFileSync(file, bytes);
};

/** The first page of a student's report. Needs `pdftoppm` of poppler-utils, as no browser draws a PDF without its window. */
const takeReport = async (page: Page): Promise<void> => {
  await page.goto('/leader?year=11&set=11X1');
  await page.getByRole('button', { name: 'Student reports' }).click();
  const dialog = dialogOf(page, 'Student reports of 11X1');
  await dialog.getByLabel('For', { exact: true }).selectOption({ index: 1 });
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  const image = execFileSync('pdftoppm', ['-png', '-r', '96', '-f', '1', '-l', '1', await download.path()]);
  const paper = await page.context().newPage();
  await paper.setContent(`<body style="margin:0"><img style="width:100%" src="data:image/png;base64,${image.toString('base64')}">`);
  await takeForReadme(paper, 'report', { width: 760, height: 760 });
  await paper.close();
};

/** A class whose marks are copied from a spreadsheet, but for the last rows, and the cursor where somebody would go on. */
const typeMarks = async (teacher: Page): Promise<void> => {
  await openSheet(teacher, '11X3', EXAMINATION);
  const { students, questions } = await sheetOf(teacher, '11X3', EXAMINATION);
  const marks = marksOfData();
  await cellOf(teacher, students[0]?.name ?? '', 1).click();
  const rows = students.slice(0, -16).map(({ admissionNo }) => (marks.get(admissionNo ?? '') ?? []).slice(0, questions.length));
  await paste(teacher, rows.map((row) => `${row.join('\t')}\n`).join(''));
  await teacher.getByText(/^\d+ stored\./).waitFor();
  await cellOf(teacher, students[rows.length]?.name ?? '', 1).click();
  await teacher.keyboard.type('1');
  await teacher.getByText(/^Saved/).waitFor();
};

/** Continues to the list of ten names. */
const chooseName = async (student: Page, code: string): Promise<void> => {
  const rows = readFileSync(join(root, 'tests/data/mathexam/student_upload.csv'), 'utf8').split(/\r?\n/);
  const [, day = '', month = '', year = ''] = /(\d\d)\/(\d\d)\/(\d{4})/.exec(rows[9] ?? '') ?? [];
  await student.goto(`/code?code=${code}`);
  await student.getByLabel('Date of birth').fill(`${year}-${month}-${day}`);
  await student.getByRole('button', { name: 'Continue' }).click();
  await student.getByRole('radio').nth(2).check();
};

const dataDir = temporaryDataDir();
const marktrail = startMarktrail({ DATA_DIR: dataDir.path });
const browser = await launchBrowser();
try {
  await takeAll(browser, await marktrail.ready);
} finally {
  await browser.close();
  marktrail.process.kill('SIGTERM');
  await marktrail.ended;
  dataDir.remove();
}
