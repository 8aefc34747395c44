import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRows, tableRows } from '../calls/cases.ts';
import { Client } from '../support/client.ts';
import type { Answered, Grown } from './asking.ts';
import { idsIn, isLook, isQuery, offeredBy, send, watchLog, withId } from './asking.ts';
import type { Asked, Row } from './row.ts';
import { rows } from './rows.ts';
import type { ActorName, Where } from './world.ts';
import { openWorld } from './world.ts';

/**
 * Every address of /api/openapi.json, asked by everybody, and with each id in its request replaced by the id of the same thing of another
 * class, another subject, another school, or of nothing. rows.ts says who may; an address without a row fails.
 */
const world = await openWorld();
const { school } = world;
const offered = await offeredBy(school);
afterAll(() => world.close());

const actors: readonly ActorName[] = [
  'nobody',
  'student',
  'teacherA',
  'teacherB',
  'leader',
  'scienceLeader',
  'admin',
  'auditor',
  'neighbour',
];
/** Whose rights end somewhere in the school. */
const limited: readonly ActorName[] = ['teacherA', 'teacherB', 'leader', 'student'];
/** Refusals that say no more than that one may not, or that there is no such thing. */
const REFUSALS = ['forbidden', 'not-your-set', 'not-found'];

const rowOf = (route: string): Row => {
  const row = rows.get(route) ?? tableRows.get(route);
  if (row) return row;
  throw new Error(`${route} has no row: say in tests/matrix/rows.ts who may ask it, with a legal request.`);
};

/** Commands that nobody may send, which the description therefore does not offer. */
const unoffered = [...rows].flatMap(([route, { may }]) => (route.startsWith('POST /api/commands/') && may.length === 0 ? [route] : []));

test('every address has a row, and every row an address', () => {
  expect(offered.filter((route) => !rows.has(route)).map((route) => `${route}: add a row to tests/matrix/rows.ts`)).toEqual([]);
  // A query whose request cannot be written into an address has no GET.
  const needless = [...rows.keys()].filter((route) => !offered.includes(route) && !route.startsWith('GET /api/queries/'));
  expect(needless.toSorted()).toEqual(unoffered.toSorted());
});

test('every registered route is described', () => {
  const described = (pattern: string): boolean => {
    const route = new RegExp(`^${pattern.replace(/:[^/]+/g, '[^/]+')}$`);
    return offered.some((one) => route.test(one));
  };
  const registered = school.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : [`${method} ${path}`]));
  expect(registered.filter((pattern) => !described(pattern))).toEqual([]);
});

/** What the user must not know, but the answer tells. */
const leaks = (answer: Answered, asked: Asked, actor: ActorName): string[] => {
  const sent = JSON.stringify(asked);
  const all = `${answer.headers}\n${answer.text}`.toLowerCase();
  return world.secretsFrom(actor).filter((secret) => all.includes(secret.toLowerCase()) && !sent.includes(secret));
};

/** With ids of its own where the user makes them up. */
const anew = (asked: Asked): Asked =>
  idsIn(asked).reduce(
    (all, id) => (world.isKnown(id) || !JSON.stringify(all).includes(`"entryId":"${id}"`) ? all : withId(all, id, randomUUID())),
    asked,
  );

const shownNow = async () => ({ 'X-Min-Position': String(await school.backend.store.head()) });
/** A write of a table looks up what its rows are about, which may just have been made. */
const shown = async (route: string) => (tableRows.has(route) ? shownNow() : {});

/** Sends it, and looks in the answer for what the user must not know. */
const asks = async (actor: ActorName, route: string, row: Row, asked: Asked): Promise<Answered> => {
  const client = row.anew ? await world.anew(actor) : await world.as(actor);
  const answer = await send(client, route, asked, { ...row, headers: await shown(route) });
  expect([route, actor, leaks(answer, asked, actor)]).toEqual([route, actor, []]);
  expect([route, actor, answer.status >= 500 && answer.text]).toEqual([route, actor, false]);
  return answer;
};

/** A save whose cells were all refused is kept as such: it has an author, a list of what was refused, and no marks. */
const isEmptySave = ({ type, data }: Grown): boolean => type === 'MarksEntered' && JSON.parse(data).marks.students.length === 0;
const nothingChanged = async (route: string, growth: () => Promise<Grown[]>): Promise<void> =>
  expect([route, (await growth()).filter((event) => !isEmptySave(event) && !isLook(event))]).toEqual([route, []]);
const storesNothing = (text: string): void => expect(JSON.parse(text)).toMatchObject({ result: { stored: 0 } });

