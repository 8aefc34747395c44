import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visitors } from '../../../run/check/routes.ts';
import { pages } from '../../../ui/pages.ts';
import { marktrailInBrowser } from '../../browser/marktrail.ts';
import { file, look, pageOf, rows, wrongFor } from '../../browser/routes.ts';

/** As tests/browser/routes.test.ts for staff. WRITE_ROUTES=1 writes down what is found by everybody, to be read before it is believed. */
const marktrail = marktrailInBrowser();

test.skipIf(process.env['WRITE_ROUTES']).each(['teacher', 'leader', 'admin', 'auditor'] as const)(
  'docs/routes.md tells what is found by: %s',
  async (role) => {
    expect(await wrongFor(marktrail, role)).toBeUndefined();
  },
);

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

test.runIf(process.env['WRITE_ROUTES'])('writes docs/routes.md', async () => {
  const routes = [...pages.map(({ path }) => path as string), ...rows.map(({ route }) => route)];
  const table = new Map<string, Record<string, string>>([...new Set(routes)].sort().map((route) => [route, { route }]));
  for (const role of visitors) {
    const page = await pageOf(marktrail, role);
    for (const [route, row] of table) {
      await page.goto(route, { waitUntil: 'commit' });
      row[role] = await settled(page, route);
      row['status'] = String((await fetch(marktrail.url() + route)).status);
    }
  }
  const head = ['route', 'status', ...visitors];
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
