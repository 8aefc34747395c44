import { expect, test } from 'vitest';
import { sizeOf, wrongTests } from '../../run/check/tests.ts';

const lines = (count: number): string => `  act();\n`.repeat(count);
const written = (count: number): string => `test('it works', async () => {\n${lines(count - 2)}});\n`;
const BROWSER = 'tests/browser/marks/sheet.test.ts';
const LONG = 'tests/long/browser/marks/sheet.test.ts';

const wrong = (path: string, text: string): string[] => {
  const sources = { [path]: text };
  return wrongTests(sources, sizeOf(sources));
};

test('a test in a browser may have so many lines, and a long one twice as many', () => {
  expect(wrong(BROWSER, written(60))).toEqual([]);
  expect(wrong(BROWSER, `\n${written(61)}`)).toEqual([`${BROWSER}:2 is a test of 61 lines, at most 60: prepare it by calls, or split it`]);
  const table = `test.each([\n  [1],\n])('with %i', async (one) => {\n${lines(57)}});\n`;
  expect(wrong(BROWSER, table)).toEqual([`${BROWSER}:1 is a test of 61 lines, at most 60: prepare it by calls, or split it`]);
  expect(wrong(LONG, written(120))).toEqual([]);
  expect(wrong(LONG, written(121))).toHaveLength(1);
  expect(wrong('tests/domain/marks/cell.test.ts', written(130))).toEqual([]);
});

test('product and suite are no larger than their size says', () => {
  const sources = { [BROWSER]: written(9) + written(9), [LONG]: written(30), 'tests/support/school.ts': lines(5), 'ui/pages.ts': lines(7) };
  const size = sizeOf(sources);
  expect(size).toMatchObject({
    'browser tests': 2,
    'lines of browser tests': 18,
    'long browser tests': 1,
    'lines of long browser tests': 30,
    'lines of tests': 53,
    'lines of ui': 7,
    'lines of api': 0,
  });
  expect(wrongTests(sources, size)).toEqual([]);
  expect(wrongTests(sources, { ...size, 'browser tests': 1 })).toEqual(['2 browser tests, at most 1: run/check/size.json']);
  expect(wrongTests(sources, { ...size, 'lines of ui': 6 })).toEqual(['7 lines of ui, at most 6: run/check/size.json']);
});

test('one look at what is on its way is refused, in a browser', () => {
  const once = [
    'expect(await page.getByRole("row").count()).toBe(0);',
    'expect([await field.inputValue(), 1]).toEqual(["a", 1]);',
    'expect(\n  await page.evaluate(() => document.title),\n).toBe("Marktrail");',
  ];
  for (const look of once) {
    expect(wrong(BROWSER, look), look).toHaveLength(1);
    expect(wrong('tests/integration/marks/grid.test.ts', look), look).toEqual([]);
  }
  const waits = ['await expect.poll(() => rows.count()).toBe(0);', 'expect(await brokenRules(page)).toEqual([]);'];
  for (const wait of waits) expect(wrong(BROWSER, wait), wait).toEqual([]);
});

test('limits have names', () => {
  const path = 'tests/auth/mail.test.ts';
  for (const named of ['{ timeout: limit.wait }', 'setTimeout(done, 60_000);', '}, limit.longTest);'])
    expect(wrong(path, named)).toEqual([]);
  for (const begins of ['{ timeout: ', 'page.setDefaultTimeout(', '}, '])
    expect(wrong(path, `${begins}60_000`)).toEqual([`${path}:1 states a limit of its own: name one of tests/support/limits.ts`]);
});
