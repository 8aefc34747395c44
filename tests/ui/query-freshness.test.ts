import { expect, test } from 'vitest';
import { touches } from '../../api/contract/channels.ts';
import type { Follows } from '../../ui/api/query-freshness.ts';
import { createFollows } from '../../ui/api/query-freshness.ts';

/** Which answers of a page are asked for again when something has changed. */

const answer = (channels: string | undefined, readAt: string): Response =>
  new Response('{}', { headers: { 'X-Read-Position': readAt, ...(channels === undefined ? {} : { 'X-Channels': channels }) } });
const query = (name: string) => ({ queryHash: name, queryKey: [name] });
const oldOf = (follows: Follows, ...names: string[]): boolean[] => {
  const isOld = follows.takeOld();
  return names.map((name) => isOld(query(name)));
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

test('an answer is concerned by the channels that it named last; one without any, of a server of an earlier version, by every change', async () => {
  const follows = createFollows();
  expect(follows.concernedBy(['roster'])(query('markbook'))).toBe(false);
  await follows.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten roster', '5')));
  await follows.during('me', '/me', () => Promise.resolve(answer(undefined, '5')));
  await follows.during('help', '/help', () => Promise.resolve(answer('', '5')));
  const concernedBy = (...changed: string[]) => ['markbook', 'me', 'help'].map((name) => follows.concernedBy(changed)(query(name)));
  expect(concernedBy('marks:maths/ten')).toEqual([true, true, false]);
  expect(concernedBy('marks:maths/eleven')).toEqual([false, true, false]);
  await follows.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/eleven', '6')));
  expect(concernedBy('marks:maths/eleven')).toEqual([true, true, false]);
});

test('an answer that was on its way while something changed that concerns it is late', async () => {
  const follows = createFollows();
  let told = 0;
  follows.onLate(() => (told += 1));
  const during = (name: string, ...changed: string[]) =>
    follows.during(name, `/${name}`, () => {
      follows.changed(changed, 6n);
      return Promise.resolve(answer('marks:maths/ten', '5'));
    });
  await during('markbook', 'marks:maths/eleven');
  expect([told, follows.hasLate()]).toEqual([0, false]);
  await during('markbook', 'marks:maths/eleven', 'marks:maths/ten');
  expect([told, follows.hasLate()]).toEqual([1, true]);
  const isLate = follows.takeLate();
  expect([isLate(query('markbook')), isLate(query('me')), follows.hasLate()]).toEqual([true, false, false]);
  // A failed one is nothing that could be late.
  await expect(follows.during('markbook', '/markbook', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(follows.hasLate()).toBe(false);
});

test('an answer that holds a change already, as after one’s own command, is asked for once, whether the line tells before it arrives or after', async () => {
  const follows = createFollows();
  const readAt = (position: string, told?: bigint) =>
    follows.during('sat-on', '/sat-on', () => {
      if (told !== undefined) follows.changed(['marks:maths/mock'], told);
      return Promise.resolve(answer('marks:maths/mock', position));
    });
  const isAsked = (position: bigint) => follows.outdatedBy(new Map([['marks:maths/mock', position]]))(query('sat-on'));
  await readAt('6');
  let isAskedMeanwhile = true;
  await follows.during('sat-on', '/sat-on', () => {
    follows.changed(['marks:maths/mock'], 7n);
    isAskedMeanwhile = isAsked(7n);
    return Promise.resolve(answer('marks:maths/mock', '7'));
  });
  expect(isAskedMeanwhile).toBe(false);
  expect([follows.hasLate(), isAsked(7n), isAsked(8n)]).toEqual([false, false, true]);
  await readAt('8', 9n);
  expect(follows.hasLate()).toBe(true);
  // One that was to bring a change, and failed, leaves it to be asked for.
  follows.takeLate();
  const failing = follows.during('sat-on', '/sat-on', () => {
    follows.changed(['marks:maths/mock'], 9n);
    return Promise.reject(new Error('gone'));
  });
  await expect(failing).rejects.toThrow('gone');
  expect(follows.hasLate()).toBe(true);
  // With a restored log the same positions name other events.
  follows.began({ epoch: 'a', since: '0', topics: {} });
  await readAt('9');
  expect(isAsked(5n)).toBe(false);
  follows.began({ epoch: 'b', since: '0', topics: {} });
  expect(isAsked(5n)).toBe(true);
});

test('what one’s own command has changed is asked for once, also where the line tells of it before the command is answered', async () => {
  const follows = createFollows();
  const isWanted = () => follows.concernedBefore(['marks'], 7n)(query('sat-on'));
  await follows.during('sat-on', '/sat-on', () => Promise.resolve(answer('marks:maths/mock', '6')));
  expect([isWanted(), follows.concernedBefore(['prior'], 7n)(query('sat-on'))]).toEqual([true, false]);
  const asked = (least: bigint) =>
    follows.during(
      'sat-on',
      '/sat-on',
      () => {
        expect(follows.isAskedFor(query('sat-on'), 7n)).toBe(least >= 7n);
        return Promise.resolve(answer('marks:maths/mock', String(least)));
      },
      least,
    );
  // One that was on its way before may not hold it.
  await asked(6n);
  expect(isWanted()).toBe(true);
  await asked(7n);
  expect([isWanted(), follows.isAskedFor(query('sat-on'), 7n)]).toEqual([false, false]);
});

test('what changed before the live connection began makes what was read before it old, and what is read before it late', async () => {
  const follows = createFollows();
  await follows.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '5')));
  await follows.during('me', '/me', () => Promise.resolve(answer('staff', '5')));
  follows.began({ since: '3', topics: { 'marks:maths/ten': '6' } });
  expect(oldOf(follows, 'markbook', 'me')).toEqual([true, false]);
  await follows.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '6')));
  expect(follows.hasLate()).toBe(false);
  await follows.during('cell', '/cell', () => Promise.resolve(answer('marks:maths/ten', '5')));
  expect(follows.takeLate()(query('cell'))).toBe(true);
  follows.began({ since: '9', topics: {} });
  expect(oldOf(follows, 'markbook', 'me')).toEqual([true, true]);
});

