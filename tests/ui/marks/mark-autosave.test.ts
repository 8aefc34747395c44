import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EnterMarks } from '../../../api/marks/marks.contract.ts';
import type { Cell } from '../../../events/marks/cell.ts';
import { emptyCell, seen, wasToWrite, withChange } from '../../../events/marks/cell.ts';
import type { MarkAutosave } from '../../../ui/marks/mark-autosave.ts';
import { markAutosave, ofSheet, savingMarks } from '../../../ui/marks/mark-autosave.ts';
import type { MarksInput, MarkDrafts } from '../../../ui/marks/mark-drafts.ts';
import { troublesIn } from '../../../ui/marks/enter-marks.ts';
import { attendanceKey, cellIn, markKey, sawOf, totalKey, waitingSheets } from '../../../ui/marks/mark-drafts.ts';
import { ApiRefusal } from '../../../ui/api/failure.ts';
import { PAUSE, PAUSE_ELSEWHERE } from '../../../ui/drafts/draft-autosave.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import type { Send } from '../../../ui/drafts/outbox.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';
import { PageOfBrowser, resumeOnceOpen } from '../../support/page-of-browser.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * A teacher with two tabs of one browser types into a sheet, a colleague types into the same one, and the network does what it likes. The
 * server is the fold of a cell, and the order of an entry's saves.
 */
const FORM = { subjectId: 's', setId: 'x', testId: 't' };
const STUDENTS = ['anna', 'ben'] as const;
const TABS = [0, 1] as const;

/** `lost`: stored, and the answer did not arrive; `failed`: a failure of the server that stored nothing. From here they look the same. */
const answers = ['stored', 'stored', 'lost', 'failed', 'refused'] as const;
type Answer = (typeof answers)[number];

const student = fc.constantFrom(...STUDENTS);
const tab = fc.constantFrom(...TABS);
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('type' as const), tab, student, isGoingOn: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('mistype' as const), tab, student }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('submit' as const), tab }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), how: fc.constantFrom(...answers), which: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('colleague' as const), student }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), tab }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
  ),
  { maxLength: 50 },
);

/** One tab sends again what the server has failed to store from another, which meanwhile saves what was typed since. */
const FROM_ANOTHER_TAB: ReturnType<typeof steps.generate>['value'] = [
  { do: 'type', tab: 1, student: 'anna', isGoingOn: false },
  { do: 'pause' },
  { do: 'type', tab: 0, student: 'ben', isGoingOn: false },
  { do: 'answer', how: 'failed', which: 0 },
  { do: 'submit', tab: 0 },
  { do: 'pause' },
  { do: 'answer', how: 'stored', which: 1 },
];

beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

test('typing, pauses, submitting, reloads, lost answers, a colleague: the last that was typed is stored, once, over nothing unseen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (hasTwoTabs, all) => {
      const device = new Device(hasTwoTabs ? 2 : 1);
      await device.rest();
      for (const step of all) {
        if (step.do === 'type') device.type(step.tab, step.student, step.isGoingOn ? 'typed' : 'begun');
        else if (step.do === 'mistype') device.type(step.tab, step.student, 'mistyped');
        else if (step.do === 'pause') vi.advanceTimersByTime(PAUSE);
        else if (step.do === 'submit') void device.tabs[step.tab]?.autosave.saveNow(ofSheet(FORM));
        else if (step.do === 'answer') device.answer(step.how, step.which);
        else if (step.do === 'colleague') device.server.colleague(step.student);
        else if (step.do === 'look') device.tabs[step.tab]?.look();
        else device.reload(step.tab);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await device.rest();
      }
      await device.finish();
      device.isRight();
    }),
    { numRuns: rounds(1_000, 10_000), examples: [[true, FROM_ANOTHER_TAB]] },
  );
});

test('a page that enters nothing leaves a mark to the sheet that it was typed into, however slow that is, and sends what is left when that is gone', async () => {
  const device = new Device(2);
  const [sheet, elsewhere] = device.tabs;
  // The timers of a hidden page run once a second.
  const slow = 1_000;
  sheet?.autosave.configure(savingMarks({ send: sheet.send, pause: slow }));
  elsewhere?.autosave.configure(savingMarks({ send: elsewhere.send, pause: PAUSE_ELSEWHERE }));
  const requestsAfter = async (ms: number): Promise<number> => {
    vi.advanceTimersByTime(ms);
    await device.rest();
    return device.requests.length;
  };
  await device.rest();
  device.type(0, 'anna', 'begun');
  await device.rest();
  expect([await requestsAfter(slow - 1), await requestsAfter(1)]).toEqual([0, 1]);
  device.answer('stored');
  await device.rest();

  device.type(0, 'ben', 'begun');
  sheet?.close();
  await device.rest();
  expect([await requestsAfter(slow), await requestsAfter(PAUSE_ELSEWHERE - slow)]).toEqual([0, 1]);
  device.answer('stored');
  await device.rest();
  expect(device.server.cells.get('ben')?.map(({ is }) => is)).toEqual([2]);
  vi.clearAllTimers();
});

