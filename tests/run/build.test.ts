import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { tryLock } from '../../run/database/data-dir-lock.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** A clone with one small app, never built. */
let clone: string;
beforeAll(() => {
  clone = scratchDirectory();
  for (const folder of ['run/database', 'ui', 'admin-ui', 'dist', 'api/marks']) mkdirSync(join(clone, folder), { recursive: true });
  for (const file of ['run/apps.ts', 'run/build.ts', 'run/first-files.ts', 'run/database/data-dir-lock.ts', 'ui/pages.ts', 'ui/roles.ts'])
    copyFileSync(join(root, file), join(clone, file));
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  const config = `export default { build: { outDir: ${JSON.stringify(join(clone, 'dist/admin-ui'))} } };`;
  writeFileSync(join(clone, 'admin-ui/vite.config.ts'), config);
  writeFileSync(join(clone, 'admin-ui/index.html'), '<!doctype html><title>Small</title>');
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** As `npm start` builds what is stale. */
const build = () => {
  const child = spawn(process.execPath, [join(clone, 'run/build.ts'), '--stale'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const waiting = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('waiting')) waiting.resolve();
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text }));
  return { waiting: waiting.promise, ended };
};

test('two starts of one clone take turns to build its apps, and the second one finds them built', async () => {
  const first = tryLock(join(clone, 'dist/lock'));
  const builds = [build(), build()];
  await Promise.all(builds.map(({ waiting }) => waiting));
  first?.release();
  const ends = await Promise.all(builds.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(ends.filter(({ text }) => text.includes('Built admin-ui'))).toHaveLength(1);
  expect(readFileSync(join(clone, 'dist/admin-ui/index.html'), 'utf8')).toContain('<title>Small</title>');
});

test('a changed contract of a noun makes an app stale, and nothing else of the api does', async () => {
  writeFileSync(join(clone, 'api/marks/marks.query.ts'), 'export const sql = 1;');
  expect((await build().ended).text).not.toContain('Built');
  writeFileSync(join(clone, 'api/marks/marks.contract.ts'), 'export const most = 1;');
  expect((await build().ended).text).toContain('Built admin-ui');
});
