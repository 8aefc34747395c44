import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openQuestion } from '../../ui/feedback/ask.ts';
import { holdsUnsaved, holdUnsaved, leaving } from '../../ui/session/unsaved.ts';

const places = ['part', 'page', 'app'] as const;
/** The answer is heard, and then the act that it was about is over. */
const turn = () => new Promise((resolve) => setImmediate(() => setTimeout(resolve)));

beforeEach(() => void vi.stubGlobal('window', new EventTarget()));
afterAll(() => void vi.unstubAllGlobals());

/** Whether the browser would ask before it closes the page. */
const browserAsks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test.each([
  ['part', ['part', 'page', 'app']],
  ['page', ['page', 'app']],
  ['app', ['app']],
] as const)('what is lost with the %s is asked about before that is left, or what it is in', async (within, asking) => {
  const release = holdUnsaved(within);
  const asked = [];
  for (const place of places) {
    const done: string[] = [];
    const goes = () =>
      leaving(
        place,
        () => done.push('leaves'),
        () => done.push('stays'),
      );
    goes();
    const question = openQuestion.now();
    if (question) {
      asked.push(place);
      expect([question.title, done]).toEqual(['Leave without saving?', []]);
      // Nothing else leaves while it stands.
      leaving('app', () => done.push('left by another way'));
      question.answer(false);
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      await turn();
      expect([done, browserAsks()]).toEqual([['stays'], true]);
      goes();
      openQuestion.now()?.answer(true);
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      await turn();
    }
    expect(done.at(-1)).toBe('leaves');
    expect(openQuestion.now()).toBeUndefined();
  }
  expect([asked, holdsUnsaved()]).toEqual([asking, true]);
  release();
  expect([holdsUnsaved(), browserAsks()]).toEqual([false, false]);
});

test('one act that passes several guards is asked about once, by the browser neither; the next is asked about again', async () => {
  const release = holdUnsaved('page');
  const passed = new Promise<boolean[]>((resolve) => {
    leaving('page', () => leaving('app', () => resolve([openQuestion.now() === undefined, !browserAsks()])));
  });
  openQuestion.now()?.answer(true);
  expect(await passed).toEqual([true, true]);
  await turn();
  leaving('page', () => undefined);
  expect([openQuestion.now()?.title, browserAsks()]).toEqual(['Leave without saving?', true]);
  openQuestion.now()?.answer(false);
  release();
});