/** Marks typed here are below this, a colleague's above. */
const COLLEAGUES = 1_000;

class Server {
  readonly refused = new Set<string>();
  readonly cells = new Map<string, Cell>(STUDENTS.map((name) => [name, emptyCell]));
  readonly #answers = new Set<string>();
  readonly #seqs = new Map<string, number>();
  #events = 0;
  #colleague = COLLEAGUES;

  /** @throws if a save comes after a later one of its entry */
  store(id: string, { entryId, seq, cells }: Pick<EnterMarks, 'entryId' | 'seq' | 'cells'>): void {
    if (this.#answers.has(id)) return;
    expect(seq, 'saves of an entry arrive in their order').toBeGreaterThan(this.#seqs.get(entryId) ?? 0);
    this.#seqs.set(entryId, seq);
    this.#answers.add(id);
    for (const { studentId, is, was = [] } of cells) {
      expect(is === 'cleared' || Number.isInteger(is), 'only marks are sent').toBe(true);
      this.#write(studentId, { command: id, entry: entryId, is, was });
    }
  }

  has(id: string): boolean {
    return this.#answers.has(id);
  }

  colleague(name: string): void {
    const is = ++this.#colleague;
    this.#write(name, { command: `c${is}`, entry: 'colleague', is, was: seen(this.cells.get(name) ?? emptyCell) });
  }

  #write(name: string, act: { command: string; entry: string; is: Cell[number]['is']; was: readonly Cell[number]['is'][] }): void {
    const before = this.cells.get(name) ?? emptyCell;
    const was = wasToWrite(before, act, 'mark');
    if (was) this.cells.set(name, withChange(before, { ...act, event: `e${++this.#events}`, was }));
  }
}

class Device {
  readonly server = new Server();
  readonly kept = memoryStorage<string, string, MarksInput>();
  readonly requests: ((how: Answer) => void)[] = [];
  readonly locks = new Map<string, Promise<void>>();
  tabs: Tab[];
  /** By student: what was typed last, and all that any page has shown there by then. */
  readonly last = new Map<string, string>();
  readonly shown = new Map<string, Set<string>>(STUDENTS.map((name) => [name, new Set()]));
  #typed = 0;

  constructor(tabs: 1 | 2) {
    this.tabs = TABS.slice(0, tabs).map(() => new Tab(this));
  }

  type(at: number, name: string, how: 'begun' | 'typed' | 'mistyped'): void {
    const value = how === 'mistyped' ? '1.5' : String(++this.#typed);
    if (!this.tabs[at]) return;
    this.last.set(name, value);
    this.tabs[at].type(name, value, how === 'typed' ? 'typed' : 'begun');
  }

  /** Requests are answered in any order. */
  answer(how: Answer, which = 0): void {
    this.requests.splice(which % Math.max(1, this.requests.length), 1)[0]?.(how);
  }

  reload(at: number): void {
    if (!this.tabs[at]) return;
    this.tabs[at].close();
    this.tabs[at] = new Tab(this);
  }

  /** Everything that can happen without an answer or a pause has happened. */
  async rest(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- each is a turn
    for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  }

  /** Whoever has mistyped corrects it; then the pages come back, and everything is answered. */
  async finish(): Promise<void> {
    for (const [name, value] of this.last) if (value === '1.5') this.type(0, name, 'begun');
    for (let round = 0; round < 6; round++) {
      // oxlint-disable no-await-in-loop -- each round depends on the one before
      await this.rest();
      if (round === 2) for (const at of TABS) this.reload(at);
      await this.rest();
      vi.advanceTimersByTime(PAUSE);
      for (const one of this.tabs) void one.autosave.saveNow(ofSheet(FORM));
      await this.rest();
      while (this.requests.length > 0) {
        this.answer('stored');
        await this.rest();
      }
      // oxlint-enable no-await-in-loop
    }
    for (const one of this.tabs) {
      expect(one.typed.seen().drafts).toEqual({});
      expect(one.typed.seen().batches).toEqual({});
      one.close();
    }
    vi.clearAllTimers();
  }

  isRight(): void {
    for (const [name, cell] of this.server.cells) {
      const own = cell.filter(({ entry }) => entry !== 'colleague');
      const last = this.last.get(name);
      expect(own.at(-1)?.is, `what was typed last for ${name}`).toBe(last === undefined ? undefined : Number(last));
      const values = own.map(({ is }) => is);
      expect(values, 'nothing is stored twice').toEqual([...new Set(values)]);
      // What a colleague has entered is covered only by somebody who had seen it.
      for (const { was } of own)
        for (const value of was) if (Number(value) > COLLEAGUES) expect(this.shown.get(name)).toContain(String(value));
    }
  }
}

/** One page; after `close` nothing that it began goes on. */
class Tab {
  readonly typed: MarkDrafts;
  readonly autosave: MarkAutosave;
  readonly #device: Device;
  readonly #page = new PageOfBrowser();
  /** What the page shows as stored. */
  #view = new Map<string, string>();
  readonly #leave: (() => void)[];

