import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { enoughPrior } from '../../support/enough-prior.ts';
import { tomorrow } from '../../support/samples.ts';
import { writeTask } from '../../support/tasks-in-log.ts';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacherA] = [await school.as('leader'), await school.as('teacherA')];
const { maths: subjectId, year: yearGroupId, setA, setB, mock, other, students } = school.ids;
await enoughPrior(school);
const task = { subjectId, yearGroupId, expiry: tomorrow(), teacherInput: true, maps: [{ setId: setA, testId: mock }] };

test('a task cannot be changed at an earlier moment, by leader or teacher', async () => {
  await leader.done('CreateFeedbackTask', { ...task, name: 'Spring mocks' });
  const now = await open(leader, '/leader?year=11');
  for (const name of ['Add new task', 'Open Spring mocks', 'Delete Spring mocks']) await now.find('button', name);
  const asOf = new Date().toISOString();
  const then = await open(leader, `/leader?year=11&asOf=${asOf}`);
  await then.says('Nothing can be changed here.');
  const tasks = await then.part('region', 'Feedback tasks');
  await tasks.find('heading', 'Spring mocks');
  expect(tasks.seen().queryAllByRole('button')).toEqual([]);
  const teacher = await open(teacherA, `/teacher?year=11&set=11A&asOf=${asOf}`);
  const card = (await teacher.find('heading', 'Spring mocks')).closest('li');
  expect([...(card?.querySelectorAll('button') ?? [])].map(({ ariaLabel }) => ariaLabel)).toEqual(['Submission tracker of Mock']);
  await teacher.press('Submission tracker of Mock');
  const tracker = await teacher.dialog('Student Submission Tracker');
  await tracker.says('as it was on');
  await tracker.find('region', 'Incomplete: 4');
  await tracker.gone('Students do not see Mock.');
});

test('a new task of two tiers begins with the paper that each class has totals for, and needs a name', async () => {
  const cells = [
    ...['A1', 'A2', 'A3'].map((short) => ({ studentId: students[short], testId: mock, is: 12 })),
    ...['B1', 'B2', 'B3', 'B4'].map((short) => ({ studentId: students[short], testId: other, is: 14 })),
  ];
  await leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
  const page = await open(leader, '/leader?year=11');
  await page.press('Add new task');
  const dialog = await page.dialog('New feedback task – Year 11');
  await dialog.field('Task name');
  const papers = await Promise.all(['11A: Mock', '11A: Other', '11B: Mock', '11B: Other'].map((box) => dialog.field(box)));
  // The one of 11A is in another task.
  expect(papers.map(({ checked }) => checked)).toEqual([false, false, false, true]);
  await dialog.check('11A: Mock');
  await dialog.find('cell', /3 of 4/);
  await dialog.says('11A, Mock: A4, Student');
  await dialog.press('Add task');
  await dialog.says('Task name: This field is required.');
  await dialog.fill('Task name', 'Two tiers');
  await dialog.press('Add task');
  await page.says('Two tiers was added.');
  await page.dialog('Two tiers – Year 11');
});

test('what is typed of a task is not closed without a question', async () => {
  await leader.done('CreateFeedbackTask', { ...task, name: 'Autumn mocks', maps: [{ setId: setB, testId: mock }] });
  const page = await open(leader, '/leader?year=11');
  await page.press('Open Autumn mocks');
  const dialog = await page.dialog('Autumn mocks – Year 11');
  await dialog.press(/Assign assessments to classes/);
  await dialog.fill('Task name', 'Winter mocks');
  await dialog.press('Close');
  await page.whenAsked('Stay here');
  await dialog.press('Discard changes');
  await dialog.holds('Task name', 'Autumn mocks');
  await dialog.press('Close');
  await page.goneFrom('dialog', 'Autumn mocks – Year 11');
});

test('a teacher’s card says that a task is overdue, whomever it waits for', async () => {
  await writeTask(school, randomUUID(), [
    {
      event: {
        type: 'FeedbackTaskCreated',
        data: {
          subjectId,
          yearGroupId,
          about: { name: 'Late' },
          expiry: '2026-01-12',
          teacherInput: true,
          maps: [{ setId: setB, testId: other }],
        },
      },
    },
  ]);
  const page = await open(await school.as('teacherB'), '/teacher?year=11&set=11B');
  const card = (await page.find('heading', 'Late')).closest('li');
  expect(card?.textContent).toMatch(/Totals uploaded: awaiting .*Expires 12\/01\/2026 \(Overdue!\) \d+ days late/);
});
