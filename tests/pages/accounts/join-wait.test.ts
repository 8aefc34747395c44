import { afterAll, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { openSchool, PASSWORD } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId } = school.ids;
const birthday = (of: number): string => `2009-06-${String(of + 1).padStart(2, '0')}`;
const rows = Array.from({ length: 22 }, (_, n) => ({ admissionNo: `J${n}`, name: `Pupil ${n}`, set: '11A', dateOfBirth: birthday(n) }));
await admin.done('ImportStudents', { subjectId, fileName: 'pupils.csv', rows, others: 'keep' });

/** A room in which a teacher is logged in: twenty dates may be open there, and somebody has tried as many. */
const fullRoom = async (address: string) => {
  const here = () => Object.assign(new Client(school), { address });
  const teacher = here();
  await teacher.signIn(school.email('teacherA'), PASSWORD);
  const { code } = await admin.done('IssueJoinCode', { subjectId });
  const asks = async (of: number) => {
    const [client, dateOfBirth] = [here(), birthday(of)];
    const { joining } = await client.passed('join/code', { code });
    return client.passed('join/birthday', { joining, dateOfBirth });
  };
  for (let one = 0; one < 20; one++) await asks(one);
  return { code, teacher, asks, pupil: here() };
};

test('a pupil who finds no place waits on the page, and goes on without typing again when a teacher lets the class go on', async () => {
  const { code, teacher, pupil } = await fullRoom('198.51.100.1');
  const page = await open(pupil, `/code?code=${code}`);
  await page.fill('Date of birth', birthday(20));
  await page.press('Continue');
  await page.says('Please wait: you are next.');
  await page.says('20 others are joining here just now.');
  await page.press('Change the date');
  await page.holds('Date of birth', birthday(20));
  await page.fill('Date of birth', birthday(21));
  await page.press('Continue');
  await page.find('button', 'One moment…');
  await teacher.passed('join/clear', { subjectId });
  await expect.poll(() => page.seen().queryAllByRole('radio')).toHaveLength(10);
});

test('a teacher is told that somebody waits, and lets the class go on', async () => {
  const { teacher, asks } = await fullRoom('198.51.100.2');
  expect(await asks(20)).toHaveProperty('wait.ahead', 0);
  const page = await open(teacher, '/teacher');
  await page.says('One student waits to join Mathematics.');
  await page.press('Let them go on');
  await page.says('The students go on now.');
  expect(await asks(20)).toHaveProperty('choices.length', 10);
});
