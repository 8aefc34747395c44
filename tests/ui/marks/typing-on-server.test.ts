import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellHistory } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { MarkAutosave } from '../../../ui/marks/mark-autosave.ts';
import { markAutosave, ofSheet, savingMarks } from '../../../ui/marks/mark-autosave.ts';
import type { MarksInput, MarkDrafts } from '../../../ui/marks/mark-drafts.ts';
import { markKey, sawOf } from '../../../ui/marks/mark-drafts.ts';
import { ApiRefusal } from '../../../ui/api/failure.ts';
import { memoryStorage } from '../../support/memory-storage.ts';
import type { Send } from '../../../ui/drafts/outbox.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';
import type { Client } from '../../support/client.ts';
import type { School } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';
import { never, PageOfBrowser } from '../../support/page-of-browser.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * A teacher with two tabs of one browser types into a sheet, and a leader into the same one, both with few marks to choose from, so that they
 * often say the same. The network goes and comes, pages are loaded anew, typing is taken back and undone. The server is the product.
 */
const TABS = [0, 1] as const;
const CELLS = [0, 1, 2] as const;
const MARKS = ['0', '1', '2', ''] as const;

const tab = fc.constantFrom(...TABS);
const cell = fc.constantFrom(...CELLS);
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('type' as const), tab, cell, mark: fc.constantFrom(...MARKS), isGoingOn: fc.boolean() }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('save' as const), tab }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('take back' as const), tab }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('colleague' as const), cell, mark: fc.constantFrom('0', '1', '2') }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), tab }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('network' as const), is: fc.constantFrom(...(['well', 'gone', 'deaf'] as const)) }),
    },
  ),
  { minLength: 4, maxLength: 25 },
);

const ROUNDS = rounds(20, 40);
/** Rounds that go on at the same time, each with the marks of another student: while one waits for the server, the others go on. */
const LANES = ['A1', 'A2', 'A3', 'A4'] as const;
/** After these many rounds of each lane the next school: the histories of its cells have become long. */
const PER_SCHOOL = 50;

const schools: Promise<School>[] = [];
beforeAll(async () => {
  const first = openSchool();
  schools.push(first);
  await first;
});
afterAll(async () => (await schools[0])?.close());

/** The school of a lane's rounds. */
const schoolAt = async (round: number): Promise<School> => {
  const at = Math.floor(round / PER_SCHOOL);
  const first = await (schools[0] ?? openSchool());
  return (schools[at] ??= first.neighbour());
};

test('typing, saving, a network that goes, reloads, a colleague, undo: what was typed last is in the log, once, and nobody’s mark is covered unseen', async () => {
  let left = ROUNDS;
  const begun = Date.now();
  const lane = async (short: (typeof LANES)[number]): Promise<void> => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const device = await Device.begun(await roomIn(await schoolAt(round++), short));
        for (const step of all) {
          // oxlint-disable no-await-in-loop -- one after the other
          if (step.do === 'type') device.type(step.tab, step.cell, step.mark, step.isGoingOn);
          else if (step.do === 'save') void device.tabs[step.tab]?.autosave.saveNow(ofSheet(device.room.form));
          else if (step.do === 'take back') device.takeBack(step.tab);
          else if (step.do === 'undo') await device.undo();
          else if (step.do === 'colleague') await device.colleague(step.cell, Number(step.mark));
          else if (step.do === 'look') await device.tabs[step.tab]?.look();
          else if (step.do === 'reload') await device.reload(step.tab);
          else device.network = step.is;
          // oxlint-enable no-await-in-loop
        }
        await device.finish();
        await device.isRight();
        left -= 1;
        if (left > 0 && left % 500 === 0) console.log(`${left} rounds left after ${Math.round((Date.now() - begun) / 1000)} s`);
      }),
      { numRuns: Math.ceil(ROUNDS / LANES.length), endOnFailure: ROUNDS > 1_000 },
    );
  };
  await Promise.all(LANES.map((short) => lane(short)));
});

/** Where all rounds take place: two people, and cells of one student. */
type Room = {
  readonly form: { readonly subjectId: string; readonly setId: string; readonly testId: string };
  readonly teacher: Client;
  readonly leader: Client;
  readonly studentId: string;
  readonly questions: readonly string[];
};

const roomIn = async (school: School, short: string): Promise<Room> => ({
  form: { subjectId: school.ids.maths, setId: school.ids.setA, testId: school.ids.mock },
  teacher: await school.as('teacherA'),
  leader: await school.as('leader'),
  studentId: school.ids.students[short] ?? '',
  questions: school.ids.questions,
});

