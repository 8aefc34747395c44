import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiRefusal } from '../../ui/api/failure.ts';
import type { DraftStorage } from '../../ui/drafts/store.ts';
import { memoryStorage } from '../support/memory-storage.ts';
import type { Send } from '../../ui/drafts/outbox.ts';
import { DraftStore } from '../../ui/drafts/store.ts';
import { never, resumeOnceOpen } from '../support/page-of-browser.ts';
import { rounds } from '../support/rounds.ts';

const CELLS = ['anna', 'ben', 'carl'] as const;
const PEOPLE = ['ada', 'grace'] as const;
const TABS = [0, 1] as const;
type Person = (typeof PEOPLE)[number];
type Input = { readonly author: Person };

/** What becomes of a request: `lost` and `failed` look the same from here, but `lost` was stored. */
const answers = ['stored', 'lost', 'failed', 'refused', 'one refused'] as const;
type Answer = (typeof answers)[number];

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('type' as const), tab: fc.constantFrom(...TABS), cell: fc.constantFrom(...CELLS) }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const), tab: fc.constantFrom(...TABS) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('answer' as const), how: fc.constantFrom(...answers) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab: fc.constantFrom(...TABS) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), tab: fc.constantFrom(...TABS) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('somebody else' as const) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('rest' as const), turns: fc.integer({ min: 1, max: 12 }) }) },
  ),
  { maxLength: 60 },
);

test('typing, saving, refusals, silence, reloads, two tabs, another person: no keystroke is lost, and nothing is sent under two ids', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const device = new Device();
      await device.quiet();
      for (const step of all) {
        if (step.do === 'type') device.type(step.tab, step.cell);
        else if (step.do === 'save') device.save(step.tab);
        else if (step.do === 'answer') device.answer(step.how);
        else if (step.do === 'reload') device.reload(step.tab);
        else if (step.do === 'close') device.close(step.tab);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        else if (step.do === 'rest') await device.turns(step.turns);
        else device.somebodyElse();
        device.showsWhatWasTyped();
      }
      await device.quiet();
      await device.finish();
      device.isRight();
    }),
    { numRuns: rounds(1_000, 10_000) },
  );
});

/** One browser on one device, and the server. Whoever is logged in has two tabs. */
class Device {
  readonly kept = { ada: memoryStorage<string, string, Input>(), grace: memoryStorage<string, string, Input>() };
  person: Person = 'ada';
  tabs: (Tab | undefined)[] = [];
  /** Requests without an answer yet. */
  readonly waiting: ((how: Answer) => void)[] = [];
  readonly server = new Server();
  readonly lastTyped = { ada: new Map<string, string>(), grace: new Map<string, string>() };
  readonly locks = new Map<string, { readonly tab: Tab; readonly next: (() => void)[] }>();
  #typed = 0;
  #writing = 0;
  #disk = Promise.resolve();

  constructor() {
    this.tabs = TABS.map(() => new Tab(this));
  }

  type(at: number, cell: string): void {
    const tab = this.tabs[at];
    if (!tab) return;
    const value = `${++this.#typed}`;
    this.lastTyped[this.person].set(cell, value);
    tab.typed.set(cell, value);
    tab.store.type({ [cell]: { value, saw: this.server.stored[this.person].get(cell) ?? '' } });
  }

  save(at: number): void {
    const tab = this.tabs[at];
    const author = this.person;
    if (tab) void tab.store.save(CELLS, () => ({ author }), tab.send);
  }

  answer(how: Answer): void {
    this.waiting.shift()?.(how);
  }

  reload(at: number): void {
    this.tabs[at]?.close();
    this.tabs[at] = new Tab(this);
  }

  /** The last tab stays, or nobody would be at work. */
  close(at: number): void {
    if (this.tabs.filter((tab) => tab).length < 2) return;
    this.tabs[at]?.close();
    this.tabs[at] = undefined;
  }

