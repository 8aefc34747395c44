import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../api/contract/problem.ts';
import type { Client } from '../support/client.ts';
import type { School } from '../support/school.ts';
import { openSchool } from '../support/school.ts';

/** What is looked at first: whether it can be read, who asks, and only then what it says. */

let school: School;
let admin: Client;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.as('admin');
});
afterAll(() => school.close());

test('a request is refused where its letters are no UTF-8: they would be stored as question marks', async () => {
  const body = Buffer.from('{"name":"Caf\xe9 School"}', 'latin1');
  const answer = await admin.send('/api/commands/RenameSchool', { method: 'POST', body });
  expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([422, 'invalid-input']);
});

test('whoever may not ask at all is told nothing about what he asks', async () => {
  const student = await school.as('student');
  for (const path of ['commands/OpenStaffAccount', 'commands/IssueJoinCode', 'queries/preview-students', 'queries/export-results']) {
    expect((await student.send(`/api/${path}`, { method: 'POST', body: '{}' })).status, path).toBe(403);
  }
});
