import { expect, test } from 'vitest';
import { marktrailInBrowser } from './marktrail.ts';
import { rows, wrongFor } from './routes.ts';

/** Holds docs/routes.md, the list of routes and of what each role finds there, to the product; for staff in tests/long/browser. */
const marktrail = marktrailInBrowser();

test('tells with what status the server answers; what is not there answers 404, pages with the way home, calls with a problem', async () => {
  for (const { route, status } of rows) expect([route, (await fetch(marktrail.url() + route)).status]).toEqual([route, Number(status)]);
  for (const path of ['/api/no-such', '/api/queries/no-such', '/api/teacher/no-such/at-all']) {
    const answer = await fetch(marktrail.url() + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  }
});

test.each(['nobody', 'student'] as const)('tells what is found by: %s', async (role) => {
  expect(await wrongFor(marktrail, role)).toBeUndefined();
});