  somebodyElse(): void {
    for (const tab of this.tabs) tab?.close();
    this.person = this.person === 'ada' ? 'grace' : 'ada';
    this.tabs = TABS.map(() => new Tab(this));
  }

  /** The browser writes what it was given in its order, whether the page is still there or not. */
  written<Of>(act: () => Promise<Of>): Promise<Of> {
    this.#writing++;
    const done = this.#disk.then(() => turn()).then(act);
    this.#disk = done.then(() => {
      this.#writing--;
    });
    return done;
  }

  async turns(count: number): Promise<void> {
    for (let left = count; left > 0; left--)
      // oxlint-disable-next-line no-await-in-loop -- each is one turn
      await turn();
  }

  /** Everything that can happen without an answer has happened. */
  async quiet(): Promise<void> {
    do await this.turns(2);
    while (this.#writing > 0);
  }

  /** Everybody comes back once more, saves, and the server answers. */
  async finish(): Promise<void> {
    for (const _ of PEOPLE) {
      for (let round = 0; round < 4; round++) {
        // Each round depends on the one before.
        // oxlint-disable no-await-in-loop
        for (const at of TABS) {
          this.save(at);
          await this.quiet();
          while (this.waiting.length > 0) {
            this.answer('stored');
            await this.quiet();
          }
        }
      }
      // Also what a tab had begun to send before it was closed.
      for (const tab of this.tabs) expect(tab?.store.seen().drafts ?? {}).toEqual({});
      this.somebodyElse();
      await this.quiet();
      // oxlint-enable no-await-in-loop
    }
  }

  /** A field never jumps back while somebody types into it, whatever is read and written meanwhile. */
  showsWhatWasTyped(): void {
    for (const tab of this.tabs)
      for (const [cell, value] of tab?.typed ?? []) {
        if (this.lastTyped[this.person].get(cell) !== value) continue;
        expect(tab?.store.seen().drafts[cell]?.value ?? this.server.stored[this.person].get(cell)).toBe(value);
      }
  }

  isRight(): void {
    for (const person of PEOPLE) expect([...this.server.stored[person]].toSorted()).toEqual([...this.lastTyped[person]].toSorted());
  }
}

type Request = { readonly author: Person; readonly values: Readonly<Record<string, string>> };

/** Answers a request that it has answered before as it did then. */
class Server {
  readonly stored = { ada: new Map<string, string>(), grace: new Map<string, string>() };
  readonly #requests = new Map<string, Request>();
  /** By id, what of it was not stored. */
  readonly #decided = new Map<string, readonly string[]>();
  /** By value, the ids under which it may be stored. */
  readonly #ids = new Map<string, Set<string>>();

  receive(id: string, request: Request): void {
    expect(this.#requests.get(id) ?? request, 'the same id is the same request').toEqual(request);
    this.#requests.set(id, request);
    for (const value of Object.values(request.values)) {
      const ids = this.#ids.get(value) ?? new Set();
      this.#ids.set(value, ids.add(id));
      expect([...ids], `the ids under which ${value} may be stored`).toEqual([id]);
    }
  }

  /** The cells that were not stored; undefined: no answer that says so. */
  answer(id: string, how: Answer): readonly string[] | undefined {
    if (how === 'failed') return undefined;
    const { author, values } = this.#requests.get(id) ?? { author: 'ada', values: {} };
    const cells = Object.keys(values);
    let refused = this.#decided.get(id);
    if (!refused) {
      refused = how === 'refused' ? cells : how === 'one refused' ? cells.slice(0, 1) : [];
      this.#decided.set(id, refused);
      for (const [cell, value] of Object.entries(values)) if (!refused.includes(cell)) this.stored[author].set(cell, value);
    }
    for (const cell of refused) this.#ids.get(values[cell] ?? '')?.delete(id);
    return how === 'lost' ? undefined : refused;
  }
}

/** One page of whoever is logged in; after `close` nothing that it began goes on. */
class Tab {
  readonly store: DraftStore<string, string, Input>;
  /** In this tab. */
  readonly typed = new Map<string, string>();
  readonly #device: Device;
  readonly #owner: Person;
  #isClosed = false;

