import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { nothingAsked } from '../support/nothing-asked.ts';
import { Live } from '../../api/live/live.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import { TooMuchAtOnce } from '../../events/async/fair-queue.ts';

const person = () =>
  ({
    accountId: randomUUID(),
    schoolId: randomUUID(),
    role: 'admin',
    name: '',
    email: '',
    subjectIds: [],
    setIds: [],
    studentId: null,
  }) as const;

/** A line, and a change of its school's roster. `again`: who listens by now. */
const lineOf = (actor: ReturnType<typeof person>, again: () => Promise<typeof actor | undefined>, heartbeatMs?: number) => {
  let hear: (committed: Committed) => void = () => undefined;
  const gone = new AbortController();
  const live = new Live({
    onCommitted: (listener) => {
      hear = listener;
      return () => undefined;
    },
    positions: () => new Map(),
    readAs: () => Promise.reject(new Error('nothing is looked up')),
    queries: nothingAsked,
    stopping: new AbortController().signal,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
  const text = live.stream({ actor, again, disconnected: gone.signal }).text();
  const change = () => hear({ positions: new Map([['roster', 1n]]), changes: [{ schoolId: actor.schoolId, channels: ['roster'] }] });
  return { text, change, leave: () => gone.abort() };
};

test('a line that ends while its session is being looked up, and while news are on their way, is sent neither', async () => {
  const actor = person();
  const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<typeof actor>()];
  const again = (): Promise<typeof actor> => {
    asked.resolve();
    return found.promise;
  };
  const { text, change, leave } = lineOf(actor, again, 1);
  await asked.promise;
  leave();
  change();
  found.resolve(actor);
  expect(await text).toMatch(/^retry: 2000\nevent: hello\ndata: \{"since":"0","epoch":"[\w-]+","topics":\{\}\}\n\n$/);
});

test('a line goes on though there is no room just now to look up again what its person may see', async () => {
  const actor = person();
  const beaten = Promise.withResolvers<void>();
  let looks = 0;
  const again = async (): Promise<typeof actor> => {
    looks += 1;
    if (looks <= 2) throw new TooMuchAtOnce();
    beaten.resolve();
    return actor;
  };
  const { text, leave } = lineOf(actor, again, 1);
  const ended = text.then(() => 'ended' as const);
  expect(await Promise.race([beaten.promise.then(() => 'still there' as const), ended])).toBe('still there');
  leave();
  expect(await text).toContain(': still here');
});

test('a line whose session has ended is told of no change, and ends with the first one', async () => {
  const { text, change } = lineOf(person(), async () => undefined);
  change();
  expect(await text).toMatch(/^retry: 2000\nevent: hello\n[^\n]*\n\n$/);
});

test('what happens while nobody can say who listens is told once that is known again', async () => {
  const actor = person();
  const [asked, known] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isKnown = false;
  let looks = 0;
  const again = async () => {
    asked.resolve();
    if (!isKnown) throw new TooMuchAtOnce();
    looks += 1;
    // A beat later, whatever the first of them had to tell is told.
    if (looks > 1) known.resolve();
    return actor;
  };
  const { text, change, leave } = lineOf(actor, again, 1);
  change();
  await asked.promise;
  isKnown = true;
  await known.promise;
  leave();
  expect((await text).match(/event: \w+|"roster":"1"/g)).toEqual(['event: hello', 'event: hello', '"roster":"1"']);
});
