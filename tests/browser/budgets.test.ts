import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../run/apps.ts';

const built = join(root, 'dist/staff-ui');
const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0) / 1000;

/** What the page itself asks for, before anybody has clicked. */
const firstLoad = (ending: string): string[] =>
  [...readFileSync(join(built, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/staff-ui\/([^"]+)"/g)]
    .map(([, file = '']) => file)
    .filter((file) => file.endsWith(ending));

test('the staff app loads quickly on a slow line: at most 190 kB of script and 15 kB of style at first', () => {
  expect(firstLoad('.js').length).toBeGreaterThan(0);
  expect(kilobytes(firstLoad('.js'))).toBeLessThanOrEqual(190);
  expect(kilobytes(firstLoad('.css'))).toBeLessThanOrEqual(15);
});

test('no schema library comes along with the staff app: what is checked in the browser is checked again on the server', () => {
  const scripts = readdirSync(join(built, 'assets')).filter((file) => file.endsWith('.js'));
  for (const script of scripts) expect(readFileSync(join(built, 'assets', script), 'utf8'), script).not.toContain('ZodError');
});
