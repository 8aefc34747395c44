import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFailed, test } from 'vitest';
import { build } from 'vite';
import { Dice, seed } from '../../../faults/dice.ts';
import type { Answer } from './drafts-in-page.ts';
import { openBrowser } from '../../../browser/shared-browser.ts';
import { rounds } from '../../../support/rounds.ts';

const STEPS = rounds(200);
const CELLS = Array.from({ length: 24 }, (_, cell) => `cell ${cell}`);
const TABS = [0, 1] as const;
const BLANK = 'http://127.0.0.1:9/';

/** drafts-in-page.ts as a script. */
const script = async (): Promise<string> => {
  const entry = fileURLToPath(new URL('drafts-in-page.ts', import.meta.url));
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'drafts' } },
  });
  const [{ output } = { output: [] }] = Array.isArray(made) ? made : 'output' in made ? [made] : [];
  return output.flatMap((file) => (file.type === 'chunk' ? file.code : [])).join('\n');
};

test('typing, pasting, saving, silence, refusals and reloads in two tabs, at random: the browser keeps what was typed last, and it is stored once', async () => {
  const chance = new Dice(seed);
  onTestFailed(() => console.log(`FAULT_SEED=${seed}`));
  const context = await (await openBrowser()).newContext();
  try {
    const device = await Device.begun(context, chance);
    for (let step = 0; step < STEPS; step++) {
      const tab = chance.pick(TABS.map((at) => [1, at] as const));
      const act = chance.pick<() => Promise<void>>([
        [8, () => device.type(tab, 1)],
        [2, () => device.type(tab, 12)],
        [6, () => device.save(tab)],
        [2, () => device.reload(tab)],
      ]);
      await act();
    }
    await device.finish();
  } finally {
    await context.close();
  }
});

/** Where no other tab writes at that moment: docs/decisions/24-a-draft-is-a-row.md. */
test('what is typed as its page is left is kept, and what is taken back stays so, of a single mark and of a pasted block', async () => {
  const context = await (await openBrowser()).newContext();
  try {
    const device = await Device.begun(context, new Dice(seed));
    await device.typeAndLeave(0);
    await device.typeAndLeave(1);
    await device.takeBackAndLeave(0, 1);
    await device.takeBackAndLeave(1, 12);
    await device.finish();
  } finally {
    await context.close();
  }
});

test('a tab that holds on to the tables of before stops nobody from typing; once it has gone, what it kept is there too', async () => {
  const context = await (await openBrowser()).newContext();
  try {
    await blank(context);
    const [before, now] = [await context.newPage(), await context.newPage()];
    await before.goto(BLANK);
    await before.evaluate(async () => {
      const opening = indexedDB.open('marktrail-drafts', 1);
      opening.onupgradeneeded = () => {
        const [drafts] = ['drafts', 'batches'].map((name) => opening.result.createObjectStore(name, { keyPath: ['accountId', 'key'] }));
        drafts?.put({ accountId: 'ada', key: 'cell 0', order: 1, is: { value: '7', saw: '' } });
      };
      await new Promise((resolve) => opening.addEventListener('success', resolve));
    });
    await now.addInitScript(await script());
    await now.goto(BLANK);
    await now.evaluate(() => window.typing.opened());
    await now.evaluate(() => window.typing.type({ 'cell 1': '8' }));
    const page = () => now.evaluate(() => [window.typing.isKept(), window.typing.drafts()]);
    expect(await page()).toEqual([false, { 'cell 1': '8' }]);
    await before.close();
    await expect.poll(page).toEqual([true, { 'cell 0': '7', 'cell 1': '8' }]);
  } finally {
    await context.close();
  }
});

