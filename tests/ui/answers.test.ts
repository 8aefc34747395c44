import { expect, test } from 'vitest';
import { touches } from '../../api/contract/channels.ts';
import { Answers } from '../../ui/api/answers.ts';

/** Which answers of a page are asked for again when something has changed. */

const answer = (channels: string | undefined, readAt: string): Response =>
  new Response('{}', { headers: { 'X-Read-Position': readAt, ...(channels === undefined ? {} : { 'X-Channels': channels }) } });
/** With the names of the queries whose answers turned out to be stale. */
const withStale = () => {
  const answers = new Answers();
  const stale: string[] = [];
  answers.onStale((name) => stale.push(name));
  return { answers, stale };
};
const query = (name: string) => ({ queryHash: name, queryKey: [name] });
const outdatedOf = (answers: Answers, ...names: string[]): boolean[] => {
  const isOutdated = answers.takeMissed();
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
  const answers = new Answers();
  expect(answers.concernedBy(['roster'])(query('markbook'))).toBe(false);
  await answers.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten roster', '5')));
  await answers.during('me', '/me', () => Promise.resolve(answer(undefined, '5')));
  await answers.during('help', '/help', () => Promise.resolve(answer('', '5')));
  const concernedBy = (...changed: string[]) => ['markbook', 'me', 'help'].map((name) => answers.concernedBy(changed)(query(name)));
  expect(concernedBy('marks:maths/ten')).toEqual([true, true, false]);
  expect(concernedBy('marks:maths/eleven')).toEqual([false, true, false]);
  await answers.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/eleven', '6')));
  expect(concernedBy('marks:maths/eleven')).toEqual([true, true, false]);
});

test('an answer that was on its way while something changed that concerns it is stale', async () => {
  const { answers, stale } = withStale();
  const during = (name: string, ...changed: string[]) =>
    answers.during(name, `/${name}`, () => {
      answers.changed(changed, 6n);
      return Promise.resolve(answer('marks:maths/ten', '5'));
    });
  await during('markbook', 'marks:maths/eleven');
  expect(stale).toEqual([]);
  await during('markbook', 'marks:maths/eleven', 'marks:maths/ten');
  expect(stale).toEqual(['markbook']);
  // A failed one is nothing that could be stale.
  await expect(answers.during('markbook', '/markbook', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(stale).toEqual(['markbook']);
});

test('an answer that holds a change already, as after one’s own command, is asked for once, whether the line tells before it arrives or after', async () => {
  const { answers, stale } = withStale();
  const readAt = (position: string, announced?: bigint) =>
    answers.during('sat-on', '/sat-on', () => {
      if (announced !== undefined) answers.changed(['marks:maths/mock'], announced);
      return Promise.resolve(answer('marks:maths/mock', position));
    });
  const isAsked = (position: bigint) =>
    answers.outdated([['marks:maths/mock', position]])(query('sat-on')) && !answers.isAskedFor(query('sat-on'));
  await readAt('6');
  let isAskedMeanwhile = true;
  await answers.during('sat-on', '/sat-on', () => {
    answers.changed(['marks:maths/mock'], 7n);
    isAskedMeanwhile = isAsked(7n);
    return Promise.resolve(answer('marks:maths/mock', '7'));
  });
  expect(isAskedMeanwhile).toBe(false);
  expect([stale, isAsked(7n), isAsked(8n)]).toEqual([[], false, true]);
  await readAt('8', 9n);
  expect(stale).toEqual(['sat-on']);
  // One that was to bring a change, and failed, leaves it to be asked for.
  const failing = answers.during('sat-on', '/sat-on', () => {
    answers.changed(['marks:maths/mock'], 9n);
    return Promise.reject(new Error('gone'));
  });
  await expect(failing).rejects.toThrow('gone');
  expect(stale).toEqual(['sat-on', 'sat-on']);
  // With a restored log the same positions name other events.
  answers.connected({ epoch: 'a', since: '0', topics: {} });
  await readAt('9');
  expect(isAsked(5n)).toBe(false);
  answers.connected({ epoch: 'b', since: '0', topics: {} });
  expect(isAsked(5n)).toBe(true);
});

test('what one’s own command has changed is asked for once, also where the line tells of it before the command is answered', async () => {
  const answers = new Answers();
  const isWanted = () => answers.outdated([['marks', 7n]])(query('sat-on'));
  await answers.during('sat-on', '/sat-on', () => Promise.resolve(answer('marks:maths/mock', '6')));
  expect([isWanted(), answers.outdated([['prior', 7n]])(query('sat-on'))]).toEqual([true, false]);
  const asked = (least: bigint) =>
    answers.during(
      'sat-on',
      '/sat-on',
      () => {
        expect(answers.isAskedFor(query('sat-on'), 7n)).toBe(least >= 7n);
        return Promise.resolve(answer('marks:maths/mock', String(least)));
      },
      least,
    );
  // One that was on its way before may not hold it.
  await asked(6n);
  expect(isWanted()).toBe(true);
  await asked(7n);
  expect([isWanted(), answers.isAskedFor(query('sat-on'), 7n)]).toEqual([false, false]);
});

test('what changed before the live connection began makes what was read before it outdated, and what is read before it stale', async () => {
  const { answers, stale } = withStale();
  await answers.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '5')));
  await answers.during('me', '/me', () => Promise.resolve(answer('staff', '5')));
  answers.connected({ since: '3', topics: { 'marks:maths/ten': '6' } });
  expect(outdatedOf(answers, 'markbook', 'me')).toEqual([true, false]);
  await answers.during('markbook', '/markbook', () => Promise.resolve(answer('marks:maths/ten', '6')));
  expect(stale).toEqual([]);
  await answers.during('cell', '/cell', () => Promise.resolve(answer('marks:maths/ten', '5')));
  expect(stale).toEqual(['cell']);
  answers.connected({ since: '9', topics: {} });
  expect(outdatedOf(answers, 'markbook', 'me')).toEqual([true, true]);
});

