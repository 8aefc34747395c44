import { expect, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import type { Markbook } from '../../../../api/marks/marks.contract.ts';
import type { Structure } from '../../../../api/school/school.contract.ts';
import type { Tasks } from '../../../../api/tasks/task.contract.ts';
import { act, ask } from '../../../browser/calls.ts';
import { pressEnter } from '../../../browser/keyboard.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser({ past: true });

test('an auditor finds who changed a grade, sees it as it was before, compares, and finds who took the marks out', async () => {
  const leader = await marktrail.caller('leader@demo.example');
  const subjectId = (await ask<Me>(leader, 'me')).subjects[0]?.subjectId ?? '';
  const { yearGroups } = await ask<Structure>(leader, `structure?subjectId=${subjectId}`);
  const [year] = yearGroups;
  const setId = year?.sets.find(({ name }) => name === '11X1')?.setId ?? '';
  const { tasks } = await ask<Tasks>(leader, `tasks?setId=${setId}`);
  const taskId = tasks.find((task) => task.name === 'Winter ranking')?.taskId;
  const { students, tests } = await ask<Markbook>(leader, `markbook?yearGroupId=${year?.yearGroupId}`);
  const { studentId, name, grade } = students.find((one) => one.setId === setId && one.grade !== null) ?? {};
  const before = new Date();
  await expect.poll(() => Date.now()).toBeGreaterThan(before.getTime());
  const decided = { studentId, ranking: null, score: null, grade: '1', exempt: false };
  await act(leader, 'DecideResults', { taskId, rows: [decided] });
  const admin = await marktrail.caller('admin@demo.example');
  await ask(admin, `export-results?testId=${tests[0]?.testId}`);

  // Who: by the name, the kind and the day.
  const page = await marktrail.person('auditor@demo.example', { at: '/history' });
  await page.getByLabel('Names').fill(name ?? '');
  await page.getByLabel('Names').press('Enter');
  await page.getByLabel('Kind').selectOption('Feedback tasks');
  await page.getByLabel('From').fill(before.toISOString().slice(0, 10));
  const entry = page.getByRole('listitem').filter({ hasText: 'Grace Bell decided the results of 1 student by hand in Winter ranking' });
  await pressEnter(entry.getByRole('button', { name: /open this entry/ }));
  const dialog = dialogOf(page, 'What happened');
  await dialog.getByRole('row', { name: new RegExp(`${name} Grade by hand Winter ranking none 1`) }).waitFor();
  await pressEnter(dialog.getByRole('button', { name: 'Close' }));

  // What stood there before.
  const row = page.getByRole('row', { name: new RegExp(`^${name}`) });
  const find = new URLSearchParams({ year: '11', find: name ?? '' }).toString();
  await page.goto(`/leader/markbook?${find}`);
  await row.getByRole('gridcell', { name: `1 , overridden by Grace Bell, computed ${grade}` }).waitFor();
  await page.goto(`/leader/markbook?${find}&asOf=${before.toISOString()}`);
  await page.getByText(/^As it was on/).waitFor();
  await row.getByRole('gridcell', { name: grade ?? '', exact: true }).waitFor();

  // Both side by side.
  await page.goto('/leader/markbook/replay?year=11&set=11X1');
  await pressEnter(page.getByRole('button', { name: 'Step back' }));
  await pressEnter(page.getByRole('button', { name: 'Compare' }));
  await page.getByRole('row', { name: new RegExp(`^${name} .*${grade} → 1`) }).waitFor();

  // Who took the marks out of it.
  await page.goto('/history');
  await page.getByLabel('Kind').selectOption('Looked at and handed out');
  await page
    .getByRole('listitem')
    .filter({ hasText: `Ada Nwosu downloaded the marks of ${tests[0]?.name}` })
    .waitFor();
});
