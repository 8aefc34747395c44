import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../run/apps.ts';
import type { Row, Visitor } from '../../run/check/routes.ts';
import { redirect, rowsOf, visitors } from '../../run/check/routes.ts';
import { sectionOf } from '../../ui/session/guard.ts';
import { limit } from '../support/limits.ts';
import type { marktrailInBrowser } from './marktrail.ts';
import { signInByCall } from './profiles.ts';

/** docs/routes.md: every route, and what each role finds there. */
export const file = join(root, 'docs/routes.md');
export const rows = rowsOf(readFileSync(file, 'utf8'));

const roles = {
  nobody: undefined,
  student: 'student1@demo.example',
  teacher: 'teacher1@demo.example',
  leader: 'leader@demo.example',
  admin: 'admin@demo.example',
  auditor: 'auditor@demo.example',
} as const satisfies Readonly<Record<Visitor, string | undefined>>;

export const pageOf = async (marktrail: ReturnType<typeof marktrailInBrowser>, role: Visitor): Promise<Page> => {
  const page = await marktrail.visitor();
  const email = roles[role];
  if (email !== undefined) await signInByCall(page.request, marktrail.url(), email);
  return page;
};

/** The first that the role finds otherwise than the list says: it has been waited for as long as it may take. */
export const wrongFor = async (marktrail: ReturnType<typeof marktrailInBrowser>, role: Visitor): Promise<string | undefined> => {
  const page = await pageOf(marktrail, role);
  const difference = async (row: Row, how: string): Promise<string | undefined> => {
    const found = await shown(page, row.route, row[role]);
    return found === row[role] ? undefined : `${row.route}${how}: ${found}, not ${row[role]}`;
  };
  const toLoad = loadedBy(role);
  for (const row of toLoad) {
    await page.goto(row.route, { waitUntil: 'commit' });
    const wrong = await difference(row, '');
    if (wrong !== undefined) return wrong;
  }
  // And the same after a reload.
  const last = toLoad.at(-1);
  await page.reload();
  return last && difference(last, ', loaded again');
};

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
  for (const end = Date.now() + limit.wait; found !== expected && Date.now() < end;) {
    // Where the page stands is known here: without a pause nothing could come in that changes it.
    await page.waitForTimeout(50);
    found = await look(page, route);
  }
  return found;
};

/** Where one ends up, if that is elsewhere; else the heading of the page, as it is just now. */
export const look = async (page: Page, route: string): Promise<string> => {
  const path = new URL(page.url()).pathname;
  if (path !== route) return `→ ${path}`;
  const heading = page.getByRole('heading', { level: 1 }).first();
  return ((await heading.textContent({ timeout: 300 }).catch(() => null)) ?? 'nothing').trim();
};
