import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shareStored } from '../../../student-ui/marks/stored-elsewhere.ts';
import { createApi } from '../../../ui/api/client.ts';
import type { OwnMarkDrafts, OwnMarksInput, MarkStep, OwnMarkValue } from '../../../student-ui/marks/own-mark-drafts.ts';
import {
  enteredIn,
  maySend,
  ofGoneQuestions,
  ownKey,
  placeIn,
  ownMarksInputOf,
  markSteps,
  submitKey,
  totalOf,
  waitingTests,
  wrongMark,
} from '../../../student-ui/marks/own-mark-drafts.ts';
import { ApiRefusal } from '../../../ui/api/failure.ts';
import { DraftAutosave, PAUSE } from '../../../ui/drafts/draft-autosave.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import type { Send } from '../../../ui/drafts/outbox.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';
import { PageOfBrowser, resumeOnceOpen } from '../../support/page-of-browser.ts';

test.each<[MarkStep, number | null, number | null]>([
  ['plus', null, 1],
  ['plus', 4, 5],
  ['plus', 5, 5],
  // Above a maximum that was lowered meanwhile.
  ['plus', 7, 7],
  ['minus', null, null],
  ['minus', 0, 0],
  ['minus', 1, 0],
  ['min', null, 0],
  ['min', 5, 0],
  ['max', null, 5],
  ['max', 7, 5],
])('of 5 marks, %s makes of %s: %s', (step, before, after) => {
  expect(markSteps[step](before, 5)).toBe(after);
});

test.each([
  ['', undefined],
  [' 5 ', undefined],
  ['05', undefined],
  ['6', 'Max mark available is 5'],
  ['-1', 'Value must be an integer'],
  ['2.5', 'Value must be an integer'],
  ['x', 'Value must be an integer'],
  ['99999999999', 'Max mark available is 5'],
])('typed %j: %s', (text, wrong) => {
  expect(wrongMark(text, 5)).toBe(wrong);
});

test('what waits for questions that are not on the paper any more goes with its submission, and nothing else', () => {
  const draft = { value: 1, saw: null };
  const drafts = { [ownKey('t', 'a')]: draft, [ownKey('t', 'b')]: draft, [ownKey('u', 'b')]: draft };
  expect(ofGoneQuestions('t', [{ questionId: 'a', mark: 1 }], { drafts })).toEqual([ownKey('t', 'b')]);
});

test('what is typed counts before what is stored, and what was submitted before both', () => {
  const questions = ['a', 'b', 'c'].map((questionId, at) => ({
    questionId,
    number: at + 1,
    topic: '',
    max: 5,
    mark: at === 2 ? null : 1,
    staff: null,
  }));
  const drafts = { [ownKey('t', 'b')]: { value: null, saw: null }, [ownKey('t', 'c')]: { value: 4, saw: null } };
  expect(enteredIn({ testId: 't', questions }, { drafts }).map(({ mark }) => mark)).toEqual([1, null, 4]);
  expect(totalOf(enteredIn({ testId: 't', questions }, { drafts }))).toBe(5);
  const submitted = { ...drafts, [submitKey('t')]: { value: [{ questionId: 'b', mark: 3 }], saw: null } };
  expect(enteredIn({ testId: 't', questions }, { drafts: submitted }).map(({ mark }) => mark)).toEqual([1, 3, 4]);
  expect(waitingTests({ drafts: submitted, troubles: {} })).toMatchObject([
    { testId: 't', marks: 2, isSubmitted: true, reason: undefined },
  ]);
  // Nothing is taken for another test.
  expect(enteredIn({ testId: 'u', questions }, { drafts: submitted }).map(({ mark }) => mark)).toEqual([1, 1, null]);
});

const TEST = 't';
const QUESTIONS = ['a', 'b'] as const;
const answers = ['stored', 'stored', 'lost', 'failed'] as const;
type Answer = (typeof answers)[number];
type Act =
  | { readonly do: 'type'; readonly tab: number; readonly question: string; readonly mark: number }
  | { readonly do: 'pause' }
  | { readonly do: 'answer'; readonly how: Answer; readonly which: number }
  | { readonly do: 'reload'; readonly tab: number };
const tab = fc.constantFrom(0, 1);
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('type' as const), tab, question: fc.constantFrom(...QUESTIONS), mark: fc.nat(5) }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), how: fc.constantFrom(...answers), which: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
  ),
  { maxLength: 30 },
);

beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

test('typing in two tabs, silence, failures, reloads: what was typed last is submitted, once, and no save comes after it', async () => {
  await fc.assert(
    fc.asyncProperty(acts, acts, tab, async (before, after, from) => {
      const device = new Device();
      await device.do(before);
      for (const question of QUESTIONS) device.type(from, question, 3);
      await device.rest();
      device.tabs[from]?.submit();
      // Nothing more is typed: the form is closed.
      await device.do(after.filter((act) => act.do !== 'type'));
      await device.finish();
      expect(device.server).toMatchObject({ submitted: { a: 3, b: 3 }, submissions: 1, lateSaves: 0 });
    }),
    { numRuns: 500 },
  );
});

class Server {
  readonly marks: Record<string, number | null> = {};
  submitted: Record<string, number | null> | undefined;
  submissions = 0;
  lateSaves = 0;
  readonly #answers = new Set<string>();

