import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../apps.ts';

/** What product and suite may be: `run/check/size.json`, with one per cent of slack, raised only by a commit that says why. */
export type Size = Readonly<Record<string, number>>;

type Sources = Readonly<Record<string, string>>;

const BROWSER = /^tests\/browser\/.*\.test\.ts$/u;
const LONG_BROWSER = /^tests\/long\/browser\/.*\.test\.ts$/u;
/** Lines of one test in a browser. A longer one is a journey: any of its waits may fail it, and nobody sees what it is about. */
const MOST_LINES = { [BROWSER.source]: 60, [LONG_BROWSER.source]: 120 };

const FLOORS = ['api', 'events', 'projections', 'ui', 'staff-ui', 'student-ui', 'admin-ui', 'run', 'tests'];

/** What counts as cost, of the sources by path. */
export const sizeOf = (sources: Sources): Size => {
  const browser = those(sources, BROWSER);
  const long = those(sources, LONG_BROWSER);
  return {
    'browser tests': sum(browser.map(([, text]) => testsIn(text).length)),
    'lines of browser tests': sum(browser.map(([, text]) => lines(text))),
    'long browser tests': sum(long.map(([, text]) => testsIn(text).length)),
    'lines of long browser tests': sum(long.map(([, text]) => lines(text))),
    ...Object.fromEntries(FLOORS.map((floor) => [`lines of ${floor}`, linesOn(sources, floor)])),
  };
};

const linesOn = (sources: Sources, floor: string): number =>
  sum(those(sources, new RegExp(`^${floor}/`, 'u')).map(([, text]) => lines(text)));

/** Why sizes and tests may not stay as they are, a line each. */
export const wrongTests = (sources: Sources, most: Size): string[] => [
  ...Object.entries(sizeOf(sources))
    .filter(([what, size]) => size > (most[what] ?? 0))
    .map(([what, size]) => `${size} ${what}, at most ${most[what] ?? 0}: run/check/size.json`),
  ...Object.entries(MOST_LINES).flatMap(([pattern, limit]) =>
    those(sources, new RegExp(pattern, 'u')).flatMap(([path, text]) =>
      testsIn(text)
        .filter(({ count }) => count > limit)
        .map(({ line, count }) => `${path}:${line} is a test of ${count} lines, at most ${limit}: prepare it by calls, or split it`),
    ),
  ),
  ...those(sources, /^tests\//u).flatMap(([path, text]) => [
    ...(/^tests\/(?:long\/)?browser\//u.test(path)
      ? looks(text).map((line) => `${path}:${line} looks once at what is on its way: wait for it (tests/browser/looks.ts)`)
      : []),
    ...limits(text).map((line) => `${path}:${line} states a limit of its own: name one of tests/support/limits.ts`),
  ]),
];

/** All sources of the floors and of the tests, by path. */
export const sourcesIn = (files: Iterable<string>): Sources =>
  Object.fromEntries(
    [...files]
      .filter((file) => FLOORS.some((floor) => file.startsWith(`${floor}/`)) && /\.tsx?$/u.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

const those = (sources: Sources, pattern: RegExp) => Object.entries(sources).filter(([path]) => pattern.test(path));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const lines = (text: string): number => text.split('\n').length - 1;
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Where each test of a formatted file begins, and how many lines it has. */
const testsIn = (text: string): { readonly line: number; readonly count: number }[] => {
  const all = text.split('\n');
  return all.flatMap((first, from) => {
    const indent = /^(\s*)test(?:\.(?!runIf\(process\.env)\w+)*\(/u.exec(first)?.[1];
    if (indent === undefined) return [];
    const length = all.slice(from).findIndex((line) => line.endsWith(');') && /^[\w})\]]/u.test(line.slice(indent.length)));
    return [{ line: from + 1, count: length + 1 }];
  });
};

const LOOK =
  /\.(?:textContent|innerText|innerHTML|allTextContents|allInnerTexts|count|isVisible|isHidden|isDisabled|isEnabled|isEditable|isChecked|inputValue|getAttribute|evaluate|evaluateAll|ariaSnapshot)\(/u;

/** Lines with `expect(await ...)` of what a page shows at this moment. */
const looks = (text: string): number[] =>
  [...text.matchAll(/\bexpect\(/gu)]
    .filter(({ index }) => {
      const expression = argument(text, index + 'expect('.length);
      return expression.includes('await ') && LOOK.test(expression);
    })
    .map(({ index }) => lineAt(text, index));

/** What stands between the bracket that opens before `from` and the one that closes it. */
const argument = (text: string, from: number): string => {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
  return text.slice(from, at - 1);
};

/** Lines that end a wait or a test by a number of milliseconds. */
const limits = (text: string): number[] =>
  [...text.matchAll(/\b(?:timeout: |setDefaultTimeout\()\d[\d_]{4}|^\s*\}, \d[\d_]{4}/gmu)].map(({ index }) => lineAt(text, index));
