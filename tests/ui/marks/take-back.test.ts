import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellHistory, MarksEnteredAnswer, Turned } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { Step } from '../../../staff-ui/marks/grid/history.ts';
import { did, nothingDone, redo, undo } from '../../../staff-ui/marks/grid/history.ts';
import { takingBack } from '../../../staff-ui/marks/sheet/model/take-back.ts';
import type { DraftStorage } from '../../../ui/drafts/store.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import type { Send } from '../../../ui/drafts/outbox.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';
import type { MarkAutosave } from '../../../ui/marks/mark-autosave.ts';
import { markAutosave, ofSheet, savingMarks } from '../../../ui/marks/mark-autosave.ts';
import type { MarkDrafts, MarksInput } from '../../../ui/marks/mark-drafts.ts';
import { markKey, sawOf } from '../../../ui/marks/mark-drafts.ts';
import { PageSaves } from '../../../ui/marks/page-saves.ts';
import type { Client } from '../../support/client.ts';
import type { School } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * A teacher types marks and pastes blocks, takes back and does again, before anything is sent, while it is on its way and after it is stored,
 * and a leader enters marks beside it. The server is the product.
 */
let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const CELLS = [0, 1, 2] as const;
const mark = fc.constantFrom('0', '1', '2');
const place = fc.constantFrom(...CELLS);
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('type' as const), place, mark }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('paste' as const), mark }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('colleague' as const), place, mark }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('network' as const), is: fc.constantFrom(...(['well', 'gone', 'deaf'] as const)) }),
    },
  ),
  { minLength: 3, maxLength: 20 },
);

test('what is taken back is not said any more, whatever had become of it by then; what was said before it, and beside it, stands', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const page = await Page.opened(school);
      for (const step of all) {
        // oxlint-disable no-await-in-loop -- one after the other
        if (step.do === 'type') page.say({ [step.place]: step.mark });
        else if (step.do === 'paste') page.say(Object.fromEntries(CELLS.map((at) => [at, step.mark])));
        else if (step.do === 'undo') page.undo();
        else if (step.do === 'redo') page.redo();
        else if (step.do === 'save') page.save();
        else if (step.do === 'wait') await page.rest();
        else if (step.do === 'turn') await nextTurn();
        else if (step.do === 'look') await page.look();
        else if (step.do === 'colleague') await page.colleague(step.place, Number(step.mark));
        else page.network = step.is;
        // oxlint-enable no-await-in-loop
      }
      await page.finish();
      expect(await page.standing()).toEqual(page.model());
    }),
    { numRuns: rounds(15, 60) },
  );
});

test('a paste is one save and one undoing, also while it waits for the network; what was typed before it waits again', async () => {
  const page = await Page.opened(school);
  page.say({ 0: '1' });
  page.say(Object.fromEntries(CELLS.map((at) => [at, '2'])));
  page.save();
  await page.rest();
  page.undo();
  await page.finish();
  expect(page.sent.map(({ cells }) => cells.length)).toEqual([3, 1]);
  expect(page.undone).toBe(1);
  // Waiting without a network, and taken back there: it is never asked about, and never stands.
  page.network = 'gone';
  page.say(Object.fromEntries(CELLS.map((at) => [at, '1'])));
  page.save();
  await page.rest();
  page.undo();
  await page.finish();
  expect([page.undone, await page.standing()]).toEqual([2, ['1', undefined, undefined]]);
});

test('of marks that were typed one by one and went as one save the last is taken back, and the others stand', async () => {
  const page = await Page.opened(school);
  for (const at of CELLS) page.say({ [at]: '2' });
  page.save();
  await page.rest();
  page.undo();
  await page.finish();
  expect([page.sent.map(({ cells }) => cells.length), await page.standing()]).toEqual([
    [3, 2],
    ['2', '2', undefined],
  ]);
  page.redo();
  await page.finish();
  expect(await page.standing()).toEqual(['2', '2', '2']);
});

