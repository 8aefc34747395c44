import { expect, test } from 'vitest';
import { Typed } from '../../staff-ui/typing/typed.ts';

const form = { setId: 'set', testId: 'test', subjectId: 'maths', title: '11X1, Mock 1' };
const KEY = 'set test';
const save = (cells: Readonly<Record<string, number | 'cleared'>>) => ({
  entryId: 'entry',
  subjectId: 'maths',
  seq: 1,
  key: 'one-act',
  typedAt: '2026-01-01T10:00:00Z',
  cells: Object.entries(cells).map(([studentId, is]) => ({ studentId, testId: 'test', is })),
});

/** The storage of one tab. */
const tab = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

test('what is typed, and what is on its way, is there again after a reload; of one person only', () => {
  const storage = tab();
  const before = new Typed(storage, 'ada');
  before.type(form, { anna: '7', ben: '12' }, { anna: '', ben: '11', carl: '3' });
  before.sending(form, save({ anna: 7 }));
  expect(new Typed(storage, 'ada').all()).toEqual({
    [KEY]: { form, typed: { anna: '7', ben: '12' }, saw: { anna: '', ben: '11' }, save: save({ anna: 7 }) },
  });
  expect(new Typed(storage, 'grace').all()).toEqual({});
});

test('what was stored is typed no more; what was refused, or typed over meanwhile, stays', () => {
  const typed = new Typed(tab(), 'ada');
  const sent = save({ anna: 7, ben: 12, carl: 3, dora: 'cleared' });
  typed.type(form, { anna: '7', ben: '12', carl: '3', dora: '' }, { anna: '', ben: '1', carl: '2', dora: '8' });
  typed.sending(form, sent);
  typed.type(form, { carl: '4', emil: '5' }, { carl: '2', emil: '' });
  typed.stored(KEY, sent, [{ studentId: 'ben' }]);
  expect(typed.all()[KEY]).toEqual({ form, typed: { ben: '12', carl: '4', emil: '5' }, saw: { ben: '1', carl: '3', emil: '' } });
});

test('what its author saw is what stood in the field when he began, whatever comes in while he types', () => {
  const typed = new Typed(tab(), 'ada');
  typed.type(form, { anna: '1' }, { anna: '18' });
  typed.type(form, { anna: '19' }, { anna: '20' });
  expect(typed.all()[KEY]?.saw).toEqual({ anna: '18' });
  typed.type(form, { anna: undefined, ben: '3' }, { anna: '20', ben: '' });
  typed.type(form, { anna: '21' }, { anna: '20', ben: '2' });
  expect(typed.all()[KEY]?.saw).toEqual({ anna: '20', ben: '' });
});

test('a save that was refused as a whole leaves everything typed', () => {
  const typed = new Typed(tab(), 'ada');
  typed.type(form, { anna: '7' }, { anna: '5' });
  typed.sending(form, save({ anna: 7 }));
  typed.refused(KEY);
  expect(typed.all()[KEY]).toEqual({ form, typed: { anna: '7' }, saw: { anna: '5' } });
});

test('when all is stored nothing is left behind', () => {
  const storage = tab();
  const typed = new Typed(storage, 'ada');
  typed.type(form, { anna: '7' }, { anna: '' });
  typed.sending(form, save({ anna: 7 }));
  typed.stored(KEY, save({ anna: 7 }), []);
  expect(storage.kept.size).toBe(0);
});

test('a storage that is broken or full stops nobody from typing', () => {
  const broken = new Typed(
    {
      ...tab(),
      getItem: () => '{"half',
      setItem: () => {
        throw new Error('full');
      },
    },
    'ada',
  );
  broken.type(form, { anna: '7' }, {});
  expect(broken.all()[KEY]?.typed).toEqual({ anna: '7' });
});
