import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChangesAsked, RecentAct, RecentChanges } from '../../../api/history/history.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');
const { ids } = school;
const subjectId = ids.maths;

const recent = async (filters: Partial<ChangesAsked> = {}, by = admin): Promise<readonly RecentAct[]> =>
  (await by.ask<RecentChanges>('recent-changes', { subjectId, ...filters })).acts;
const said = ({ sentence }: RecentAct): string => sentence.map(({ text }) => text).join('');
const newest = async (): Promise<string> => {
  const [act] = await recent();
  return act ? `${act.isUndone ? 'undone: ' : ''}${said(act)} +${act.others}` : 'none';
};
/** What the button of the newest does. */
const turn = async (): Promise<void> => {
  const [act] = await recent();
  if (!act?.undo) throw new Error('it has no button');
  const { by, ...rest } = act.undo;
  const { commandIds, ...about } = { commandIds: undefined, ...rest };
  const named = by === 'UndoCommand' || by === 'RedoCommand' || by.endsWith('Questions') || by.endsWith('Assessment') ? {} : { subjectId };
  for (const id of commandIds ?? [undefined]) await admin.done(by, { ...named, ...about, ...(id === undefined ? {} : { commandId: id }) });
};

test('each act stands there once, with what takes it back, and then with what brings it back', async () => {
  await admin.done('DeleteSet', { subjectId, setId: ids.setB, offRoll: true });
  const doing: Record<string, () => Promise<unknown>> = {
    'deleted the class 11B +4': async () => undefined,
    'imported students from new.csv: 1 new +1': () =>
      admin.done('ImportStudents', {
        subjectId,
        fileName: 'new.csv',
        rows: [{ admissionNo: 'N1', name: 'New, One', set: '11N', dateOfBirth: null }],
        make: [{ in: { yearGroupId: ids.year }, names: ['11N'], schemeId: ids.scheme, testIds: [] }],
      }),
    'renamed a class to 11Z +0': () => admin.done('ChangeSet', { subjectId, setId: ids.setA, name: '11Z' }),
    'corrected the details of A1, Anna +0': () =>
      admin.done('ChangeStudents', {
        subjectId,
        changes: [{ studentId: ids.students['A1'], details: { admissionNo: '00A1', name: 'A1, Anna', dateOfBirth: null } }],
      }),
  };
  for (const [sentence, act] of Object.entries(doing)) {
    await act();
    expect(await newest()).toBe(sentence);
    await turn();
    expect((await newest()).replace('A1, Student', 'A1, Anna')).toBe(`undone: ${sentence}`);
    await turn();
    expect(await newest()).toBe(sentence);
  }
});

test('what is typed in one place is one act', async () => {
  const entryId = randomUUID();
  const cell = { studentId: ids.students['A2'], testId: ids.mock };
  await admin.done('EnterMarks', { entryId, subjectId, seq: 1, typedAt: '2026-01-01T08:00:00Z', cells: [{ ...cell, is: 4 }] });
  await admin.done('EnterMarks', { entryId, subjectId, seq: 2, typedAt: '2026-01-01T08:01:00Z', cells: [{ ...cell, is: 5 }] });
  expect((await recent())[0]).toMatchObject({ kind: 'marks', others: 1, isUndone: false, undo: { by: 'UndoCommand' } });
  await turn();
  expect((await recent())[0]).toMatchObject({ isUndone: true, undo: { by: 'RedoCommand' } });
});

test('they are filtered by person, kind and day, and come in pages', async () => {
  const all = await recent();
  expect((await recent({ kind: 'marks' })).map(said)).toEqual(all.filter(({ kind }) => kind === 'marks').map(said));
  expect((await recent({ kind: 'students' })).map(said)).toContain('deleted the class 11B');
  expect(await recent({ by: school.accounts.teacherA })).toEqual([]);
  expect(await recent({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
  const pages: RecentAct[] = [];
  for (let before: string | undefined; ;) {
    const page = await admin.ask<RecentChanges>('recent-changes', { subjectId, limit: 2, ...(before === undefined ? {} : { before }) });
    pages.push(...page.acts);
    if (page.next === null) break;
    before = page.next;
  }
  const whole = await recent({ limit: 50 });
  expect(pages.slice(0, whole.length).map(({ actId }) => actId)).toEqual(whole.map(({ actId }) => actId));
});

test('a leader has all of the subject, with Undo for what is theirs to change: of its structure once that is open', async () => {
  await admin.done('ChangeSet', { subjectId, setId: ids.setC, name: '11Q' });
  const undo = async () => (await recent({ limit: 1 }, leader))[0]?.undo;
  expect(await undo()).toBeNull();
  await admin.done('OpenStructureToLeaders', { open: true });
  expect(await undo()).toMatchObject({ by: 'UndoAct' });
  await leader.done('UndoAct', { subjectId, actId: (await recent({}, leader))[0]?.actId });
  // Students are the admins' to change.
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: ids.students['C1'], place: { setId: ids.setA } }] });
  expect(await undo()).toBeNull();
  expect((await leader.query('recent-changes', { subjectId: ids.science })).status).toBe(403);
});

test('what others typed in between is on the next page, and nothing twice', async () => {
  const [long, short] = [randomUUID(), randomUUID()];
  for (const [seq, entryId] of [long, short, long].entries())
    await admin.done('EnterMarks', {
      entryId,
      subjectId,
      seq: seq === 2 ? 2 : 1,
      typedAt: '2026-01-01T08:00:00Z',
      cells: [{ studentId: ids.students['C2'], testId: ids.other, is: seq }],
    });
  const { acts, next } = await admin.ask<RecentChanges>('recent-changes', { subjectId, limit: 1 });
  const second = await admin.ask<RecentChanges>('recent-changes', { subjectId, limit: 2, before: next ?? '' });
  expect([...acts, ...second.acts].map(({ undo }) => undo && 'entryId' in undo && undo.entryId)).toEqual([
    long,
    short,
    expect.not.stringMatching(long),
  ]);
});