test('what is taken back before anybody knows that it is on its way is not said any more', async () => {
  for (let turns = 0; turns < 12; turns++) {
    // oxlint-disable no-await-in-loop -- one after the other
    const page = await Page.opened(school);
    page.say(Object.fromEntries(CELLS.map((at) => [at, '2'])));
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    page.undo();
    await page.finish();
    expect(await page.standing(), `after ${turns} turns`).toEqual([undefined, undefined, undefined]);
    // oxlint-enable no-await-in-loop
  }
});

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** As a browser's: each act takes a few turns, one after the other. */
const slowly = <Value, Saw, Input>(storage: DraftStorage<Value, Saw, Input>): DraftStorage<Value, Saw, Input> => {
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    const now = last.then(nextTurn).then(act);
    last = now;
    return now.finally(nextTurn);
  };
  return {
    put: (changes) => inOrder(() => storage.put(changes)),
    change: (step) => inOrder(() => storage.change(step)),
    subscribe: (listener) => storage.subscribe(listener),
  };
};

type Said = Readonly<Record<number, string | undefined>>;

class Page {
  network: 'well' | 'gone' | 'deaf' = 'well';
  readonly sent: MarksInput[] = [];
  undone = 0;
  readonly #teacher: Client;
  readonly #leader: Client;
  readonly #form: { readonly subjectId: string; readonly setId: string; readonly testId: string };
  readonly #studentId: string;
  readonly #questions: readonly string[];
  readonly #drafts: MarkDrafts;
  readonly #autosave: MarkAutosave;
  readonly #said = new PageSaves();
  readonly #commands = new Set<string>();
  #stored = new Map<string, { text: string; saw: string }>();
  #history = nothingDone;
  /** By cell: what the teacher says, and for each step what they said before it. */
  #says: Said = {};
  #before: Said[] = [];
  #after: Said[] = [];
  /** Cells in which a colleague has said something too: there the teacher's mark may have been replaced. */
  readonly #shared = new Set<number>();
  #going = new Set<Promise<unknown>>();

  private constructor(teacher: Client, leader: Client, { ids }: School, studentId: string) {
    this.#teacher = teacher;
    this.#leader = leader;
    this.#form = { subjectId: ids.maths, setId: ids.setA, testId: ids.mock };
    this.#studentId = studentId;
    this.#questions = ids.questions;
    this.#drafts = new DraftStore<string, string, MarksInput>(slowly(memoryStorage<string, string, MarksInput>()()), { sawOf });
    this.#autosave = markAutosave(this.#drafts);
    this.#autosave.configure(savingMarks({ send: this.#send }));
  }

  /** Whatever stood there is gone: the cells of each round are those of a student of its own as far as the teacher is concerned. */
  static async opened(at: School): Promise<Page> {
    const [teacher, leader] = await Promise.all([at.as('teacherA'), at.as('leader')]);
    const page = new Page(teacher, leader, at, at.ids.students['A1'] ?? '');
    for (const one of await page.#histories())
      for (const { entryId, commandId, undone } of one.changes) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        if (!undone) await leader.command('UndoCommand', { entryId, commandId });
      }
    page.#drafts.open();
    await expect.poll(() => page.#drafts.seen().isOpen, { interval: 1 }).toBe(true);
    page.#drafts.resume(page.#send);
    await page.look();
    return page;
  }

  say(marks: Said): void {
    const keys = Object.keys(marks).map((at) => this.#key(Number(at)));
    this.#history = did(this.#history, this.#taking().ownOf(keys));
    this.#before.push(this.#says);
    this.#after = [];
    this.#says = { ...this.#says, ...marks };
    const block = keys.length > 1 ? { block: randomUUID() } : {};
    this.#drafts.put(
      Object.fromEntries(
        Object.entries(marks).map(([at, value = '']) => [
          this.#key(Number(at)),
          { value, saw: this.#stored.get(this.#key(Number(at)))?.saw ?? '', ...block },
        ]),
      ),
    );
    if (keys.length > 1) this.save();
  }

  undo(): void {
    const before = this.#before.pop();
    if (!before) return;
    this.#after.push(this.#says);
    this.#says = before;
    this.#history = undo(this.#history, (step: Step) => {
      const { again, report: told } = this.#taking().takeBack(step);
      this.#goes(told.then((report) => expect(report?.isBad, report?.text).toBe(false)));
      return again;
    });
  }

