import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { FeedbackTaskResult } from '../../../api/tasks/feedback-task.contract.ts';
import { openAuthSchool } from '../../support/auth.ts';
import { openSteps, refusal } from '../../support/worked-example.ts';

/** What teachers are told of feedback tasks by mail, and what whoever asked for it reads. */
const { mailbox, school, admin, visitor } = await openAuthSchool();
const { example, leader, rank, checkRanking, assign, begin } = await openSteps(school);
const { pool, limits } = school.backend.auth;

type Created = FeedbackTaskResult<'CreateFeedbackTask'>;
const create = (name: string, change: object = {}, key?: string) =>
  leader.done<Created>('CreateFeedbackTask', { ...example.task, name, ...change }, key);
const remind = (taskId: string, body: object = {}) => leader.command('RemindTeachers', { taskId, ...body });
const expectMail = (role: 'teacherA' | 'teacherB', says: string) =>
  expect.poll(() => mailsTo(role).filter(({ text = '' }) => text.includes(says))).toHaveLength(1);
const mailsTo = (role: 'teacherA' | 'teacherB') => mailbox.mails.filter(({ recipient }) => recipient === school.email(role));
/** Until what is due has been sent. Whatever is ordered wakes the outbox, also for nobody. */
const sentWhatIsDue = async (): Promise<void> => {
  await visitor().passed('password/forgotten', { email: `${randomUUID()}@nowhere.example` });
  const dueOrUnderWay = `select from mail.waiting w join mail.outbox o using (id) where w.due <= now() or o.attempts > 0`;
  await expect.poll(async () => (await pool.query(dueOrUnderWay)).rowCount).toBe(0);
};
const anHourLater = () => pool.query(`update mail.outbox set sent_at = sent_at - interval '61 minutes' where together is not null`);
const MAPS = example.task['maps'] as readonly { readonly setId: string }[];
const MAPS_OF_A = MAPS.filter(({ setId }) => setId === example.setIds[0]);

test('nobody is told at an address that they have not proved; whoever asked reads so, and they are told once they have', async () => {
  const { taskId, ...answer } = await create('Nobody’s task');
  const notNotified = ['Teacher A', 'Teacher B'].map((name) => ({ name, why: 'not-proved' }));
  expect(answer).toEqual({ notified: 0, notNotified });
  await begin();
  await rank();
  const { taskId: ranked = '' } = { taskId: await begin() };
  await rank();
  expect((await remind(ranked)).body.result).toEqual({
    message: 'Nobody was reminded. No mail to Teacher A, Teacher B (e-mail address not confirmed).',
    teachers: 0,
    notNotified,
  });
  await sentWhatIsDue();
  expect([...mailsTo('teacherA'), ...mailsTo('teacherB')]).toEqual([]);

  // As by a mailed link, and some minutes later.
  await pool.query(`update identity."user" set "emailVerified" = true where email = any($1)`, [
    [school.email('teacherA'), school.email('teacherB')],
  ]);
  await pool.query(`update read.feedback_tasks set created_at = created_at - interval '10 minutes' where task_id = $1`, [taskId]);
  await sentWhatIsDue();
  await expectMail('teacherA', 'Nobody’s task');
  await expectMail('teacherB', 'Nobody’s task');
  await anHourLater();
});

test('the first is told at once, and what follows within the hour in one mail', async () => {
  const before = mailsTo('teacherA').length;
  const { taskId: _first, ...answer } = await create('The first one');
  expect(answer).toEqual({ notified: 2, notNotified: [] });
  await expectMail('teacherA', 'The first one');
  const [mail] = mailsTo('teacherA').slice(before);
  expect(mail?.subject).toBe('Test School: a new feedback task');
  expect(mail?.text).toMatch(/There is a new feedback task for 10X1: “The first one”\. It runs until \d\d\/\d\d\/\d{4}\./);

  await create('The second one');
  const third = await begin({ name: 'The third one' });
  await rank();
  expect((await remind(third)).body.result).toEqual({
    message: 'A reminder goes to 2 teachers of 10X1, 10X2.',
    teachers: 2,
    notNotified: [],
  });
  await remind(third);
  await sentWhatIsDue();
  expect(mailsTo('teacherA')).toHaveLength(before + 1);

  await anHourLater();
  await sentWhatIsDue();
  await expectMail('teacherA', 'The second one');
  const [together, ...more] = mailsTo('teacherA').slice(before + 1);
  expect(more).toEqual([]);
  expect(together?.subject).toBe('Test School: news of your feedback tasks');
  expect(together?.text?.match(/Hello|The second one”\. It runs|waits for your check/g)).toEqual([
    'Hello',
    'The second one”. It runs',
    'waits for your check',
  ]);
  await anHourLater();
});