  constructor(device: Device) {
    this.#device = device;
    this.typed = new DraftStore<string, string, MarksInput>(this.#page.view(device.kept()), {
      sawOf,
      inTurn: (name, act) => this.#page.inTurn(device.locks, name, act),
    });
    this.autosave = markAutosave(this.typed);
    this.autosave.configure(savingMarks({ send: this.send }));
    this.look();
    const leaveResume = resumeOnceOpen(this.typed, this.send);
    this.#leave = [this.typed.open(), this.autosave.start(), leaveResume];
  }

  /** The page asks again. */
  look(): void {
    this.#view = new Map([...this.#device.server.cells].map(([name, cell]) => [name, seen(cell).join(' ')]));
  }

  type(name: string, value: string, how: 'begun' | 'typed'): void {
    const saw = this.#view.get(name) ?? '';
    for (const one of saw.split(' ')) this.#device.shown.get(name)?.add(one);
    const change = { [markKey(FORM, name, 'q')]: { value, saw } };
    if (how === 'typed') this.typed.type(change);
    else this.typed.put(change);
  }

  close(): void {
    this.#page.close();
    for (const leave of this.#leave) leave();
  }

  readonly send: Send<string, MarksInput> = ({ id, input }) =>
    new Promise((resolve, reject) => {
      for (const { studentId } of input.cells) expect(cellIn(markKey(FORM, studentId, 'q'))?.studentId).toBe(studentId);
      this.#device.requests.push((how) => {
        const { server } = this.#device;
        // What is stored already is answered so, and what was refused stays so: a right does not come back between two arrivals of a save.
        const isStored = server.has(id) || (how !== 'failed' && how !== 'refused' && !server.refused.has(id));
        const isRefused = !isStored && (how !== 'failed' || server.refused.has(id));
        if (isStored) server.store(id, input);
        if (isRefused) server.refused.add(id);
        if (this.#page.isClosed) return;
        if (how === 'lost' || (how === 'failed' && !isStored && !isRefused)) reject(new Error('The server failed.'));
        else if (isRefused) reject(new ApiRefusal({ type: 'about:blank', title: 'No.', status: 403, code: 'forbidden' }));
        else {
          this.look();
          resolve({});
        }
      });
    });
}

test('where the server lists only the first refusals of a save, no mark after them passes for stored', () => {
  const questions = ['stored', 'listed', 'unlisted'];
  const keyOf = (questionId: string): string => markKey(FORM, 'anna', questionId);
  const cells = questions.map((questionId) => ({ studentId: 'anna', testId: FORM.testId, questionId, is: 1 }));
  const batch = {
    id: 'b',
    values: Object.fromEntries(questions.map((question) => [keyOf(question), '1'])),
    input: { entryId: 'e', subjectId: FORM.subjectId, seq: 1, cells, typedAt: '' },
  };
  const refused = cells.slice(1, 2).map((cell) => ({ ...cell, reason: 'not-your-set' as const, message: 'Not yours' }));
  const troubles = (refusedCount: number) => troublesIn(batch, { commandId: null, stored: 1, refused, refusedCount });
  expect(troubles(1)).toEqual({ [keyOf('listed')]: { kind: 'refused', reason: 'Not yours' } });
  expect(Object.keys(troubles(2))).toEqual([keyOf('listed'), keyOf('unlisted')]);
});

test('what is typed and not stored is told by sheet: totals until they are submitted, marks until they are stored', () => {
  const later = { ...FORM, testId: 'later' };
  const draft = { value: '1', saw: '' };
  const keys = [totalKey(FORM, 'anna'), markKey(FORM, 'anna', 'q'), attendanceKey(FORM, 'ben'), totalKey(later, 'ben')];
  const drafts = Object.fromEntries(keys.map((key) => [key, draft]));
  const [total = '', mark = '', away = '', laterTotal = ''] = keys;
  const [totals, marks] = [
    { sheetKey: FORM, kind: 'total', keys: [total] },
    { sheetKey: FORM, kind: 'mark', keys: [mark, away] },
  ];
  const others = { sheetKey: later, kind: 'total', keys: [laterTotal] };
  expect(waitingSheets({ drafts, batches: {} })).toEqual([totals, marks, others]);
  const input = { entryId: 'e', subjectId: FORM.subjectId, seq: 1, cells: [], typedAt: '' };
  const batch = { id: 'b', values: { [total]: '1' }, input };
  expect(waitingSheets({ drafts, batches: { b: batch } })).toEqual([marks, others]);
  // The server has failed: they wait for their author again.
  expect(waitingSheets({ drafts, batches: { b: { ...batch, uncertain: true } } })).toEqual([totals, marks, others]);
});
