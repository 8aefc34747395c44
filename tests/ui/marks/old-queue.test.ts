import { expect, test } from 'vitest';
import { takeOldQueue } from '../../../staff-ui/marks/old-queue.ts';

const form = { setId: 'set', testId: 'test', subjectId: 'maths', title: '11X1, Mock 1' };
const save = {
  entryId: 'entry',
  subjectId: 'maths',
  seq: 3,
  cells: [
    { studentId: 'anna', testId: 'test', is: 7, was: [5] },
    { studentId: 'ben', testId: 'test', is: 'cleared', was: [2] },
  ],
  key: 'one-act',
  typedAt: '2026-01-01T10:00:00Z',
};
const tabWith = (text: string) => {
  const kept = new Map([['marktrail-typed-ada', text]]);
  return { kept, getItem: (key: string) => kept.get(key) ?? null, removeItem: (key: string) => void kept.delete(key) };
};

test('what the version before kept in the tab is taken over once: what was typed, and what was on its way under its own key', () => {
  const old = { 'set test': { form, typed: { anna: '07', ben: '', carl: '9' }, saw: { anna: '5', ben: '2' }, save } };
  const tab = tabWith(JSON.stringify(old));
  const { key, ...input } = save;
  expect(takeOldQueue(tab, 'grace')).toBe(undefined);
  expect(takeOldQueue(tab, 'ada')).toEqual({
    drafts: {
      'total maths set test anna': { value: '07', saw: '5' },
      'total maths set test ben': { value: '', saw: '2' },
      'total maths set test carl': { value: '9', saw: '' },
    },
    batches: { [key]: { id: key, values: { 'total maths set test anna': '07', 'total maths set test ben': '' }, input } },
  });
  expect(tab.kept.size).toBe(0);
});

test('what cannot be read is not taken over', () => {
  expect(takeOldQueue(tabWith('{"half'), 'ada')).toBe(undefined);
});
