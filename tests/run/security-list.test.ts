import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../run/apps.ts';

/** SECURITY.md and docs/asvs.md name their evidence: it must be there, and no requirement may be left out. */
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The requirements of levels 1 and 2 of ASVS 5.0.0, by section: from and to. */
const SECTIONS = `1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1-1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
  4.1:1-3 4.2:1-1 4.3:1-2 4.4:1-4 5.1:1-1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4
  7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1-1 8.4:1-1 9.1:1-3 9.2:1-4
  10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1-1 11.6:1-1
  12.1:1-3 12.2:1-2 12.3:1-4 13.1:1-1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3 15.3:1-7
  16.1:1-1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1-1 17.2:1-4 17.3:1-2`;
const required = SECTIONS.split(/\s+/).flatMap((part) => {
  const [section = '', from = 0, to = 0] = part.split(/[:-]/);
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${section}.${Number(from) + index}`);
});

const lines = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('each requirement of level 2 has one line, with a state and a reason', () => {
  expect(lines.map(([, number]) => number)).toEqual(required);
  expect(required).toHaveLength(253);
  for (const [, number, title, state, evidence] of lines) {
    expect([number, ['met', 'operator', 'open', 'n/a'].includes(state ?? '')]).toEqual([number, true]);
    expect([number, title === '' || evidence === '']).toEqual([number, false]);
  }
});

test('the list counts its states right', () => {
  const text = read('docs/asvs.md');
  for (const state of ['met', 'operator', 'open', 'n/a'])
    expect(text).toContain(`**${state}** (${lines.filter(([, , , its]) => its === state).length})`);
});

test.each(['SECURITY.md', 'docs/asvs.md'])('every file that %s names is there', (file) => {
  const named = [...read(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:md|json|yaml|ts))`|\]\((?!https?:|#)([^)#]+)/g)].map(
    ([, code = '', link = '']) => (code === '' ? join(file, '..', link) : code),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
