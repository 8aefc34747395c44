import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { madeOnce } from '../support/made-once.ts';

const built = await madeOnce('apps');

describe.each([
  ['student-ui', 'the start page', { script: 85, style: 15 }],
  ['staff-ui', 'the staff app', { script: 190, style: 15 }],
  ['admin-ui', 'the admin app', { script: 350, style: 15 }],
])('%s', (folder, name, most) => {
  const kilobytes = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, folder, file))).length, 0) / 1000;

  /** What the page itself asks for, before anybody has clicked. */
  const firstLoad = (ending: string): string[] =>
    [...readFileSync(join(built, folder, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/[^/"]+\/([^"]+)"/g)]
      .map(([, file = '']) => file)
      .filter((file) => file.endsWith(ending));

  test(`${name} loads quickly on a slow line: at most ${most.script} kB of script and ${most.style} kB of style at first`, () => {
    expect(firstLoad('.js').length).toBeGreaterThan(0);
    expect(kilobytes(firstLoad('.js'))).toBeLessThanOrEqual(most.script);
    expect(kilobytes(firstLoad('.css'))).toBeLessThanOrEqual(most.style);
  });

  test.runIf(folder === 'student-ui')('a student’s home needs at most 127 kB of script, and nothing that makes reports', () => {
    const assets = join(built, folder, 'assets');
    const [entry = ''] = readdirSync(assets).filter((file) => /^SignedInArea-.+\.js$/u.test(file));
    const needed = new Set([...firstLoad('.js'), `assets/${entry}`]);
    for (const file of needed) {
      const script = readFileSync(join(built, folder, file), 'utf8');
      for (const [, name = ''] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/gu)) needed.add(`assets/${name}`);
    }
    expect(entry).not.toBe('');
    expect(kilobytes([...needed])).toBeLessThanOrEqual(127);
    for (const file of needed) expect(readFileSync(join(built, folder, file), 'utf8'), file).not.toContain('jsPDF');
  });

  test('no schema library comes along: what is checked in the browser is checked again on the server', () => {
    const scripts = readdirSync(join(built, folder, 'assets')).filter((file) => file.endsWith('.js'));
    for (const script of scripts) expect(readFileSync(join(built, folder, 'assets', script), 'utf8'), script).not.toContain('ZodError');
  });
});
