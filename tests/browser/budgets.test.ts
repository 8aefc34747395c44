import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pageFileOf } from '../../run/apps.ts';
import { madeOnce } from '../support/made-once.ts';

const built = await madeOnce('apps');

const kilobytes = (folder: string, files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, folder, file))).length, 0) / 1000;

/** What a page itself asks for, before anybody has clicked. */
const firstLoad = (folder: string, page: string, ending: string): string[] =>
  [...readFileSync(join(built, folder, page), 'utf8').matchAll(/(?:src|href)="\/[^/"]+\/([^"]+)"/g)]
    .map(([, file = '']) => file)
    .filter((file) => file.endsWith(ending));

describe.each([
  ['student-ui', 'the start page', { script: 85, style: 15 }],
  ['staff-ui', 'the staff app', { script: 190, style: 15 }],
  ['admin-ui', 'the admin app', { script: 350, style: 15 }],
])('%s', (folder, name, most) => {
  test(`${name} loads quickly on a slow line: at most ${most.script} kB of script and ${most.style} kB of style at first`, () => {
    expect(firstLoad(folder, 'index.html', '.js').length).toBeGreaterThan(0);
    expect(kilobytes(folder, firstLoad(folder, 'index.html', '.js'))).toBeLessThanOrEqual(most.script);
    expect(kilobytes(folder, firstLoad(folder, 'index.html', '.css'))).toBeLessThanOrEqual(most.style);
  });

  test('no schema library comes along: what is checked in the browser is checked again on the server', () => {
    const scripts = readdirSync(join(built, folder, 'assets')).filter((file) => file.endsWith('.js'));
    for (const script of scripts) expect(readFileSync(join(built, folder, 'assets', script), 'utf8'), script).not.toContain('ZodError');
  });
});

describe.each(
  (
    [
      [
        'staff-ui',
        ['/teacher', '/teacher/markbook', '/teacher/predictors', '/teacher/questions', '/leader/prior'],
        { script: 160, style: 13 },
      ],
      ['staff-ui', ['/teacher/marks'], { script: 180, style: 17 }],
      ['student-ui', ['/student'], { script: 127, style: 15 }],
      ['student-ui', ['/student/submit', '/profile'], { script: 130, style: 15 }],
    ] as const
  ).flatMap(([folder, paths, most]) => paths.map((path) => [path, folder, most] as const)),
)('%s', (path, folder, most) => {
  const scripts = firstLoad(folder, pageFileOf(path), '.js');
  const styles = firstLoad(folder, pageFileOf(path), '.css');

  test(`names at most ten files, of ${most.script} kB of script and ${most.style} kB of style, and nothing that makes reports`, () => {
    expect(scripts.length + styles.length).toBeLessThanOrEqual(10);
    expect(kilobytes(folder, scripts)).toBeLessThanOrEqual(most.script);
    expect(kilobytes(folder, styles)).toBeLessThanOrEqual(most.style);
    for (const file of scripts) expect(readFileSync(join(built, folder, file), 'utf8'), file).not.toContain('jsPDF');
  });

  test('asks for no further round: each file that one of them imports is named', () => {
    for (const file of scripts)
      for (const [, name = ''] of readFileSync(join(built, folder, file), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/gu))
        expect(scripts, file).toContain(`assets/${name}`);
  });
});