/** `deaf`: what is sent arrives, and its answer is lost. */
type Network = 'well' | 'gone' | 'deaf';

class Device {
  network: Network = 'well';
  readonly room: Room;
  readonly kept = memoryStorage<string, string, MarksInput>();
  readonly locks = new Map<string, Promise<void>>();
  tabs: Tab[] = [];
  /** By cell: what the teacher has typed last, and all that their pages have shown. */
  readonly last = new Map<number, string>();
  readonly shown = new Map<number, Set<string>>(CELLS.map((at) => [at, new Set()]));
  /** By id: what was sent, the same each time. */
  readonly sent = new Map<string, MarksInput>();
  /** By the id of the command that stored it. */
  readonly stored = new Map<string, MarksInput>();
  readonly #typed: { readonly at: number; readonly before: string }[] = [];
  /** What the history of each cell held before. */
  #before: readonly CellHistory[] = [];

  private constructor(room: Room) {
    this.room = room;
  }

  static async begun(room: Room): Promise<Device> {
    const device = new Device(room);
    device.#before = await device.#histories();
    device.tabs = await Promise.all(TABS.map(() => Tab.opened(device)));
    return device;
  }

  key(at: number): string {
    return markKey(this.room.form, this.room.studentId, this.room.questions[at] ?? '');
  }

  type(at: number, place: number, mark: string, isGoingOn: boolean): void {
    const page = this.tabs[at];
    if (!page) return;
    this.#typed.push({ at: place, before: page.textOf(place) });
    this.last.set(place, mark);
    page.type(place, mark, isGoingOn);
  }

  /** Ctrl+Z: what stood there before is typed again. */
  takeBack(at: number): void {
    const step = this.#typed.pop();
    if (!step) return;
    this.last.set(step.at, step.before);
    this.tabs[at]?.type(step.at, step.before, false);
  }

  /** The last save is undone on the server, as from the list of recent changes. */
  async undo(): Promise<void> {
    const [id, save] = [...this.stored].at(-1) ?? [];
    if (id === undefined || save === undefined) return;
    await this.room.teacher.command('UndoCommand', { entryId: save.entryId, commandId: id });
  }

  async colleague(place: number, is: number): Promise<void> {
    const { leader, form, studentId, questions } = this.room;
    const cells = [{ studentId, testId: form.testId, questionId: questions[place], is }];
    await leader.done('EnterMarks', { entryId: randomUUID(), subjectId: form.subjectId, seq: 1, cells });
  }

  async reload(at: number): Promise<void> {
    this.tabs[at]?.close();
    this.tabs[at] = await Tab.opened(this);
  }

  /** The network comes back, the pages are loaded anew, and all that waits is sent. */
  async finish(): Promise<void> {
    this.network = 'well';
    for (const at of TABS) {
      // oxlint-disable no-await-in-loop -- one page after the other
      await this.reload(at);
      for (let round = 0; round < 3; round++) await this.tabs[at]?.autosave.saveNow(ofSheet(this.room.form));
      // oxlint-enable no-await-in-loop
    }
    await expect
      .poll(() => this.tabs.map(({ typed }) => [typed.seen().drafts, typed.seen().batches]))
      .toEqual([
        [{}, {}],
        [{}, {}],
      ]);
    for (const page of this.tabs) page.close();
  }