test('an answer that was read again is not old any more, however often the connection begins anew', async () => {
  const follows = createFollows();
  const read = (path: string, readAt: string) => follows.during('markbook', path, () => Promise.resolve(answer('marks:maths/ten', readAt)));
  await read('/one', '5');
  await read('/two', '9');
  const hello = { epoch: 'a', since: '0', topics: { 'marks:maths/ten': '7' } };
  follows.began(hello);
  expect(oldOf(follows, 'markbook')).toEqual([true]);
  // Nobody looks at the other page of the list: it is not read again.
  await read('/two', '10');
  follows.began(hello);
  expect(oldOf(follows, 'markbook')).toEqual([false]);
  follows.began({ ...hello, topics: { 'marks:maths/ten': '11' } });
  expect(oldOf(follows, 'markbook')).toEqual([true]);
});

test('a connection that begins anew tells all that was missed, unless the server began anew, its log was restored, or it is an earlier one', () => {
  const follows = createFollows();
  const began = (epoch?: string) => follows.began({ since: '5', topics: {}, ...(epoch === undefined ? {} : { epoch }) });
  expect([began('a'), began('a'), began('b'), began('b'), began(), began('b')]).toEqual([true, true, false, true, false, true]);
});

test('what a page has forgotten is followed no longer, a list as long as one of its pages is kept', async () => {
  const follows = createFollows();
  await follows.during('markbook', '/markbook', () => Promise.resolve(answer('roster', '5')));
  await follows.during('students', '/students?1', () => Promise.resolve(answer('roster', '5')));
  const lists = ['one', 'other'].map((queryHash) => ({ queryHash, queryKey: ['students', queryHash] }));
  const concerned = () => [query('markbook'), ...lists].map(follows.concernedBy(['roster']));
  expect(concerned()).toEqual([true, true, true]);
  follows.left(query('markbook'), lists);
  follows.left({ queryHash: 'one', queryKey: ['students', 'one'] }, lists.slice(1));
  expect(concerned()).toEqual([false, true, true]);
  follows.left({ queryHash: 'other', queryKey: ['students', 'other'] }, []);
  expect(concerned()).toEqual([false, false, false]);
});
