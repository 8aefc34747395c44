import { expect, test } from 'vitest';
import { readSettings } from '../../run/settings.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

const { site } = readSettings({ NODE_ENV: 'production', OPERATOR_EMAIL: 'office@trust.example' });
const { mailbox, school, visitor } = await openAuthSchool({ site });

test('in production no school registers, unless it is opened: every door says whom to write to, before it looks at what is sent', async () => {
  const doors = ['door/registration', 'door/registration/finalise', 'auth/register', 'recaptcha', 'new-db'];
  const answers = [
    await visitor().send('/api/door/robot-check'),
    ...(await Promise.all(doors.map((door) => visitor().post(`/api/${door}`, '{}')))),
  ];
  for (const answer of answers) {
    const { title } = (await answer.json()) as { title: string };
    expect([answer.status, title]).toEqual([403, 'New schools do not register themselves here: write to office@trust.example.']);
  }
});

test('a link that was mailed while it was open opens no school, and goes on working for when it is opened again', async () => {
  const { pool, links, mail } = school.backend.auth;
  const { rows } = await pool.query<{ id: string }>(
    `insert into identity.registrations (id, email, name, password) values (gen_random_uuid(), 'ada@heads.example', 'Ada', '') returning id`,
  );
  const registrationId = rows[0]?.id ?? '';
  await mail.order({ cause: `registered ${registrationId}`, kind: 'registered', about: { registrationId } });
  const token = await mailbox.token('ada@heads.example');
  expect((await visitor().auth('verify', { token })).status).toBe(403);
  const finalise = { token, email: 'ada@heads.example', password: PASSWORD, school: 'Greenfield Academy' };
  expect((await visitor().auth('registration/finalise', finalise)).status).toBe(403);
  expect(await links.find(['registration'], token)).toBeDefined();
});

test('it is as the setting says, by default open where nobody works with it in earnest', () => {
  const closed = (environment: Record<string, string>) => readSettings(environment).site.registrationClosed;
  expect(closed({})).toBeUndefined();
  expect(closed({ NODE_ENV: 'production', REGISTRATION: 'open' })).toBeUndefined();
  expect(closed({ REGISTRATION: 'closed' })).toBe('New schools do not register themselves here: ask whoever runs this installation.');
});