  /** @throws ApiRefusal if they are submitted already */
  take(id: string, save: OwnMarksInput): void {
    if (this.#answers.has(id)) return;
    if (this.submitted) {
      if (save.kind === 'save') this.lateSaves++;
      throw new ApiRefusal({ type: 'about:blank', title: 'You have submitted your marks already.', status: 409, code: 'refused' });
    }
    this.#answers.add(id);
    for (const { questionId, mark } of save.input.marks) this.marks[questionId] = mark;
    if (save.kind !== 'submit') return;
    this.submissions++;
    this.submitted = { ...this.marks };
  }
}

/** A browser with two tabs of one student. */
class Device {
  readonly server = new Server();
  readonly kept = memoryStorage<OwnMarkValue, null, OwnMarksInput>();
  readonly requests: ((how: Answer) => void)[] = [];
  readonly locks = new Map<string, Promise<void>>();
  tabs: Tab[] = [new Tab(this), new Tab(this)];

  type(at: number, question: string, mark: number): void {
    this.tabs[at]?.drafts.type({ [ownKey(TEST, question)]: { value: mark, saw: null } });
  }

  answer(how: Answer, which = 0): void {
    this.requests.splice(which % Math.max(1, this.requests.length), 1)[0]?.(how);
  }

  async rest(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- each is a turn
    for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  }

  async do(all: readonly Act[]): Promise<void> {
    for (const act of all) {
      if (act.do === 'type') this.type(act.tab, act.question, act.mark);
      else if (act.do === 'pause') vi.advanceTimersByTime(PAUSE);
      else if (act.do === 'answer') this.answer(act.how, act.which);
      else {
        this.tabs[act.tab]?.close();
        this.tabs[act.tab] = new Tab(this);
      }
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.rest();
    }
  }

  /** The network is back: everything is answered, and what failed is tried again by whoever opens the page again. */
  async finish(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      // oxlint-disable no-await-in-loop -- each round depends on the one before
      if (round % 3 === 2)
        await this.do([
          { do: 'reload', tab: 0 },
          { do: 'reload', tab: 1 },
        ]);
      await this.rest();
      vi.advanceTimersByTime(PAUSE);
      await this.rest();
      while (this.requests.length > 0) {
        this.answer('stored');
        await this.rest();
      }
      // oxlint-enable no-await-in-loop
    }
    for (const one of this.tabs) {
      expect(one.drafts.seen()).toMatchObject({ drafts: {}, batches: {} });
      one.close();
    }
    vi.clearAllTimers();
  }
}

class Tab {
  readonly drafts: OwnMarkDrafts;
  readonly #device: Device;
  readonly #autosave: DraftAutosave<OwnMarkValue, null, OwnMarksInput>;
  readonly #page = new PageOfBrowser();
  readonly #leave: (() => void)[];

  constructor(device: Device) {
    this.#device = device;
    this.drafts = new DraftStore<OwnMarkValue, null, OwnMarksInput>(this.#page.view(device.kept()), {
      sawOf: () => null,
      inTurn: (name, act) => this.#page.inTurn(device.locks, name, act),
    });
    this.#autosave = new DraftAutosave(this.drafts, { groupOf: (key) => placeIn(key)?.testId, inputOf: ownMarksInputOf });
    this.#autosave.configure({ send: this.#send, isReady: (key) => maySend(this.drafts.seen(), key) });
    const leaveResume = resumeOnceOpen(this.drafts, this.#send);
    this.#leave = [this.drafts.open(), this.#autosave.start(), leaveResume];
  }

  submit(): void {
    this.drafts.type({ [submitKey(TEST)]: { value: QUESTIONS.map((questionId) => ({ questionId, mark: 3 })), saw: null } });
    void this.#autosave.saveNow((group) => group === TEST);
  }

  close(): void {
    this.#page.close();
    for (const leave of this.#leave) leave();
  }

  readonly #send: Send<OwnMarkValue, OwnMarksInput> = ({ id, input }) =>
    new Promise((resolve, reject) => {
      this.#device.requests.push((how) => {
        if (how === 'failed') return this.#page.isClosed ? undefined : reject(new Error('The server failed.'));
        try {
          this.#device.server.take(id, input);
        } catch (error) {
          return this.#page.isClosed ? undefined : reject(error);
        }
        if (this.#page.isClosed) return undefined;
        return how === 'lost' ? reject(new Error('The answer was lost.')) : resolve({});
      });
    });
}

test('what one tab has stored, the others hear of, and no later answer of theirs leaves it out', async () => {
  const asked = Promise.withResolvers<string | null>();
  const heard = Promise.withResolvers<string>();
  const stored = createApi({ fetch: async () => Response.json({ position: '42', revision: '0', result: {} }) });
  const other = createApi({
    fetch: async (_path, init) => {
      asked.resolve(new Headers(init?.headers).get('X-Min-Position'));
      return Response.json({});
    },
  });
  const sending = shareStored('anna', stored, () => heard.reject(new Error('a tab hears itself')));
  const hearing = shareStored('anna', other, heard.resolve);
  await stored.command('SaveFeedback', { testId: 't', marks: [] });
  sending.stored('t');
  expect(await heard.promise).toBe('t');
  await other.query('to-submit', {});
  expect(await asked.promise).toBe('42');
  for (const tab of [sending, hearing]) tab.close();
});