  constructor(device: Device) {
    this.#device = device;
    this.#owner = device.person;
    this.store = new DraftStore<string, string, Input>(this.#keepOf(device.kept[device.person]()), {
      sawOf: (value) => value,
      inTurn: (name, act) => this.#inTurn(name, act),
    });
    resumeOnceOpen(this.store, this.send);
    this.store.open();
  }

  readonly send: Send<string, Input> = ({ id, values, input }) =>
    new Promise((resolve, reject) => {
      const { server, waiting } = this.#device;
      expect(input.author, 'who sends it has typed it').toBe(this.#owner);
      server.receive(id, { author: input.author, values });
      waiting.push((how) => {
        const refused = server.answer(id, how);
        if (this.#isClosed) return;
        if (!refused) reject(refusal(500));
        else if (refused.length === Object.keys(values).length) reject(refusal(422));
        else resolve(Object.fromEntries(refused.map((cell) => [cell, { kind: 'refused', reason: 'Max mark available is 26' }])));
      });
    });

  close(): void {
    this.#isClosed = true;
    for (const [name, { tab, next }] of this.#device.locks) {
      if (tab !== this) continue;
      this.#device.locks.delete(name);
      next.shift()?.();
    }
  }

  #inTurn(name: string, act: () => Promise<void>): Promise<void> {
    const { locks } = this.#device;
    return new Promise((resolve) => {
      const begin = (waiting: (() => void)[]) => {
        if (this.#isClosed) return waiting.shift()?.();
        locks.set(name, { tab: this, next: waiting });
        void act().then(() => {
          if (this.#isClosed) return;
          locks.delete(name);
          waiting.shift()?.();
          resolve();
        });
      };
      const held = locks.get(name);
      if (held) held.next.push(() => begin(held.next));
      else begin([]);
    });
  }

  #keepOf(keep: DraftStorage<string, string, Input>): DraftStorage<string, string, Input> {
    /** A page that is gone begins nothing, and hears of nothing. */
    const alive = async <Of>(act: () => Promise<Of>): Promise<Of> => {
      if (this.#isClosed) return never;
      const is = await this.#device.written(act);
      return this.#isClosed ? never : is;
    };
    return {
      put: (changes) => alive(() => keep.put(changes)),
      change: (step) => alive(() => keep.change(step)),
      subscribe: (listener) => keep.subscribe(() => !this.#isClosed && listener()),
    };
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const refusal = (status: number): ApiRefusal =>
  new ApiRefusal({ type: 'about:blank', title: 'What happened', status, code: status === 500 ? 'internal-error' : 'invalid-input' });

const opened = async () => {
  const store = new DraftStore<string, string, string>(memoryStorage<string, string, string>()(), { sawOf: (value) => value });
  store.open();
  await expect.poll(() => store.seen().isOpen).toBe(true);
  const save = (cells: readonly string[], send: Send<string, string>) => store.save(cells, () => '', send);
  return { store, save, statuses: () => CELLS.map((cell) => store.seen().statusOf(cell, '')) };
};

test('each cell says what has become of it', async () => {
  const { store, save, statuses } = await opened();
  expect(statuses()).toEqual(['clean', 'clean', 'clean']);
  store.type({ anna: { value: '7', saw: '' }, ben: { value: '99', saw: '' }, carl: { value: '3', saw: '4' } });
  // Somebody else has emptied Carl's since it was typed over.
  expect(statuses()).toEqual(['changed', 'changed', 'conflict']);
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Send<string, string>>>>();
  const saving = save(['anna', 'ben'], () => promise);
  await expect.poll(statuses).toEqual(['saving', 'saving', 'conflict']);
  store.offline(true);
  expect(statuses()).toEqual(['offline', 'offline', 'conflict']);
  store.offline(false);
  store.type({ anna: { value: '8', saw: '' } });
  expect(statuses()).toEqual(['changed', 'saving', 'conflict']);
  // It waits behind what was sent.
  store.offline(true);
  expect(statuses()).toEqual(['offline', 'offline', 'conflict']);
  store.offline(false);
  resolve({ ben: { kind: 'refused', reason: 'Max mark available is 26' } });
  expect(await saving).toBe(false);
  expect(store.seen().statusOf('ben')).toBe('refused');
  expect(store.seen().troubles['ben']?.reason).toBe('Max mark available is 26');
  // What was stored counts as seen by whoever types over it.
  expect(store.seen().drafts['anna']).toEqual({ value: '8', saw: '7' });
  expect(await save(['anna'], async () => ({}))).toBe(true);
  expect(store.seen().statusOf('anna')).toBe('saved');
  store.discard(['ben', 'carl']);
  expect(store.seen().drafts).toEqual({});
});

test('what is refused as a whole keeps the reason at each of its cells, until it is typed anew', async () => {
  const { store, save, statuses } = await opened();
  store.type({ anna: { value: '7', saw: '' }, ben: { value: '99', saw: '' }, carl: { value: '3', saw: '' } });
  const trouble = { kind: 'refused', reason: 'What happened', ofAll: true };
  for (const status of [422, 500]) {
    // oxlint-disable-next-line no-await-in-loop -- the one after the other
    expect(await save(['anna', 'ben'], () => Promise.reject(refusal(status)))).toBe(false);
    expect(store.seen().troubles).toMatchObject({ anna: trouble, ben: trouble });
    expect(statuses()).toEqual(['refused', 'refused', 'changed']);
  }
  store.type({ anna: { value: '8', saw: '' } });
  expect([Object.keys(store.seen().troubles), statuses()]).toEqual([['ben'], ['changed', 'refused', 'changed']]);
});

test('a save is done when the server has answered, not before', async () => {
  const { store, save } = await opened();
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Send<string, string>>>>();
  store.resume(() => promise);
  store.type({ anna: { value: '7', saw: '' } });
  let isDone = false;
  const saving = save(['anna'], () => promise).then(() => (isDone = true));
  await expect.poll(() => store.seen().statusOf('anna')).toBe('saving');
  await turn();
  expect(isDone).toBe(false);
  resolve({});
  await saving;
  expect(store.seen().statusOf('anna')).toBe('saved');
});

test('what its author saw is what stood there when the typing began, whatever comes in meanwhile', async () => {
  const { store } = await opened();
  store.type({ anna: { value: '1', saw: '18' } });
  store.type({ anna: { value: '19', saw: '20' } });
  expect(store.seen().drafts['anna']).toEqual({ value: '19', saw: '18' });
});

/**
 * A batch that is on its way in one tab is sent by another when that tab is gone. The other waits for its turn; by then the server has failed,
 * and who sent it knows. If it sent it nevertheless, the first would stand in for it in its turn, and so on, as fast as the server fails.
 */
test('a server that fails is not asked without end by two tabs that stand in for each other', async () => {
  const room = memoryStorage<string, string, string>();
  let before = Promise.resolve();
  const inTurn = (_name: string, act: () => Promise<void>): Promise<void> => {
    before = before.then(act);
    return before;
  };
  let sent = 0;
  const send: Send<string, string> = async () => {
    sent++;
    await turn();
    if (sent < 50) throw refusal(500);
    return {};
  };
  const tabs = TABS.map(() => new DraftStore<string, string, string>(room(), { sawOf: (value) => value, inTurn }));
  for (const tab of tabs) {
    tab.open();
    tab.resume(send);
  }
  tabs[0]?.type({ anna: { value: '7', saw: '' } });
  await tabs[0]?.save(['anna'], () => '', send);
  // oxlint-disable-next-line no-await-in-loop -- each is one turn
  for (let left = 200; left > 0; left--) await turn();
  expect(sent).toBe(1);
  expect(tabs.map((tab) => tab.seen().drafts)).toEqual([{ anna: { value: '7', saw: '' } }, { anna: { value: '7', saw: '' } }]);
});
