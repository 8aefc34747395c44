import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { ask, enter } from '../../browser/calls.ts';
import { hasFocus } from '../../browser/keyboard.ts';
import { isGone } from '../../browser/looks.ts';
import { marktrailInBrowser } from '../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();

test('twenty pages of three people show each change, and the same numbers as a fresh page', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const { subjectId } = (await ask<Me>(admin, 'me')).subjects.find(({ name }) => name === 'Mathematics') ?? expect.fail('no Mathematics');
  const { yearGroups } = await ask<Structure>(admin, `structure?subjectId=${subjectId}`);
  const { students, tests, sets } = await ask<Markbook>(
    admin,
    `markbook?yearGroupId=${yearGroups.find(({ year }) => year === 11)?.yearGroupId}`,
  );
  const { studentId, setId } = students.find(({ name }) => name === 'Edwards, Sophie') ?? expect.fail('no Sophie');
  const ofSophie = sets.find((set) => set.setId === setId)?.name ?? '';

  const people = [
    { email: 'leader@demo.example', at: '/leader/markbook?year=11&find=Edwards, Sophie', tabs: 7 },
    { email: 'teacher1@demo.example', at: '/teacher/markbook?year=11&find=Edwards, Sophie', tabs: 7 },
    { email: 'teacher2@demo.example', at: `/teacher/markbook?year=11&set=${ofSophie}&find=Edwards, Sophie`, tabs: 6 },
  ];
  const rowOf = (page: Page) => page.getByRole('row', { name: /^Edwards, Sophie/ });
  const opened = async (page: Page, at: string): Promise<Page> => {
    await page.goto(at);
    await rowOf(page).waitFor();
    return page;
  };
  const open = await Promise.all(
    people.map(async ({ email, at, tabs }) => {
      const first = await marktrail.person(email, { at });
      const pages = [first];
      while (pages.length < tabs) pages.push(await opened(await first.context().newPage(), at));
      return { pages, fresh: async () => opened(await first.context().newPage(), at) };
    }),
  );
  const pages = open.flatMap((one) => one.pages);
  expect(pages).toHaveLength(20);

  // How soon, `npm run bench -- --only live` says.
  for (const is of [11, 12, 13, 14]) {
    await enter(admin, subjectId, [{ studentId, testId: tests[0]?.testId, is }]);
    await Promise.all(pages.map((page) => page.getByRole('row', { name: new RegExp(`^Edwards, Sophie.*\\b${is}\\b`) }).waitFor()));
  }

  // Whether a page shows the year group or only the teacher's class.
  for (const { fresh } of open) pages.push(await fresh());
  const numbers = async () => new Set(await Promise.all(pages.map((page) => page.getByRole('grid').innerText())));
  await expect.poll(async () => (await numbers()).size).toBe(1);

  // Choosing another class asks for its students, and the focus stays where it was.
  const page = pages[19] ?? expect.fail('no page');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/api/queries/markbook') && asked.push(request.url()));
  const other = sets.find((set) => set.setId !== setId) ?? expect.fail('one class');
  await page.getByLabel(/Find a student/).fill('');
  const choice = page.getByRole('search').getByLabel(/^Set/);
  await choice.focus();
  await choice.selectOption({ label: other.name });
  const many = students.filter((student) => student.setId === other.setId).length;
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(many + 1));
  await hasFocus(choice);
  expect(asked.filter((url) => !url.includes(`setId=${other.setId}`))).toEqual([]);
  expect(asked.length).toBeGreaterThan(0);

  // On a narrow page the same holds from the beginning: there is no room to compare the class with the year.
  expect(tests.length).toBeLessThanOrEqual(2);
  const narrow = await page.context().newPage();
  await narrow.setViewportSize({ width: 1100, height: 800 });
  const alone: string[] = [];
  narrow.on('request', (request) => request.url().includes('/api/queries/markbook') && alone.push(request.url()));
  await opened(narrow, people[2]?.at ?? '');
  expect(alone.filter((url) => !url.includes(`setId=${setId}`))).toEqual([]);
  expect(alone.length).toBeGreaterThan(0);
  await isGone(narrow.getByRole('figure'));
  await narrow.setViewportSize({ width: 1440, height: 800 });
  await narrow.getByRole('figure').waitFor();
});