  redo(): void {
    const after = this.#after.pop();
    if (!after) return;
    this.#before.push(this.#says);
    this.#says = after;
    this.#history = redo(this.#history, (step) => this.#taking().sayAgain(step));
  }

  save(): void {
    this.#goes(this.#autosave.saveNow(ofSheet(this.#form)).catch(() => undefined));
  }

  async rest(): Promise<void> {
    await nextTurn();
    await Promise.all(this.#going);
  }

  async look(): Promise<void> {
    const { students } = await this.#teacher.ask<Sheet>('sheet', { testId: this.#form.testId, setId: this.#form.setId });
    const cells = students.find(({ studentId }) => studentId === this.#studentId)?.cells ?? [];
    this.#stored = new Map(
      CELLS.map((at) => {
        const text = String(cells[at]?.value ?? '');
        return [this.#key(at), { text, saw: cells[at]?.values?.join(' ') ?? text }];
      }),
    );
  }

  async colleague(at: number, is: number): Promise<void> {
    this.#shared.add(at);
    const { subjectId, testId } = this.#form;
    const cells = [{ studentId: this.#studentId, testId, questionId: this.#questions[at], is }];
    await this.#leader.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
  }

  /** The network comes back, and everything is sent. */
  async finish(): Promise<void> {
    this.network = 'well';
    await expect
      .poll(async () => {
        this.#drafts.resume(this.#send);
        this.save();
        await this.rest();
        const { drafts, batches } = this.#drafts.seen();
        return [drafts, batches];
      })
      .toEqual([{}, {}]);
  }

  /** What of the teacher stands in each cell, as the log tells. */
  async standing(): Promise<readonly (string | undefined)[]> {
    return (await this.#histories()).map(({ changes }, at) => {
      const last = changes.findLast(({ commandId, undone }) => this.#commands.has(commandId) && !undone);
      return this.#shared.has(at) || last === undefined ? undefined : String(last.is);
    });
  }

  model(): readonly (string | undefined)[] {
    return CELLS.map((at) => (this.#shared.has(at) ? undefined : this.#says[at]));
  }

  #taking() {
    return takingBack({
      drafts: this.#drafts,
      statements: this.#said,
      undo: (save) => this.#undo(save),
      stored: this.#stored,
      mistyped: {},
      showHere: () => undefined,
      saveNow: () => this.save(),
      noun: 'cell',
    });
  }

  async #undo({ entryId, commandId }: { readonly entryId: string; readonly commandId: string }): Promise<Turned> {
    this.undone += 1;
    return this.#teacher.done<Turned>('UndoCommand', { entryId, commandId });
  }

  readonly #send: Send<string, MarksInput> = async (batch) => {
    const { id, input, takenBack } = batch;
    if (this.network === 'gone') throw new Error('The network is gone.');
    const answer = await this.#teacher.command('EnterMarks', input, { key: id });
    expect(answer.status).toBe(200);
    const { commandId } = answer.body.result as MarksEnteredAnswer;
    if (commandId !== null && !this.#commands.has(commandId)) this.sent.push(input);
    if (commandId !== null) this.#commands.add(commandId);
    if (this.network === 'deaf') throw new Error('The answer is lost.');
    if (commandId !== null && takenBack) await this.#undo({ entryId: input.entryId, commandId });
    else if (commandId !== null) this.#said.add(batch, commandId, {});
    return {};
  };

  #goes(act: Promise<unknown>): void {
    this.#going.add(act);
    void act.finally(() => this.#going.delete(act)).catch(() => undefined);
  }

  #key(at: number): string {
    return markKey(this.#form, this.#studentId, this.#questions[at] ?? '');
  }

  #histories(): Promise<CellHistory[]> {
    const { testId } = this.#form;
    return Promise.all(
      CELLS.map((at) => this.#teacher.ask<CellHistory>('cell', { testId, studentId: this.#studentId, questionId: this.#questions[at] })),
    );
  }
}
