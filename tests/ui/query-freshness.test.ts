import { expect, test } from 'vitest';
import { touches } from '../../api/contract/channels.ts';
import type { QueryFreshness } from '../../ui/api/query-freshness.ts';
import { createQueryFreshness } from '../../ui/api/query-freshness.ts';

/** Which answers of a page are asked for again when something has changed. */

const answer = (channels: string | undefined, readAt: string): Response =>
  new Response('{}', { headers: { 'X-Read-Position': readAt, ...(channels === undefined ? {} : { 'X-Channels': channels }) } });
const query = (name: string) => ({ queryHash: name, queryKey: [name] });
const outdatedOf = (freshness: QueryFreshness, ...names: string[]): boolean[] => {
  const isOutdated = freshness.takeOutdated();
  return names.map((name) => isOutdated(query(name)));
};

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

test('an answer is concerned by the channels that it named last; one without any by every change', async () => {
  const freshness = createQueryFreshness();
  expect(freshness.concernedBy(['roster'])(query('markbook'))).toBe(false);
  await freshness.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten roster', '5')));
  await freshness.during('me', '/me', () => Promise.resolve(answer(undefined, '5')));
  await freshness.during('help', '/help', () => Promise.resolve(answer('', '5')));
  const concernedBy = (...changed: string[]) => ['markbook', 'me', 'help'].map((name) => freshness.concernedBy(changed)(query(name)));
  expect(concernedBy('marks:maths/ten')).toEqual([true, true, false]);
  expect(concernedBy('marks:maths/eleven')).toEqual([false, true, false]);
  await freshness.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/eleven', '6')));
  expect(concernedBy('marks:maths/eleven')).toEqual([true, true, false]);
});

test('an answer that was on its way while something changed that concerns it is stale', async () => {
  const freshness = createQueryFreshness();
  let told = 0;
  freshness.onStale(() => (told += 1));
  const during = (name: string, ...changed: string[]) =>
    freshness.during(name, `/${name}`, () => {
      freshness.changed(changed, 6n);
      return Promise.resolve(answer('marks:maths/ten', '5'));
    });
  await during('markbook', 'marks:maths/eleven');
  expect([told, freshness.hasStale()]).toEqual([0, false]);
  await during('markbook', 'marks:maths/eleven', 'marks:maths/ten');
  expect([told, freshness.hasStale()]).toEqual([1, true]);
  const isStale = freshness.takeStale();
  expect([isStale(query('markbook')), isStale(query('me')), freshness.hasStale()]).toEqual([true, false, false]);
  // A failed one is nothing that could be stale.
  await expect(freshness.during('markbook', '/markbook', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(freshness.hasStale()).toBe(false);
});

test('an answer that holds a change already, as after one’s own command, is asked for once, whether the line tells before it arrives or after', async () => {
  const freshness = createQueryFreshness();
  const readAt = (position: string, told?: bigint) =>
    freshness.during('sat-on', '/sat-on', () => {
      if (told !== undefined) freshness.changed(['marks:maths/mock'], told);
      return Promise.resolve(answer('marks:maths/mock', position));
    });
  const isAsked = (position: bigint) => freshness.outdatedBy(new Map([['marks:maths/mock', position]]))(query('sat-on'));
  await readAt('6');
  let isAskedMeanwhile = true;
  await freshness.during('sat-on', '/sat-on', () => {
    freshness.changed(['marks:maths/mock'], 7n);
    isAskedMeanwhile = isAsked(7n);
    return Promise.resolve(answer('marks:maths/mock', '7'));
  });
  expect(isAskedMeanwhile).toBe(false);
  expect([freshness.hasStale(), isAsked(7n), isAsked(8n)]).toEqual([false, false, true]);
  await readAt('8', 9n);
  expect(freshness.hasStale()).toBe(true);
  // One that was to bring a change, and failed, leaves it to be asked for.
  freshness.takeStale();
  const failing = freshness.during('sat-on', '/sat-on', () => {
    freshness.changed(['marks:maths/mock'], 9n);
    return Promise.reject(new Error('gone'));
  });
  await expect(failing).rejects.toThrow('gone');
  expect(freshness.hasStale()).toBe(true);
  // With a restored log the same positions name other events.
  freshness.connected({ epoch: 'a', since: '0', topics: {} });
  await readAt('9');
  expect(isAsked(5n)).toBe(false);
  freshness.connected({ epoch: 'b', since: '0', topics: {} });
  expect(isAsked(5n)).toBe(true);
});

test('what one’s own command has changed is asked for once, also where the line tells of it before the command is answered', async () => {
  const freshness = createQueryFreshness();
  const isWanted = () => freshness.concernedBefore(['marks'], 7n)(query('sat-on'));
  await freshness.during('sat-on', '/sat-on', () => Promise.resolve(answer('marks:maths/mock', '6')));
  expect([isWanted(), freshness.concernedBefore(['prior'], 7n)(query('sat-on'))]).toEqual([true, false]);
  const asked = (least: bigint) =>
    freshness.during(
      'sat-on',
      '/sat-on',
      () => {
        expect(freshness.isAskedFor(query('sat-on'), 7n)).toBe(least >= 7n);
        return Promise.resolve(answer('marks:maths/mock', String(least)));
      },
      least,
    );
  // One that was on its way before may not hold it.
  await asked(6n);
  expect(isWanted()).toBe(true);
  await asked(7n);
  expect([isWanted(), freshness.isAskedFor(query('sat-on'), 7n)]).toEqual([false, false]);
});

test('what changed before the live connection began makes what was read before it outdated, and what is read before it stale', async () => {
  const freshness = createQueryFreshness();
  await freshness.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '5')));
  await freshness.during('me', '/me', () => Promise.resolve(answer('staff', '5')));
  freshness.connected({ since: '3', topics: { 'marks:maths/ten': '6' } });
  expect(outdatedOf(freshness, 'markbook', 'me')).toEqual([true, false]);
  await freshness.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '6')));
  expect(freshness.hasStale()).toBe(false);
  await freshness.during('cell', '/cell', () => Promise.resolve(answer('marks:maths/ten', '5')));
  expect(freshness.takeStale()(query('cell'))).toBe(true);
  freshness.connected({ since: '9', topics: {} });
  expect(outdatedOf(freshness, 'markbook', 'me')).toEqual([true, true]);
});

