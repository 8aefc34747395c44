import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import type { Row, Visitor } from '../../run/check/routes.ts';
import { redirect, rowsOf, visitors, wrongRoutes } from '../../run/check/routes.ts';
import { pages } from '../../ui/pages.ts';
import { sectionOf } from '../../ui/session/guard.ts';
import { marktrailInBrowser } from './marktrail.ts';
import { signInByCall } from './profiles.ts';

/**
 * Every route, and what each role finds there: docs/routes.md is the list, and this holds it to the product. A route without a row fails.
 * WRITE_ROUTES=1 writes down what is found, to be read before it is believed.
 */
const marktrail = marktrailInBrowser();
const file = join(root, 'docs/routes.md');
const roles = {
  nobody: undefined,
  student: 'student1@demo.example',
  teacher: 'teacher1@demo.example',
  leader: 'leader@demo.example',
  admin: 'admin@demo.example',
} as const satisfies Readonly<Record<Visitor, string | undefined>>;

const text = readFileSync(file, 'utf8');
const rows = rowsOf(text);

const signedIn = async (role: Visitor): Promise<Page> => {
  const page = await marktrail.visitor();
  const email = roles[role];
  if (email !== undefined) await signInByCall(page.request, marktrail.url(), email);
  return page;
};

describe('docs/routes.md', () => {
  test('tells with what status the server answers; what is not there answers 404, pages with the way home, calls with a problem', async () => {
    for (const { route, status } of rows) expect([route, (await fetch(marktrail.url() + route)).status]).toEqual([route, Number(status)]);
    for (const path of ['/api/no-such', '/api/queries/no-such', '/api/teacher/no-such/at-all']) {
      const answer = await fetch(marktrail.url() + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
  });

  test('has a row for every page, and every redirect of their guard', () => {
    expect(wrongRoutes(text)).toEqual([]);
  });

  test.skipIf(process.env['WRITE_ROUTES']).each(visitors)('tells what is found by: %s', async (role) => {
    const page = await signedIn(role);
    const wrong: string[] = [];
    const toLoad = loadedBy(role);
    for (const row of toLoad) {
      await page.goto(row.route, { waitUntil: 'commit' });
      const found = await shown(page, row.route, row[role]);
      if (found !== row[role]) wrong.push(`${row.route}: ${found}, not ${row[role]}`);
    }
    expect(wrong).toEqual([]);
    // And the same after a reload.
    const last = toLoad.at(-1);
    await page.reload();
    if (last) expect(await shown(page, last.route, last[role])).toBe(last[role]);
  });
});

/**
 * A page itself is loaded by one role that sees it, what the guard does by each role once a section, and every other redirect by everybody:
 * the table of the guard holds the rest.
 */
const loadedBy = (role: Visitor): Row[] => {
  const met = new Set<string>();
  return rows.filter((row) => {
    if (redirect(role, row.route) === undefined) return row[role].startsWith('→') || viewerOf(row) === role;
    const guarded = sectionOf(row.route) ?? row.route;
    return !met.has(guarded) && met.add(guarded);
  });
};

/** The first to see the page itself: with the fewest rights. */
const viewerOf = (row: Row): Visitor | undefined => visitors.find((role) => !row[role].startsWith('→'));

/** Where one ends up, if that is elsewhere; else the heading of the page. Waits for what is expected, as long as it may take. */
const shown = async (page: Page, route: string, expected: string): Promise<string> => {
  let found = await look(page, route);
  for (const end = Date.now() + 45_000; found !== expected && Date.now() < end;) {
    // Where the page stands is known here: without a pause nothing could come in that changes it.
    await page.waitForTimeout(50);
    found = await look(page, route);
  }
  return found;
};

/** What is found once it has stayed the same for a while. */
const settled = async (page: Page, route: string): Promise<string> => {
  let [found, same] = ['', 0];
  for (let looks = 0; looks < 60 && same < 3; looks++) {
    await page.waitForTimeout(500);
    const now = await look(page, route);
    same = now === found && now !== 'nothing' ? same + 1 : 0;
    found = now;
  }
  return found;
};

const look = async (page: Page, route: string): Promise<string> => {
  const path = new URL(page.url()).pathname;
  if (path !== route) return `→ ${path}`;
  const heading = page.getByRole('heading', { level: 1 }).first();
  return ((await heading.textContent({ timeout: 300 }).catch(() => null)) ?? 'nothing').trim();
};

test.runIf(process.env['WRITE_ROUTES'])('writes docs/routes.md', { timeout: 1_800_000 }, async () => {
  const routes = [...pages.map(({ path }) => path as string), ...rows.map(({ route }) => route)];
  const table = new Map<string, Record<string, string>>([...new Set(routes)].sort().map((route) => [route, { route }]));
  for (const role of visitors) {
    const page = await signedIn(role);
    for (const [route, row] of table) {
      await page.goto(route, { waitUntil: 'commit' });
      row[role] = await settled(page, route);
      row['status'] = String((await fetch(marktrail.url() + route)).status);
    }
  }
  const head = ['route', 'status', ...Object.keys(roles)];
  const lines = [...table.values()].map(
    (row) =>
      `| \`${row['route']}\` | ${head
        .slice(1)
        .map((name) => row[name])
        .join(' | ')} |`,
  );
  const [before = ''] = readFileSync(file, 'utf8').split('| route');
  writeFileSync(file, `${before}| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}\n${lines.join('\n')}\n`);
});