  async isRight(): Promise<void> {
    const histories = await this.#histories();
    const { students } = await this.room.teacher.ask<Sheet>('sheet', { testId: this.room.form.testId, setId: this.room.form.setId });
    const stored = students.find(({ studentId }) => studentId === this.room.studentId)?.cells;
    for (const at of CELLS) {
      const changes = histories[at]?.changes.slice(this.#before[at]?.changes.length ?? 0) ?? [];
      const own = changes.filter(({ commandId }) => this.stored.has(commandId));
      expect(new Set(changes.map(({ commandId }) => commandId)).size, 'nothing is stored twice').toBe(changes.length);
      const last = this.last.get(at);
      // Emptying what is empty writes nothing.
      if (last !== undefined && (last !== '' || own.length > 0)) {
        const standing = own.at(-1)?.is;
        expect([last === '' ? 'cleared' : Number(last), 'nothing'], `what was typed last into ${at}`).toContain(
          last === '' && standing !== 'cleared' ? 'nothing' : standing,
        );
      }
      for (const [index, { commandId, is, was }] of changes.entries()) {
        if (!this.stored.has(commandId)) continue;
        const unseen = was.filter((value) => this.shown.get(at)?.has(String(value)) !== true);
        // Who says one of several values once more covers none of them, only what that value had replaced (wasToWrite in events/marks/cell.ts).
        const isSaidAgain = [...(this.#before[at]?.changes ?? []), ...changes.slice(0, index)].some((earlier) => earlier.is === is);
        expect(isSaidAgain ? [] : unseen, `a mark is covered by somebody who saw it: ${JSON.stringify(histories[at])}`).toEqual([]);
      }
      // Every mark that counts, and of several each, is read back by everybody.
      const reading = histories[at]?.reading;
      const heads = reading?.state === 'contested' ? reading.values : reading?.state === 'counts' ? [reading.value] : [];
      const now = stored?.[at];
      expect(now?.values ?? (now === null || now === undefined || now.value === null ? [] : [now.value])).toEqual(
        heads.filter((value) => value !== 'cleared' || heads.length > 1),
      );
    }
  }

  #histories(): Promise<CellHistory[]> {
    const { form, studentId, questions, teacher } = this.room;
    return Promise.all(CELLS.map((at) => teacher.ask<CellHistory>('cell', { testId: form.testId, studentId, questionId: questions[at] })));
  }
}

/** One page; after `close` nothing that it began goes on. */
class Tab {
  readonly typed: MarkDrafts;
  readonly autosave: MarkAutosave;
  readonly #device: Device;
  readonly #page = new PageOfBrowser();
  /** What the page shows as stored. */
  #view = new Map<number, string>();
  #leave: () => void = () => undefined;

  private constructor(device: Device) {
    this.#device = device;
    this.typed = new DraftStore<string, string, MarksInput>(this.#page.view(device.kept()), {
      sawOf,
      inTurn: (name, act) => this.#page.inTurn(device.locks, name, act),
    });
    this.autosave = markAutosave(this.typed);
    this.autosave.configure(savingMarks({ send: this.send }));
  }

  static async opened(device: Device): Promise<Tab> {
    const page = new Tab(device);
    page.#leave = page.typed.open();
    await expect.poll(() => page.typed.seen().isOpen, { interval: 1 }).toBe(true);
    page.typed.resume(page.send);
    await page.look();
    return page;
  }

  /** The page asks again. */
  async look(): Promise<void> {
    const { teacher, form, studentId } = this.#device.room;
    const { students } = await teacher.ask<Sheet>('sheet', { testId: form.testId, setId: form.setId });
    const cells = students.find((one) => one.studentId === studentId)?.cells ?? [];
    this.#view = new Map(CELLS.map((at) => [at, cells[at]?.values?.join(' ') ?? String(cells[at]?.value ?? '')]));
  }

  textOf(at: number): string {
    const [first = ''] = this.#view.get(at)?.split(' ') ?? [];
    // One value of a contested cell may be that it was emptied.
    return this.typed.seen().drafts[this.#device.key(at)]?.value ?? (first === 'cleared' ? '' : first);
  }

  type(at: number, value: string, isGoingOn: boolean): void {
    const saw = this.#view.get(at) ?? '';
    for (const one of saw.split(' ')) this.#device.shown.get(at)?.add(one);
    const change = { [this.#device.key(at)]: { value, saw } };
    if (isGoingOn) this.typed.type(change);
    else this.typed.put(change);
    // What the page has typed itself it has seen, once it is stored.
    this.#device.shown.get(at)?.add(value === '' ? 'cleared' : value);
  }

  close(): void {
    this.#page.close();
    this.#leave();
  }

  readonly send: Send<string, MarksInput> = async ({ id, input }) => {
    const { room, network, sent, stored, shown } = this.#device;
    if (network === 'gone') throw new Error('The network is gone.');
    expect(sent.get(id) ?? input, 'the same id is the same save').toEqual(input);
    sent.set(id, input);
    for (const { questionId = '', was = [] } of input.cells)
      for (const value of was)
        expect(shown.get(room.questions.indexOf(questionId)), 'only what was shown is sent as seen').toContain(String(value));
    const answer = await room.teacher.command('EnterMarks', input, { key: id });
    const { commandId } = answer.status === 200 ? (answer.body.result as { commandId: string | null }) : { commandId: null };
    if (commandId !== null) stored.set(commandId, input);
    if (this.#page.isClosed) return never;
    if (network === 'deaf') throw new Error('The answer is lost.');
    if (answer.status !== 200) throw new ApiRefusal(answer.body);
    await this.look();
    return {};
  };
}