const blank = (context: BrowserContext): Promise<unknown> =>
  context.route(`${BLANK}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Blank</title>' }));

/** One browser with two tabs of one person, and the server. */
class Device {
  readonly #tabs: readonly Page[];
  readonly #chance: Dice;
  readonly #last = new Map<string, string>();
  /** By cell, and by the id under which it was sent. */
  readonly #stored = new Map<string, string>();
  readonly #sent = new Map<string, string>();
  readonly #wrong: string[] = [];
  #typed = 0;
  #isWell = false;

  private constructor(tabs: readonly Page[], chance: Dice) {
    this.#tabs = tabs;
    this.#chance = chance;
  }

  static async begun(context: BrowserContext, chance: Dice): Promise<Device> {
    await blank(context);
    const tabs = await Promise.all(TABS.map(() => context.newPage()));
    const device = new Device(tabs, chance);
    await context.exposeFunction('answered', (id: string, values: Readonly<Record<string, string>>) => device.#answered(id, values));
    await context.addInitScript(await script());
    for (const page of tabs) {
      await page.goto(BLANK);
      await page.evaluate(() => window.typing.opened());
    }
    return device;
  }

  async type(tab: number, cells: number): Promise<void> {
    await this.#page(tab).evaluate((values) => window.typing.type(values), this.#values(cells));
  }

  /** It goes on while other things happen. */
  async save(tab: number): Promise<void> {
    await this.#page(tab).evaluate((cells) => void window.typing.save(cells), CELLS);
  }

  async reload(tab: number): Promise<void> {
    await this.#written();
    await this.#page(tab).reload();
    await this.#opened(tab);
  }

  /** What is typed goes to the browser at once, also where the page is left in the same moment. */
  async typeAndLeave(tab: number): Promise<void> {
    await this.#written();
    await this.#leave(tab);
    await this.#opened(tab);
  }

  async takeBackAndLeave(tab: number, typed: number): Promise<void> {
    await this.type(tab, typed);
    await this.#written();
    const cell = [...this.#last.keys()].at(-1) ?? '';
    this.#last.delete(cell);
    await this.#leave(tab, {}, [cell]);
    await this.#opened(tab);
  }

  async #leave(tab: number, values = this.#values(1), takenBack: readonly string[] = []): Promise<void> {
    const page = this.#page(tab);
    await page.evaluate(
      ([typed, cells]) => {
        window.typing.type(typed);
        window.typing.takeBack(cells);
        Object.assign(window, { isLeft: true });
        location.reload();
      },
      [values, takenBack] as const,
    );
    await page.waitForFunction(() => !('isLeft' in window));
  }

  /** Both pages have written what was typed before. */
  async #written(): Promise<void> {
    for (const one of TABS) await this.#page(one).evaluate(() => window.typing.waiting('ada'));
  }

  /** The network comes back, both pages are loaded anew, and all that waits is sent. */
  async finish(): Promise<void> {
    this.#isWell = true;
    for (const tab of TABS) await this.reload(tab);
    await expect
      .poll(async () => {
        const left = [];
        for (const tab of TABS) {
          const page = this.#page(tab);
          left.push(
            await page.evaluate(async (cells) => {
              await window.typing.save(cells);
              const { drafts, onTheirWay, isKept } = window.typing;
              return [drafts(), onTheirWay(), isKept()];
            }, CELLS),
          );
        }
        return left;
      })
      .toEqual(TABS.map(() => [{}, 0, true]));
    expect(this.#wrong, 'the same id is the same save').toEqual([]);
    expect(Object.fromEntries(this.#stored)).toEqual(Object.fromEntries(this.#last));
    const waiting = () => this.#page(0).evaluate(async () => [await window.typing.waiting('ada'), await window.typing.waiting('grace')]);
    await expect.poll(waiting).toEqual([0, 0]);
  }

  #page(tab: number): Page {
    const page = this.#tabs[tab];
    if (!page) throw new RangeError(`no tab ${tab}`);
    return page;
  }

  /** Each value once. */
  #values(cells: number): Readonly<Record<string, string>> {
    const from = Math.floor(this.#chance.between(0, CELLS.length));
    const typed = Array.from({ length: cells }, (_, at) => [CELLS[(from + at) % CELLS.length] ?? '', `${++this.#typed}`] as const);
    for (const [cell, value] of typed) {
      this.#last.delete(cell);
      this.#last.set(cell, value);
    }
    return Object.fromEntries(typed);
  }

  /** What was typed last, in whichever tab, is there, or stored; what was taken back is not. */
  async #opened(tab: number): Promise<void> {
    await this.#page(tab).evaluate(() => window.typing.opened());
    const kept = () => this.#page(tab).evaluate(() => window.typing.drafts());
    // The page that was left may write its last words after the next one has begun, which then hears of them.
    const lost = async () => {
      const drafts = await kept();
      return [...this.#last].filter(([cell, value]) => drafts[cell] !== value && this.#stored.get(cell) !== value);
    };
    await expect.poll(lost, { message: `what was typed last, after a reload of tab ${tab}` }).toEqual([]);
    const takenBack = async () => Object.keys(await kept()).filter((cell) => !this.#last.has(cell));
    await expect.poll(takenBack, { message: 'what was taken back' }).toEqual([]);
  }

  #answered(id: string, values: Readonly<Record<string, string>>): Answer | Promise<Answer> {
    const before = this.#sent.get(id);
    const text = JSON.stringify(values);
    if (before !== undefined && before !== text) this.#wrong.push(`${id} was ${before}, and then ${text}`);
    const answer = this.#isWell
      ? 'stored'
      : this.#chance.pick<'stored' | 'lost' | 'failed' | 'refused' | 'never'>([
          [8, 'stored'],
          [2, 'lost'],
          [2, 'failed'],
          [1, 'refused'],
          [1, 'never'],
        ]);
    if (answer === 'failed') return 'silence';
    if (answer === 'refused' && before === undefined) return 'refused';
    if (answer === 'never') return new Promise<never>(() => undefined);
    if (before === undefined) for (const [cell, value] of Object.entries(values)) this.#stored.set(cell, value);
    this.#sent.set(id, text);
    return answer === 'lost' ? 'silence' : 'stored';
  }
}