test('a reminder goes to those who are awaited, and says the same under its key without what it cannot know any more', async () => {
  const taskId = await begin();
  await rank();
  await checkRanking(1);
  const key = randomUUID();
  // Five an hour, of which those who may not remind anybody take none.
  const stranger = await school.as('scienceLeader');
  for (let one = 0; one < 6; one++) expect((await stranger.command('RemindTeachers', { taskId })).status).toBe(403);
  expect(await leader.done('RemindTeachers', { taskId }, key)).toEqual({
    message: 'A reminder goes to 1 teacher of 10X1.',
    teachers: 1,
    notNotified: [],
  });
  expect(await leader.done('RemindTeachers', { taskId }, key)).toEqual({
    message: 'These reminders were sent already.',
    teachers: 0,
    notNotified: [],
    leftOut: ['message', 'teachers', 'notNotified'],
  });
  expect((await refusal(remind(taskId, { setIds: [example.setIds[1]] })))[2]).toBe('No class waits for a check.');
  await checkRanking(0);
  expect((await refusal(remind(taskId)))[2]).toBe('No class waits for a check.');
  await assign();
  expect((await remind(taskId, { setIds: [example.setIds[1]] })).body.result['message']).toBe('A reminder goes to 1 teacher of 10X2.');
  const another = randomUUID();
  const { notified: mails, ...repeated } = await create('Twice', {}, another);
  expect([mails, await create('Twice', {}, another)]).toEqual([2, { ...repeated, notified: 0, leftOut: ['notified', 'notNotified'] }]);
});

test('classes that come to a task are told; whoever has no account, or is nobody yet, is named', async () => {
  const { maths: subjectId, recordB, setB } = school.ids;
  const { taskId, ...first } = await create('The growing one', { maps: MAPS_OF_A });
  expect(first).toEqual({ notified: 1, notNotified: [] });
  expect(await leader.done('EditFeedbackTask', { taskId, maps: MAPS })).toEqual({ notified: 1, notNotified: [] });
  await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds: [setB] });
  expect(await create('One class is without')).toMatchObject({ notified: 1, notNotified: [{ name: '10X2', why: 'no-teacher' }] });
  const ranked = await begin();
  await rank();
  expect(await refusal(remind(ranked, { setIds: [example.setIds[1]] }))).toEqual([
    409,
    'refused',
    'No teacher of 10X2 has an active account.',
  ]);
  expect((await remind(ranked)).body.result).toEqual({
    message: 'A reminder goes to 1 teacher of 10X1. No mail to 10X2 (no teacher yet).',
    teachers: 1,
    notNotified: [{ name: '10X2', why: 'no-teacher' }],
  });
  for (;;) {
    const { status, headers, body } = await remind(ranked);
    if (status === 200) continue;
    expect([status, body.code, Number(headers.get('Retry-After')) > 60]).toEqual([429, 'rate-limited', true]);
    break;
  }
  await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds: [setB, example.setIds[1]] });
});

test('a teacher gets a handful, an account and a school can send so many; who is left out is named, and gets none', async () => {
  await anHourLater();
  await sentWhatIsDue();
  await anHourLater();
  const note = async (times: number, name: string, seconds: number, ...who: string[]) => {
    for (let n = 0; n < times; n++) await limits.note({ name, most: times, seconds }, ...who);
  };
  await note(6, 'mails of a school to one address, of tasks', 3_600, school.schoolId, school.email('teacherA'));
  expect(await create('One too many')).toMatchObject({ notified: 1, notNotified: [{ name: 'Teacher A', why: 'enough' }] });
  await note(350, 'mails of an account, of tasks', 3_600, school.accounts.leader);
  expect(await create('Far too many')).toMatchObject({
    notified: 0,
    notNotified: [
      { name: 'Teacher A', why: 'too-many' },
      { name: 'Teacher B', why: 'too-many' },
    ],
  });
  await pool.query(`update read.feedback_tasks set created_at = created_at - interval '10 minutes' where school_id = $1`, [
    school.schoolId,
  ]);
  await anHourLater();
  await sentWhatIsDue();
  await expectMail('teacherB', 'One too many');
  expect(mailsTo('teacherA').some(({ text = '' }) => text.includes('One too many'))).toBe(false);
  expect(mailbox.mails.some(({ text = '' }) => text.includes('Far too many'))).toBe(false);
  // The admin goes on inviting.
  expect(
    (
      await admin.command('InviteStaff', {
        name: 'Grace New',
        email: school.email('teacherA').replace('@', '+new@'),
        role: 'teacher',
        teachers: [],
      })
    ).status,
  ).toBe(200);
});
