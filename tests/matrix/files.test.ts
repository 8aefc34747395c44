import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { apps, isPage, root } from '../../run/apps.ts';
import { appServer } from '../../run/http/static.ts';
import { Client } from '../support/client.ts';
import { madeOnce } from '../support/made-once.ts';
import type { RoleName } from '../support/school.ts';
import { openSchool, roles } from '../support/school.ts';

/** Pages and files are the same for everybody and hold nothing of a school; no address leads to any other file. */
const dist = await madeOnce('apps');
const school = await openSchool({ serveApp: appServer() });
afterAll(() => school.close());

const as = async (role: RoleName | 'nobody'): Promise<Client> => (role === 'nobody' ? new Client(school) : school.as(role));
const everybody = ['nobody', ...roles] as const;
const files = globSync(
  apps.map(({ folder }) => `${folder}/**/*`),
  { cwd: dist, withFileTypes: true },
)
  .filter((entry) => entry.isFile() && !/\.(gz|br|stamp)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(dist.length));

test.each(apps.flatMap(({ pages }) => pages))('the page %s is the same for everybody', async (path) => {
  const answers = await Promise.all(
    everybody.map(async (role) => {
      const answer = await (await as(role)).send(path);
      expect([role, answer.status, answer.headers.get('Content-Type')]).toEqual([role, 200, 'text/html; charset=utf-8']);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Content-Security-Policy')).toMatch(
        /default-src 'self';.*object-src 'none'; base-uri 'none';.*frame-ancestors 'none'/,
      );
      return answer.text();
    }),
  );
  // The start page of visitors has its contents in it, which are everybody's.
  expect(new Set(path === '/' ? answers.slice(1) : answers).size).toBe(1);
  for (const one of [school.schoolId, school.email('admin'), 'Test School']) expect(answers.join()).not.toContain(one);
});

test('the files of the apps are what was built, whoever asks', async () => {
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    for (const role of ['nobody', 'student', 'admin'] as const) {
      const answer = await (await as(role)).send(file);
      expect([file, role, answer.status]).toEqual([file, role, 200]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(join(dist, file)))).toBe(true);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
  }
});

test('a service worker answers the pages of students alone, and is allowed nowhere else', async () => {
  const script = files.find((file) => /assets\/worker.*\.js$/.test(file)) ?? '';
  const allowed = async (headers: Record<string, string>) =>
    (await (await as('student')).send(script, { headers })).headers.get('Service-Worker-Allowed');
  expect(await allowed({ 'Service-Worker': 'script' })).toBe('/student');
  expect(await allowed({})).toBeNull();
});

describe('nothing else can be had', () => {
  const secrets = [readFileSync(join(root, 'package.json'), 'utf8').slice(0, 60), '[core]', 'root:x:'];
  const ways = ['', '/student-ui', '/student-ui/assets', '/admin-ui/assets'];
  const steps = ['/..', '/%2e%2e', '/..%2f..', '/%2e%2e%2f%2e%2e', '/..%5c..', '/....//..', '/%252e%252e', '/..;', '/.%00.'];
  const aims = ['package.json', '.git/config', 'data/master.key', '../etc/passwd', 'run/main.ts', 'dist/', ''];

  test('by a way up, in whatever writing', async () => {
    const admin = await as('admin');
    for (const way of ways) {
      for (const step of steps) {
        for (const aim of aims) {
          const path = `${way}${step.repeat(3)}/${aim}`;
          const answer = await admin.send(path);
          const text = await answer.text();
          const isHome = new URL(path, 'http://here').pathname === '/';
          expect([path, answer.status === 404 || isHome || isPage(new URL(path, 'http://here').pathname)]).toEqual([path, true]);
          expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []]);
        }
      }
    }
  });

  test('by an address that names no page, a folder, or what lies beside the apps', async () => {
    const admin = await as('admin');
    for (const path of [
      '/nowhere',
      '/package.json',
      '/.git/config',
      '/student-ui/',
      '/student-ui/assets/',
      '/admin-ui/none.js',
      '/data/master.key',
    ])
      expect([path, (await admin.send(path)).status]).toEqual([path, 404]);
  });

  test('by another method', async () => {
    const admin = await as('admin');
    for (const path of ['/', '/login', files[0] ?? ''])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect([path, method, (await admin.send(path, { method })).status]).toEqual([path, method, 404]);
  });
});
