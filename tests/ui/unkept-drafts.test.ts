import { expect, test } from 'vitest';
import type { DraftStorage } from '../../ui/drafts/store.ts';
import { memoryStorage } from '../support/memory-storage.ts';
import type { Send } from '../../ui/drafts/outbox.ts';
import { DraftStore } from '../../ui/drafts/store.ts';

const opened = async (keep: DraftStorage<string, string, string>) => {
  const store = new DraftStore<string, string, string>(keep, { sawOf: (value) => value });
  store.open();
  await expect.poll(() => store.seen().isOpen).toBe(true);
  return { store };
};

test.each(['at once', 'later'] as const)(
  'a browser that keeps nothing, %s, stops nobody from typing and saving, and it is said',
  async (when) => {
    const room = memoryStorage<string, string, string>()();
    let isFull = when === 'at once';
    const refuse = <Of>(act: () => Promise<Of>): Promise<Of> => (isFull ? Promise.reject(new Error('full')) : act());
    const { store } = await opened({
      ...room,
      put: (changes) => refuse(() => room.put(changes)),
      change: (step) => refuse(() => room.change(step)),
    });
    store.type({ anna: { value: '7', saw: '' } });
    isFull = true;
    store.type({ ben: { value: '8', saw: '' } });
    const sent: Readonly<Record<string, string>>[] = [];
    const send: Send<string, string> = async ({ values }) => {
      sent.push(values);
      return {};
    };
    await store.save(['anna', 'ben'], () => '', send);
    expect(sent).toEqual([{ anna: '7', ben: '8' }]);
    expect(store.seen().drafts).toEqual({});
    expect(store.seen().isKept).toBe(false);
  },
);

/** A browser's room that fails now and then: `full` takes nothing new, `refused` nothing at all. */
const failingRoom = () => {
  const room = memoryStorage<string, string, string>();
  let is: 'well' | 'full' | 'refused' = 'well';
  const tried = async <Of>(act: () => Promise<Of>): Promise<Of> => {
    if (is === 'refused') throw new Error('refused');
    return act();
  };
  return {
    become: (now: typeof is) => {
      is = now;
    },
    kept: () => room().change((state) => state),
    /** A page's view of it. */
    tab: (): DraftStorage<string, string, string> => {
      const keep = room();
      return {
        ...keep,
        put: (changes) => (is === 'full' ? Promise.reject(new Error('full')) : tried(() => keep.put(changes))),
        change: (step) =>
          tried(() =>
            keep.change((before) => {
              const after = step(before);
              const grows = (one: object, other: object) =>
                Object.entries(other).some(([key, now]) => !Object.is(now, Reflect.get(one, key)));
              if (is === 'full' && (grows(before.drafts, after.drafts) || grows(before.batches, after.batches))) throw new Error('full');
              return after;
            }),
          ),
      };
    },
  };
};

const takesAll: Send<string, string> = async () => ({});

test('what was stored while the browser kept nothing does not come back with the next page', async () => {
  const room = failingRoom();
  const { store } = await opened(room.tab());
  store.type({ anna: { value: '7', saw: '' } });
  await expect.poll(async () => Object.keys((await room.kept()).drafts)).toEqual(['anna']);
  room.become('refused');
  store.type({ anna: { value: '8', saw: '' }, ben: { value: '9', saw: '' } });
  await expect.poll(() => store.seen().isKept).toBe(false);
  await store.save(['anna'], () => '', takesAll);
  room.become('well');
  await expect.poll(() => store.seen().isKept).toBe(true);
  // What still waits is kept again, and what others keep has stayed.
  const next = await opened(room.tab());
  expect(next.store.seen().drafts).toEqual({ ben: { value: '9', saw: '' } });
  expect(next.store.seen().batches).toEqual({});
  store.type({ carl: { value: '3', saw: '' } });
  await expect.poll(async () => Object.keys((await room.kept()).drafts)).toEqual(['ben', 'carl']);
});

test('a full device loses what it cannot keep, and shows nothing that is older than what was stored', async () => {
  const room = failingRoom();
  const { store } = await opened(room.tab());
  const other = await opened(room.tab());
  other.store.type({ carl: { value: '3', saw: '' } });
  store.type({ anna: { value: '7', saw: '' } });
  await expect.poll(async () => Object.keys((await room.kept()).drafts).toSorted()).toEqual(['anna', 'carl']);
  room.become('full');
  store.type({ anna: { value: '8', saw: '' }, ben: { value: '9', saw: '' } });
  await store.save(['anna'], () => '', takesAll);
  await expect.poll(async () => (await room.kept()).drafts).toEqual({ carl: { value: '3', saw: '' } });
  expect(store.seen()).toMatchObject({ isKept: false, drafts: { ben: { value: '9' } } });
});