/** Whoever may not is refused, and nothing is written. */
const isRefused = async (route: string, row: Row, asked: Asked, may: readonly ActorName[]): Promise<void> => {
  const growth = await watchLog(world);
  // A request that names nothing of the school means one's own.
  const namesNothing = idsIn(asked).length === 0;
  await Promise.all(
    actors.map(async (actor) => {
      if (may.includes(actor) || (actor === 'neighbour' && namesNothing && may.includes('admin'))) return;
      const { status, code, text } = await asks(actor, route, row, anew(asked));
      if (actor === 'nobody') expect([route, actor, status, code]).toEqual([route, actor, 401, 'not-authenticated']);
      else if (row.listsRefused && status === 200) storesNothing(text);
      else if (actor === 'neighbour') expect([route, actor, status >= 400 || isQuery(route)]).toEqual([route, actor, true]);
      else expect([route, actor, status, REFUSALS.includes(code ?? '')]).toEqual([route, actor, status === 404 ? 404 : 403, true]);
    }),
  );
  await nothingChanged(route, growth);
};

/** Ids of others in place of one's own change nothing. What is in another school is answered as if it were not there. */
const holdsAgainstOtherIds = async (route: string, row: Row, asked: Asked, may: readonly ActorName[]): Promise<void> => {
  const growth = await watchLog(world);
  const actors = may.filter((actor) => actor !== 'nobody');
  const answers = (of: readonly ActorName[], where: (actor: ActorName) => Promise<unknown>): Promise<unknown> => Promise.all(of.map(where));
  for (const id of idsIn(asked).filter(world.isKnown)) {
    const about = (where: Where): Asked | undefined => {
      const other = world.elsewhere(id, where);
      return other === undefined ? undefined : anew(withId(asked, id, other));
    };
    await answers(actors, async (actor) => {
      const [theirs, nobodys] = [about('other school'), about('nowhere')];
      if (theirs === undefined || nobodys === undefined) throw new Error(`${route}: the other school has nothing like ${id}.`);
      const [one, other] = [await asks(actor, route, row, theirs), await asks(actor, route, row, nobodys)];
      expect([route, actor, id, told(one, theirs)]).toEqual([route, actor, id, told(other, nobodys)]);
    });
    for (const where of ['other class', 'other subject'] as const) {
      if (about(where) === undefined || (where === 'other class' && row.readsYearGroup)) continue;
      const concerned = actors.filter((actor) => limited.includes(actor) && (where === 'other subject' || actor === 'teacherA'));
      await answers(concerned, async (actor) => asks(actor, route, row, about(where) ?? {}));
    }
  }
  await nothingChanged(route, growth);
};

