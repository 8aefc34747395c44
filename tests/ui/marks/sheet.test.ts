import { expect, test } from 'vitest';
import type { How } from '../../../staff-ui/marks/grid/table.ts';
import type { Stored } from '../../../staff-ui/marks/sheet/model/cells.ts';
import { blanksIn, takenOf, wrongMark } from '../../../staff-ui/marks/sheet/model/cells.ts';
import { markAutosave, ofSheet, savingMarks } from '../../../ui/marks/mark-autosave.ts';
import { enterMarks } from '../../../ui/marks/enter-marks.ts';
import type { MarkDraftState, MarksBatch, MarksInput } from '../../../ui/marks/mark-drafts.ts';
import { markKey, SAW_NOTHING, sawOf } from '../../../ui/marks/mark-drafts.ts';
import { createApi } from '../../../ui/api/client.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';

const FORM = { subjectId: 's', setId: 'x', testId: 't' };
const key = (student: string) => markKey(FORM, student, 'q');
const PROBLEM = { 'Content-Type': 'application/problem+json' };
const NOTHING_KEPT: MarkDraftState = { drafts: {}, batches: {} };

const stored = (values: Readonly<Record<string, readonly (number | 'cleared')[]>>): ReadonlyMap<string, Stored> =>
  new Map(
    Object.entries(values).map(([student, all]) => {
      const texts = all.map((value) => (value === 'cleared' ? '' : String(value)));
      return [key(student), { text: texts[0] ?? '', saw: all.join(' '), cell: undefined, values: all.length > 1 ? [...all] : undefined }];
    }),
  );

/** A cell out of 9 as its author goes on typing in it: what is kept, and so saved after a pause, and what is only shown. */
const typing = (before: number) => {
  let kept: MarkDraftState = NOTHING_KEPT;
  let mistyped: Readonly<Record<string, string>> = {};
  return (text: string, how: How) => {
    const sheet = {
      stored: stored({ anna: [before] }),
      kept,
      mistyped,
      isNoMark: (_: string, is: string) => wrongMark(is, 9) !== undefined,
      as: '',
    };
    const taken = takenOf({ [key('anna')]: text }, how, sheet);
    kept = { drafts: taken.kept, batches: {} };
    mistyped = taken.here;
    return { saved: taken.kept[key('anna')]?.value, shown: taken.here[key('anna')] };
  };
};

test('what is no mark leaves what is stored, also while it is taken out again: only who leaves the cell empty empties it', () => {
  const letter = typing(5);
  expect(letter('x', 'begun')).toEqual({ saved: undefined, shown: 'x' });
  expect(letter('', 'typed')).toEqual({ saved: undefined, shown: '' });
  expect(letter('6', 'typed')).toEqual({ saved: '6', shown: undefined });
  const tooMuch = typing(5);
  expect(tooMuch('12', 'begun')).toEqual({ saved: '12', shown: undefined });
  expect(tooMuch('', 'typed')).toEqual({ saved: undefined, shown: '' });
  expect(tooMuch('', 'one')).toEqual({ saved: '', shown: undefined });
  // Whoever takes out a mark means it.
  const mark = typing(5);
  expect(mark('7', 'begun')).toEqual({ saved: '7', shown: undefined });
  expect(mark('', 'typed')).toEqual({ saved: '', shown: undefined });
});

test('a block says all that it holds, also what is shown there, and decides about nothing that other people disagree on', () => {
  const cells = new Map([
    ...stored({ ben: [2, 3], cleo: [7], dora: [4] }),
    // The student's own mark: nobody of the staff has said anything.
    [key('anna'), { text: '5', saw: '', cell: undefined, values: undefined }] as const,
  ]);
  // Typed before a colleague entered 4.
  const kept: MarkDraftState = { drafts: { [key('dora')]: { value: '1', saw: '' } }, batches: {} };
  const texts = { [key('anna')]: '5', [key('ben')]: '2', [key('cleo')]: '7', [key('dora')]: '6' };
  const taken = takenOf(texts, 'block', { stored: cells, kept, mistyped: {}, isNoMark: () => false, as: '', block: 'b' });
  expect(Object.entries(taken.kept).map(([at, { value, saw, block }]) => [at, value, saw, block])).toEqual([
    [key('anna'), '5', '', 'b'],
    [key('ben'), '2', SAW_NOTHING, 'b'],
    [key('cleo'), '7', '7', 'b'],
    [key('dora'), '6', '', 'b'],
  ]);
  // Whoever types into one cell has looked at it.
  const one = takenOf({ [key('ben')]: '2' }, 'one', { stored: cells, kept, mistyped: {}, isNoMark: () => false, as: '' });
  expect(one.kept[key('ben')]).toEqual({ value: '2', saw: '2 3', as: '' });
});

test('0 goes into no blank beside which somebody has entered a mark that waits to be decided about', () => {
  const kept: MarkDraftState = { drafts: { [key('cleo')]: { value: '', saw: '4' } }, batches: {} };
  const sheet = { stored: stored({ anna: [], ben: ['cleared', 5], cleo: [7] }), kept };
  expect(blanksIn(sheet, [key('ben')], [key('anna'), key('ben'), key('cleo')])).toEqual([key('anna')]);
});

test('what waits is recorded as typed: by whoever was viewed then, in a save of its own, also after a reload', async () => {
  const device = memoryStorage<string, string, MarksInput>();
  const page = async (viewedNow: string | undefined, isOnline: boolean) => {
    const sent: (readonly [viewAs: string | null, students: readonly string[]])[] = [];
    const api = createApi({
      fetch: async (_path, init) => {
        if (!isOnline) throw new TypeError('Failed to fetch');
        const { cells } = JSON.parse(String(init?.body)) as Pick<MarksInput, 'cells'>;
        const viewAs = new Headers(init?.headers).get('X-View-As');
        // Has left the subject meanwhile.
        if (viewAs === 'teacher c')
          return Response.json({ title: 'Not one of yours', status: 403, code: 'forbidden' }, { status: 403, headers: PROBLEM });
        sent.push([viewAs, cells.map(({ studentId }) => studentId)]);
        return Response.json({ position: null, revision: null, result: { commandId: null, stored: 1, refusedCount: 0, refused: [] } });
      },
      pause: () => new Promise<void>(() => {}),
    });
    api.viewAs(viewedNow);
    const typed = new DraftStore(device(), { sawOf });
    typed.open();
    await expect.poll(() => typed.seen().isOpen).toBe(true);
    const autosave = markAutosave(typed);
    const send = async (batch: MarksBatch) => {
      await enterMarks(api, batch);
      return {};
    };
    autosave.configure(savingMarks({ send }));
    return { typed, autosave, sent };
  };
  const offline = await page('teacher a', false);
  for (const [student, as] of [
    ['anna', 'teacher a'],
    ['ben', 'teacher b'],
    ['cleo', ''],
    ['eve', 'teacher c'],
    ['dora', 'teacher a'],
  ] as const)
    offline.typed.type({ [key(student)]: { value: '1', saw: '', as } });
  const later = await page('teacher b', true);
  await expect.poll(() => Object.keys(later.typed.seen().drafts).length).toBe(5);
  expect(await later.autosave.saveNow(ofSheet(FORM))).toBe(true);
  expect(later.sent.toSorted()).toEqual([
    [null, ['cleo']],
    ['teacher a', ['anna', 'dora']],
    ['teacher b', ['ben']],
    ['teacher', ['eve']],
  ]);
  expect(later.typed.seen().drafts).toEqual({});
});
