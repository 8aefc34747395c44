import { expect, test } from 'vitest';
import type { ExportTable } from '../../api/marks/export.contract.ts';
import type { History } from '../../api/history/history.contract.ts';
import type { RoleName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** What hands out personal data is in the record before it is handed out. */
const { school, admin, auditor, leader, teacherA } = await schoolOfFile('admin', 'auditor', 'leader', 'teacherA');
const { ids } = school;

/** What somebody was handed out, newest first: as what the record calls it. */
const handedTo = async (role: RoleName): Promise<string[]> => {
  await school.backend.progress.waitFor(['record'], await school.backend.store.head(), 30_000);
  const { events } = await admin.ask<History>('history', { kind: 'looks', by: school.accounts[role] });
  return events.map(({ sentence }) => sentence.map(({ text }) => text).join(''));
};

test('an export is recorded, with what it is of, before it is answered; one that is refused is not', async () => {
  expect((await auditor.ask<ExportTable>('export-results', { testId: ids.mock })).title).toBe('Mock');
  expect((await auditor.query('export-students', { yearGroupId: ids.year })).status).toBe(200);
  expect((await leader.query('export-students', { yearGroupId: ids.year })).status).toBe(403);
  expect(await handedTo('auditor')).toEqual(['downloaded the students of Year 11 in Mathematics', 'downloaded the marks of Mock']);
  expect(await handedTo('leader')).toEqual([]);
});

test('an earlier moment is recorded once an hour for each account, by whatever it is asked', async () => {
  const asOf = new Date().toISOString();
  for (const other of ['admin', 'leader', 'leader'] as const) {
    const client = await school.as(other);
    for (const query of [{ subjectId: ids.maths }, { subjectId: ids.maths }])
      expect((await client.send(`/api/queries/structure?${new URLSearchParams({ ...query, asOf }).toString()}`)).status).toBe(200);
  }
  for (const role of ['admin', 'leader'] as const) {
    const moments = (await handedTo(role)).filter((text) => text.startsWith('looked at the school as it was on '));
    expect(moments.length).toBeGreaterThanOrEqual(1);
    expect(moments.length).toBeLessThanOrEqual(2); // an hour may have ended
    expect(moments[0]).toContain(`, ${asOf.slice(11, 16)} UTC`);
  }
});

test('what a page makes is recorded of what its reader may see, and found by whose it is; an auditor records nothing but that', async () => {
  const report = { what: 'class report', as: 'file', setId: ids.setA, testId: ids.mock };
  await teacherA.done('RecordHandOut', report);
  expect(await teacherA.command('RecordHandOut', { ...report, setId: ids.setB })).toMatchObject({ status: 404 });
  expect(await teacherA.command('RecordHandOut', { what: 'marks', as: 'file', testId: ids.forces })).toMatchObject({ status: 404 });
  expect(await teacherA.command('RecordHandOut', { what: 'teachers', as: 'file', subjectId: ids.science })).toMatchObject({ status: 403 });
  await auditor.done('RecordHandOut', { ...report, subjectId: ids.maths });
  expect(await (await school.as('student')).command('RecordHandOut', report)).toMatchObject({ status: 403 });
  expect(await auditor.command('ShowAssessment', { testId: ids.mock, visible: true })).toMatchObject({ status: 403 });
  expect(await handedTo('teacherA')).toEqual(['downloaded the class report of 11A in Mock']);
  // The subject was not named: the leader of it finds the entry all the same.
  const { events } = await leader.ask<History>('history', { kind: 'looks', setId: ids.setA });
  expect(events.map(({ by }) => by.accountId)).toEqual([school.accounts.auditor, school.accounts.teacherA]);
});

test('what cannot be recorded is not answered', async () => {
  const { store } = school.backend;
  const { append } = store;
  store.append = () => Promise.reject(new Error('The log is away.'));
  try {
    expect((await admin.query('export-results', { testId: ids.mock })).status).toBeGreaterThanOrEqual(500);
  } finally {
    store.append = append;
  }
});
