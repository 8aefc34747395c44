import { expect, test } from 'vitest';
import { touches } from '../../api/contract/channels.ts';
import { createFollows } from '../../ui/api/follows.ts';

/** Which answers of a page are asked for again when something has changed. */

const answer = (channels: string | undefined, readAt: string): Response =>
  new Response('{}', { headers: { 'X-Read-Position': readAt, ...(channels === undefined ? {} : { 'X-Channels': channels }) } });
const query = (name: string) => ({ queryHash: name, queryKey: [name] });

test.each([
  ['marks:maths/ten', 'marks:maths/ten', true],
  ['marks:maths/ten', 'marks:maths/eleven', false],
  // Older pages follow the whole subject; that of newer ones is announced as every part.
  ['marks:maths/ten', 'marks:maths', false],
  ['marks:maths', 'marks:maths', true],
  ['marks:maths/ten', 'marks:maths/*', true],
  ['marks:maths/ten', 'marks:science/*', false],
  ['structure', 'structure:maths', true],
  ['structure:maths', 'structure', true],
  ['structure:maths', 'structure:science', false],
  ['roster', 'staff', false],
  ['*', 'roster', true],
])('an answer that follows %s is concerned by a change of %s: %s', (followed, changed, isConcerned) => {
  expect(touches(followed, changed)).toBe(isConcerned);
});

test('an answer is concerned by the channels that it named last; one without any, of a server of an earlier version, by every change', async () => {
  const follows = createFollows();
  expect(follows.concernedBy(['roster'])(query('markbook'))).toBe(false);
  await follows.during('markbook', () => Promise.resolve(answer('marks:maths/ten roster', '5')));
  await follows.during('me', () => Promise.resolve(answer(undefined, '5')));
  await follows.during('help', () => Promise.resolve(answer('', '5')));
  const concernedBy = (...changed: string[]) => ['markbook', 'me', 'help'].map((name) => follows.concernedBy(changed)(query(name)));
  expect(concernedBy('marks:maths/ten')).toEqual([true, true, false]);
  expect(concernedBy('marks:maths/eleven')).toEqual([false, true, false]);
  await follows.during('markbook', () => Promise.resolve(answer('marks:maths/eleven', '6')));
  expect(concernedBy('marks:maths/eleven')).toEqual([true, true, false]);
});

test('an answer that was on its way while something changed that concerns it is late', async () => {
  const follows = createFollows();
  let told = 0;
  follows.onLate(() => (told += 1));
  const during = (name: string, ...changed: string[]) =>
    follows.during(name, () => {
      follows.changed(changed);
      return Promise.resolve(answer('marks:maths/ten', '5'));
    });
  await during('markbook', 'marks:maths/eleven');
  expect([told, follows.hasLate()]).toEqual([0, false]);
  await during('markbook', 'marks:maths/eleven', 'marks:maths/ten');
  expect([told, follows.hasLate()]).toEqual([1, true]);
  const isLate = follows.takeLate();
  expect([isLate(query('markbook')), isLate(query('me')), follows.hasLate()]).toEqual([true, false, false]);
  // A failed one is nothing that could be late.
  await expect(follows.during('markbook', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(follows.hasLate()).toBe(false);
});

test('what changed before the live connection began makes what was read before it old, and what is read before it late', async () => {
  const follows = createFollows();
  await follows.during('markbook', () => Promise.resolve(answer('marks:maths/ten', '5')));
  await follows.during('me', () => Promise.resolve(answer('staff', '5')));
  follows.began({ since: '3', topics: { 'marks:maths/ten': '6' } });
  expect(['markbook', 'me'].map((name) => follows.isOld(query(name)))).toEqual([true, false]);
  await follows.during('markbook', () => Promise.resolve(answer('marks:maths/ten', '6')));
  expect(follows.hasLate()).toBe(false);
  await follows.during('cell', () => Promise.resolve(answer('marks:maths/ten', '5')));
  expect(follows.takeLate()(query('cell'))).toBe(true);
  follows.began({ since: '9', topics: {} });
  expect(['markbook', 'me'].map((name) => follows.isOld(query(name)))).toEqual([true, true]);
});