/** An answer without the ids that were asked for, and without positions. */
const told = ({ status, text }: Answered, asked: Asked): [number, string] => [
  status,
  idsIn(asked).reduce((all, id) => all.replaceAll(id, 'id'), text.replaceAll(/"(position|revision|commandId)":"[^"]*"/g, '')),
];

/** Who may, can. */
const isAllowed = async (route: string, row: Row, asked: Asked, actor: ActorName): Promise<void> => {
  const client = row.anew ? await world.anew(actor) : await world.as(actor);
  await row.before?.(client);
  const answer = await send(client, route, asked, {
    streams: row.streams,
    headers: isQuery(route) ? await shownNow() : await shown(route),
  });
  expect([route, actor, answer.status, answer.text]).toEqual([route, actor, row.status ?? 200, answer.text]);
  expect([route, actor, leaks(answer, asked, actor)]).toEqual([route, actor, []]);
};

/** In the order of the rows: some take away what those before them are about. */
const place = (route: string): number => [...rows.keys()].indexOf(route);
const routes = [...unoffered, ...offered].toSorted((one, other) => place(one) - place(other));
const below = (path: string): string[] => routes.filter((route) => route.split(' ')[1]?.startsWith(path));
const kinds = {
  // First, because a save that is refused is kept with what it named, and then seen by who reads histories or follows changes.
  queries: [...below('/api/queries/'), 'GET /api/live'],
  commands: below('/api/commands/'),
  records: below('/api/rest/'),
  'documented calls': routes.filter((route) => callRows.has(route) && !callRows.get(route)?.anew),
};
const theRest = routes.filter((route) => !Object.values(kinds).flat().includes(route));

const isForWhomItIsFor = async (route: string): Promise<void> => {
  const row = rowOf(route);
  const asked = await row.ask(world);
  if (!row.may.includes('nobody')) await isRefused(route, row, asked, row.may);
  await holdsAgainstOtherIds(route, row, asked, row.may);
  for (const actor of row.may) {
    const again = await row.ask(world);
    if (actor !== 'neighbour' || idsIn(again).length === 0) await isAllowed(route, row, again, actor);
  }
};

describe.each(Object.entries(kinds))('%s', (kind, those) => {
  beforeAll(async () => {
    if (kind === 'records' || kind === 'documented calls') await world.renew();
  });

  test.each(those)('%s is for whom it is for', isForWhomItIsFor);
});

describe('tables of documented calls', () => {
  beforeAll(() => world.renew());

  test.each([...tableRows.keys()])('%s is for whom it is for', isForWhomItIsFor);
});

describe('while the structure is open to leaders', () => {
  beforeAll(async () => {
    await (await school.as('admin')).done('OpenStructureToLeaders', { open: true });
  });

  describe.each(Object.entries(kinds))('%s', (_kind, those) => {
    beforeAll(() => world.renew());

    test.each(those.filter((route) => rowOf(route).ifOpen))('%s is for leaders of the subject too', async (route) => {
      const row = rowOf(route);
      const asked = await row.ask(world);
      // A list names no subject: each leader sees their own.
      const openTo: readonly ActorName[] = idsIn(asked).length === 0 ? ['leader', 'scienceLeader'] : ['leader'];
      await isRefused(route, row, asked, [...row.may, ...openTo]);
      await holdsAgainstOtherIds(route, row, asked, ['leader']);
      for (const actor of openTo) await isAllowed(route, row, await row.ask(world), actor);
    });

    test.each(those.filter((route) => rowOf(route).may.length === 1 && !rowOf(route).ifOpen))('%s stays with admins', async (route) => {
      const row = rowOf(route);
      await isRefused(route, row, await row.ask(world), row.may);
    });
  });
});

describe('a session', () => {
  const closed = routes.filter((route) => !rows.get(route)?.may.includes('nobody'));
  const askedOf = async (those: readonly string[]): Promise<[string, Asked][]> => {
    const all: [string, Asked][] = [];
    for (const route of those) all.push([route, await rowOf(route).ask(world)]);
    return all;
  };

  test('that has ended, was forged, or comes as a bearer token opens nothing', async () => {
    const ended = await school.signIn('admin');
    const cookie = ended.cookie ?? '';
    await ended.signOut();
    const [name = '', value = ''] = ((await school.as('admin')).cookie ?? '').split('=');
    const requests = await askedOf(closed);
    const growth = await watchLog(world);
    for (const [route, asked] of requests) {
      const answers = await Promise.all([
        send(new Client(school, cookie), route, asked),
        send(new Client(school, `${name}=${decodeURIComponent(value).split('.')[0]}.${'A'.repeat(43)}=`), route, asked),
        send(new Client(school), route, asked, { headers: { Authorization: `Bearer ${decodeURIComponent(value)}` } }),
        send(new Client(school), route, asked, { headers: { Authorization: `Bearer ${decodeURIComponent(value).split('.')[0]}` } }),
      ]);
      expect([route, ...answers.map(({ status }) => status)]).toEqual([route, 401, 401, 401, 401]);
    }
    await nothingChanged('', growth);
  });

  test('that views as a student writes nothing', async () => {
    const admin = await school.as('admin');
    const requests = await askedOf(closed.filter((route) => !isQuery(route)));
    const growth = await watchLog(world);
    for (const [route, asked] of requests) {
      const answer = await send(admin, route, asked, { headers: { 'X-View-As': `student ${school.ids.students['A1']}` } });
      expect([route, answer.status, answer.code]).toEqual([route, 403, 'view-only']);
    }
    await nothingChanged('', growth);
  });
});

test.each(['teacherA', 'leader', 'scienceLeader'] as const)('%s, who views a student of two subjects, sees of one only', async (actor) => {
  const client = await world.as(actor);
  const [own, other] = actor === 'scienceLeader' ? ['Science', 'Mathematics'] : ['Mathematics', 'Science'];
  for (const route of ['GET /api/user-load', 'GET /api/student/39']) {
    const { text } = await send(client, route, {}, { headers: { 'X-View-As': `student ${school.ids.students['A1']}` } });
    expect([route, text.includes(own), text.includes(other)]).toEqual([route, true, false]);
  }
});

test('no address takes another method than it says', async () => {
  const admin = await school.as('admin');
  const growth = await watchLog(world);
  const paths = [...new Set(offered.map((route) => route.split(' ')[1] ?? ''))];
  for (const path of paths) {
    const id = randomUUID();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      // The end of an address, `1` or `code`, may be the number of a read, or the name of one write, and the id of another.
      const isOfRows = offered.includes(`${method} ${path.replace(/[^/]+$/, '{id}')}`);
      if (offered.includes(`${method} ${path}`) || isOfRows || (path.startsWith('/api/queries/') && method === 'GET')) continue;
      const answer = await send(admin, `${method} ${path}`, { id, ...(method === 'GET' ? {} : { body: {} }) });
      expect([method, path, answer.status === 404 || answer.status === 405, answer.code]).toEqual([method, path, true, expect.any(String)]);
    }
  }
  await nothingChanged('', growth);
});

// Last, because one of them ends everybody's sessions.
describe('everything else', () => {
  test.each(theRest)('%s is for whom it is for', isForWhomItIsFor);
});