test('an answer that was read again is not outdated any more, however often the connection begins anew', async () => {
  const freshness = createQueryFreshness();
  const read = (path: string, readAt: string) =>
    freshness.during('markbook', path, () => Promise.resolve(answer('marks:maths/ten', readAt)));
  await read('/one', '5');
  await read('/two', '9');
  const hello = { epoch: 'a', since: '0', topics: { 'marks:maths/ten': '7' } };
  freshness.connected(hello);
  expect(outdatedOf(freshness, 'markbook')).toEqual([true]);
  // Nobody looks at the other page of the list: it is not read again.
  await read('/two', '10');
  freshness.connected(hello);
  expect(outdatedOf(freshness, 'markbook')).toEqual([false]);
  freshness.connected({ ...hello, topics: { 'marks:maths/ten': '11' } });
  expect(outdatedOf(freshness, 'markbook')).toEqual([true]);
});

test('a connection that begins anew tells all that was missed, unless the server began anew, its log was restored, or it is an earlier one', () => {
  const freshness = createQueryFreshness();
  const began = (epoch?: string) => freshness.connected({ since: '5', topics: {}, ...(epoch === undefined ? {} : { epoch }) });
  expect([began('a'), began('a'), began('b'), began('b'), began(), began('b')]).toEqual([true, true, false, true, false, true]);
});

test('what a page has forgotten is followed no longer, a list as long as one of its pages is kept', async () => {
  const freshness = createQueryFreshness();
  await freshness.during('markbook', '/markbook', () => Promise.resolve(answer('roster', '5')));
  await freshness.during('students', '/students?1', () => Promise.resolve(answer('roster', '5')));
  const lists = ['one', 'other'].map((queryHash) => ({ queryHash, queryKey: ['students', queryHash] }));
  const concerned = () => [query('markbook'), ...lists].map(freshness.concernedBy(['roster']));
  expect(concerned()).toEqual([true, true, true]);
  freshness.left(query('markbook'), lists);
  freshness.left({ queryHash: 'one', queryKey: ['students', 'one'] }, lists.slice(1));
  expect(concerned()).toEqual([false, true, true]);
  freshness.left({ queryHash: 'other', queryKey: ['students', 'other'] }, []);
  expect(concerned()).toEqual([false, false, false]);
});
