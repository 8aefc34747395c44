import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import { marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser();

test('marks typed in one year group reach the pages about it without a question, and cause none on those about another of the same subject', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const ask = async <Answer>(path: string): Promise<Answer> => (await (await admin.get(`/api/queries/${path}`)).json()) as Answer;
  const send = async (name: string, data: object): Promise<Record<string, string>> => {
    const answer = await admin.post(`/api/commands/${name}`, { data });
    expect([name, answer.status()]).toEqual([name, 200]);
    return ((await answer.json()) as { result: Record<string, string> }).result;
  };
  const { subjectId } = (await ask<Me>('me')).subjects.find(({ name }) => name === 'Mathematics') ?? expect.fail('no Mathematics');
  const { schemes, yearGroups } = await ask<Structure>(`structure?subjectId=${subjectId}`);
  const eleven = await ask<Markbook>(`markbook?yearGroupId=${yearGroups.find(({ year }) => year === 11)?.yearGroupId}`);
  const testId = eleven.tests[0]?.testId;
  const { yearGroupId } = await send('AddYearGroup', { subjectId, year: 10 });
  const { setId } = await send('AddSet', { subjectId, yearGroupId, name: '10X1', schemeId: schemes[0]?.schemeId });
  await send('ChangeSet', { subjectId, setId, testIds: [testId] });
  const { studentId } = await send('AddStudent', { subjectId, setId, admissionNo: 'T1', name: 'Tenth, Tess', dateOfBirth: null });

  const asked = (page: Page): string[] => {
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/queries/')) paths.push(pathname.slice('/api/queries/'.length));
    });
    return paths;
  };
  const ofTen = await marktrail.person('leader@demo.example', { at: '/leader/markbook?year=10' });
  const ofEleven = await marktrail.person('leader@demo.example', { at: '/leader/markbook?year=11&find=Edwards, Sophie' });
  const shown = (page: Page, name: string, mark: number) =>
    page.getByRole('row', { name: new RegExp(`^${name}.*\\b${mark}\\b`) }).waitFor();
  await ofTen.getByRole('row', { name: /^Tenth, Tess/ }).waitFor();
  await ofEleven.getByRole('row', { name: /^Edwards, Sophie/ }).waitFor();
  const type = (who: string | undefined, is: number) =>
    send('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId: who, testId, is }] });
  // Both hear what changes, and have asked for all that changed before.
  const sophie = eleven.students.find(({ name }) => name === 'Edwards, Sophie')?.studentId;
  await type(studentId, 1);
  await type(sophie, 2);
  await shown(ofTen, 'Tenth, Tess', 1);
  await shown(ofEleven, 'Edwards, Sophie', 2);

  const [onTen, onEleven] = [asked(ofTen), asked(ofEleven)];
  for (const mark of [3, 4, 5]) {
    await type(studentId, mark);
    await shown(ofTen, 'Tenth, Tess', mark);
  }
  expect(onEleven).toEqual([]);
  await type(sophie, 6);
  await shown(ofEleven, 'Edwards, Sophie', 6);
  expect([onTen, onEleven]).toEqual([[], []]);
});

test('twenty pages of three people show each change, and the same numbers as a fresh page', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const ask = async <Answer>(path: string): Promise<Answer> => (await (await admin.get(`/api/queries/${path}`)).json()) as Answer;
  const { subjectId } = (await ask<Me>('me')).subjects.find(({ name }) => name === 'Mathematics') ?? expect.fail('no Mathematics');
  const { yearGroups } = await ask<Structure>(`structure?subjectId=${subjectId}`);
  const { students, tests, sets } = await ask<Markbook>(`markbook?yearGroupId=${yearGroups.find(({ year }) => year === 11)?.yearGroupId}`);
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
    const cells = [{ studentId, testId: tests[0]?.testId, is }];
    const answer = await admin.post('/api/commands/EnterMarks', { data: { entryId: randomUUID(), subjectId, seq: 1, cells } });
    expect(answer.status()).toBe(200);
    await Promise.all(pages.map((page) => page.getByRole('row', { name: new RegExp(`^Edwards, Sophie.*\\b${is}\\b`) }).waitFor()));
  }

  // Whether a page shows the year group or only the teacher's class.
  const numbers = new Set<string>();
  for (const { fresh } of open) numbers.add(await (await fresh()).getByRole('grid').innerText());
  for (const page of pages) numbers.add(await page.getByRole('grid').innerText());
  expect(numbers.size).toBe(1);

  // Choosing another class asks for its students, and the focus stays where it was.
  const page = pages.at(-1) ?? expect.fail('no page');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/api/queries/markbook') && asked.push(request.url()));
  const other = sets.find((set) => set.setId !== setId) ?? expect.fail('one class');
  await page.getByLabel(/Find a student/).fill('');
  const choice = page.getByRole('search').getByLabel(/^Set/);
  await choice.focus();
  await choice.selectOption({ label: other.name });
  const many = students.filter((student) => student.setId === other.setId).length;
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(many + 1));
  expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
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
  expect(await narrow.getByRole('figure').count()).toBe(0);
  await narrow.setViewportSize({ width: 1440, height: 800 });
  await narrow.getByRole('figure').waitFor();
});