test('an answer that was read again is not outdated any more, however often the connection begins anew', async () => {
  const answers = new Answers();
  const read = (path: string, readAt: string) => answers.during('markbook', path, () => Promise.resolve(answer('marks:maths/ten', readAt)));
  await read('/one', '5');
  await read('/two', '9');
  const hello = { epoch: 'a', since: '0', topics: { 'marks:maths/ten': '7' } };
  answers.connected(hello);
  expect(outdatedOf(answers, 'markbook')).toEqual([true]);
  // Nobody looks at the other page of the list: it is not read again.
  await read('/two', '10');
  answers.connected(hello);
  expect(outdatedOf(answers, 'markbook')).toEqual([false]);
  answers.connected({ ...hello, topics: { 'marks:maths/ten': '11' } });
  expect(outdatedOf(answers, 'markbook')).toEqual([true]);
});

test('a connection that begins anew tells all that was missed, unless the server began anew, its log was restored, or it is an earlier one', () => {
  const answers = new Answers();
  const began = (epoch?: string) => answers.connected({ since: '5', topics: {}, ...(epoch === undefined ? {} : { epoch }) });
  expect([began('a'), began('a'), began('b'), began('b'), began(), began('b')]).toEqual([true, true, false, true, false, true]);
});

test('what a page has forgotten is followed no longer, a list as long as one of its pages is kept', async () => {
  const answers = new Answers();
  await answers.during('markbook', '/markbook', () => Promise.resolve(answer('roster', '5')));
  await answers.during('students', '/students?1', () => Promise.resolve(answer('roster', '5')));
  const lists = ['one', 'other'].map((queryHash) => ({ queryHash, queryKey: ['students', queryHash] }));
  const concerned = () => [query('markbook'), ...lists].map(answers.concernedBy(['roster']));
  expect(concerned()).toEqual([true, true, true]);
  answers.left(query('markbook'), lists);
  answers.left({ queryHash: 'one', queryKey: ['students', 'one'] }, lists.slice(1));
  expect(concerned()).toEqual([false, true, true]);
  answers.left({ queryHash: 'other', queryKey: ['students', 'other'] }, []);
  expect(concerned()).toEqual([false, false, false]);
});
