/**
 * Writes down what everybody is answered to every request about the school, so that a change of rights can be compared with what was before:
 *
 *     RECORD_WORLD=WORLD npm test -- tests/long/matrix/requests.test.ts
 *     node_modules/.bin/node --max-old-space-size=4096 tests/long/matrix/record.ts WORLD OUT [PART ...]
 *     node_modules/.bin/node tests/long/matrix/compare.ts OUT OTHER
 *
 * The first keeps a world with its requests, once for all records that are compared. Parts are named below; without any it does all.
 *
 * OUT/answers has a line for each case, `request | who | which ids | status | code: sentence of a refusal | hash of the body`, and
 * OUT/bodies each body under its hash. Two records of the same commit are the same, byte for byte: the world's ids and moments are those
 * of the kept one, and the clock goes on from when it was made. Only what a write makes has an id and a moment of its own, which are
 * replaced.
 */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandName } from '../../../api/commands.ts';
import { projections } from '../../../projections/all.ts';
import { migrate } from '../../../run/database/database.ts';
import { clusterIn } from '../../../run/postgres/cluster.ts';
import { startPostgres } from '../../../run/postgres/server.ts';
import { send } from '../../matrix/asking.ts';
import { Client } from '../../support/client.ts';
import type { Product } from '../../support/product.ts';
import { openProduct } from '../../support/product.ts';
import { query } from '../../support/query.ts';
import { PASSWORD } from '../../support/school.ts';
import { removeWithProcesses, scratchDirectory, sweepLeftovers } from '../../support/scratch.ts';
import { places } from './things.ts';
import { idsOfLog, told } from './told.ts';
import type { KeptWorld, Variant } from './variants.ts';

const [, , worldDirectory = '', out = '', ...wanted] = process.argv;
const world = JSON.parse(readFileSync(join(worldDirectory, 'world.json'), 'utf8')) as KeptWorld;
process.env['CLOCK_AHEAD_MS'] = String(world.at - Date.now());
await import(new URL('../../support/clock-ahead.mjs', import.meta.url).href);

const STAFF = ['admin', 'leader', 'teacherA', 'teacherB', 'scienceLeader', 'auditor'] as const;
const INSIDE = [...STAFF, 'student'] as const;
const OUTSIDE = ['neighbour', 'nobody'] as const;
/** at once */
const [REQUESTS, SCHOOLS] = [6, 4];

await sweepLeftovers();
const directory = scratchDirectory();
cpSync(join(worldDirectory, 'cluster'), directory, { recursive: true });
// A copied directory is readable by all, which PostgreSQL refuses.
chmodSync(clusterIn(directory), 0o700);
const server = await startPostgres({ directory, durable: false, connections: 400 });

type Line = readonly [route: string, who: string, variant: string, status: number, refusal: string, hash: string];
const lines: Line[] = [];
const bodies = new Map<string, string>();

let sent = 0;
let known: ReadonlySet<string> = new Set();
/** A product on a copy of the world's database. */
class School {
  readonly product: Product;
  readonly #clients = new Map<string, Promise<Client>>();

  constructor(product: Product) {
    this.product = product;
  }

  as(who: string): Promise<Client> {
    const client = this.#clients.get(who) ?? this.#signIn(who);
    this.#clients.set(who, client);
    return client;
  }

  async #signIn(who: string): Promise<Client> {
    const client = new Client(this.product);
    if (who !== 'nobody') await client.signIn(world.emails[who] ?? '', PASSWORD);
    return client;
  }

  /** Everything that is stored is seen by whoever asks next. */
  async shown(): Promise<void> {
    const { store, progress } = this.product.backend;
    const names = projections.map(({ name }) => name);
    await progress.waitFor(names, await store.head(), 60_000);
  }

  /** The line of a request. */
  async line(
    who: string,
    { route, variant, asked, reads }: Variant,
    { headers = {}, as = who }: { headers?: Record<string, string>; as?: string } = {},
  ): Promise<Line> {
    const client = await this.as(who);
    const position = String(await this.product.backend.store.head());
    // Limits of an address are not what is recorded.
    client.address = `10.${(sent += 1) >> 16}.${(sent >> 8) & 255}.${sent & 255}`;
    const answer = send(client, route, asked, { headers: { 'X-Min-Position': position, ...headers } });
    const { status, code, text } = await answer.catch((error: unknown) => ({
      status: 0,
      code: 'broken',
      text: JSON.stringify({ title: String(error) }),
    }));
    const body = told(text, JSON.stringify(asked), { ids: known, before: world.at }, !reads);
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    bodies.set(hash, body);
    return [route, as, variant, status, code === undefined ? '' : `${code}: ${(JSON.parse(body) as { title: string }).title}`, hash];
  }
}

let copies = 0;
const inCopy = async (work: (school: School) => Promise<void>): Promise<void> => {
  const name = `copy_${(copies += 1)}`;
  await query(server.superuserUrl(), `create database ${name} template ${world.database} strategy file_copy owner marktrail`);
  const product = await openProduct(server.ownerUrl(name));
  await work(new School(product)).finally(() => product.close());
  await query(server.superuserUrl(), `drop database ${name} with (force)`);
};

/** What each gives, in their order; some work at once. */
const inTurns = async <One>(works: readonly (() => Promise<One>)[], atOnce: number): Promise<One[]> => {
  const done: One[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < works.length; at = next++) done[at] = await works[at]!();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
};

const reads = world.variants.filter((one) => one.reads);
const writes = world.variants.filter((one) => !one.reads);
/** What somebody who views as another asks; whether they may is found out by one rule for all. */
const ofStudents = reads.filter(
  ({ route, variant }) => variant === 'own' && /student|queries\/(me|submission|grade-graph)|user-load/u.test(route),
);
/** Those whose ids are all of one place. */
const ofWhole = (variants: readonly Variant[]) => variants.filter(({ variant }) => /^(own|all )/u.test(variant));
/** A query's second method is recorded once. */
const once = reads.filter(({ route }) => !route.startsWith('GET /api/queries/'));

/** Reads that some people send to one school. */
const asked = async (
  school: School,
  who: readonly string[],
  variants: readonly Variant[],
  as: (who: string) => { readonly headers?: Record<string, string>; readonly as?: string } = () => ({}),
): Promise<void> => {
  lines.push(
    ...(await inTurns(
      who.flatMap((one) => variants.map((variant) => () => school.line(one, variant, as(one)))),
      REQUESTS,
    )),
  );
};

/** Whom staff ask to view as, whether they may or not. */
const { things } = world;
const inPlaces = (kind: 'student' | 'teacher'): [string, string][] =>
  places.flatMap((place): [string, string][] =>
    things[place][kind] === undefined ? [] : [[`${kind} ${place}`, `${kind} ${things[place][kind]}`]],
  );
const STUDENT = ['own student', `student ${world.ids.students['A1']}`] as const;
const TEACHER = ['own teacher', `teacher ${world.ids.recordA}`] as const;
const VIEWS: readonly (readonly [name: string, header: string])[] = [
  ...inPlaces('student'),
  ...inPlaces('teacher'),
  ...['leader', 'teacher', 'student'].map((role) => [`any ${role}`, role] as const),
];
const viewing =
  ([name, header]: readonly [string, string]) =>
  (who: string) => ({ headers: { 'X-View-As': header }, as: `${who} as ${name}` });

type Taking = readonly [who: 'teacherA' | 'leader' | 'student', what: string, command: CommandName, input: object];
const { ids, accounts } = world;
const ofMaths = { subjectId: ids.maths };
const A1 = ids.students['A1'];
const TAKEN: readonly Taking[] = [
  ['teacherA', 'without the class', 'ChangeTeacher', { ...ofMaths, teacherId: ids.recordA, setIds: [] }],
  ['teacherA', 'without the record', 'RemoveTeacher', { ...ofMaths, teacherId: ids.recordA }],
  ['teacherA', 'without the account', 'CloseStaffAccount', { accountId: accounts.teacherA }],
  ['teacherA', 'without the subject', 'RemoveSubject', ofMaths],
  [
    'leader',
    'now a teacher',
    'ChangeStaffAccount',
    { accountId: accounts.leader, role: 'teacher', teachers: [{ ...ofMaths, teacherId: ids.leaderRecord }] },
  ],
  ['leader', 'without a subject', 'ChangeStaffAccount', { accountId: accounts.leader, role: 'leader', teachers: [] }],
  ['student', 'in another class', 'ChangeStudents', { ...ofMaths, changes: [{ studentId: A1, place: { setId: ids.setB } }] }],
  ['student', 'off roll', 'ChangeStudents', { ...ofMaths, changes: [{ studentId: A1, place: 'off-roll' }] }],
  ['student', 'without the account', 'CloseStudentAccount', { accountId: accounts.student }],
];

type Prepare = (school: School) => Promise<void>;
/** What takes away what others are about. */
const SPOILS = /Delete|Remove|Close|Forget|Import|ChangeSt|DELETE/u;
/** Writes one after the other, in a new school after each that took something away. */
const written = async (
  who: string,
  variants: readonly Variant[],
  { prepare, as = who }: { readonly prepare?: Prepare; readonly as?: string } = {},
): Promise<Line[]> => {
  const done: Line[] = [];
  const left = [...Map.groupBy(variants, ({ route }) => route).values()];
  const begin = async (school: School): Promise<void> => {
    await prepare?.(school);
    for (let isSpoilt = false; !isSpoilt && left.length > 0;)
      for (const one of left.shift() ?? []) {
        const line = await school.line(who, one, { as });
        done.push(line);
        if (line[3] >= 300) continue;
        isSpoilt ||= SPOILS.test(one.route);
        await school.shown();
      }
  };
  while (left.length > 0) await inCopy(begin);
  return done;
};

const open = async (school: School): Promise<void> => {
  await (await school.as('admin')).done('OpenStructureToLeaders', { open: true });
  await school.shown();
};

const parts: Readonly<Record<string, () => Promise<void>>> = {
  now: () =>
    inCopy(async (school) => {
      await asked(school, INSIDE, reads);
      for (const who of OUTSIDE) await asked(school, [who], ofWhole(reads));
    }),
  open: () =>
    inCopy(async (school) => {
      await open(school);
      await asked(school, ['leader', 'scienceLeader'], reads, (who) => ({ as: `${who}, structure open` }));
    }),
  viewing: () =>
    inCopy(async (school) => {
      await asked(school, ['admin', 'leader', 'teacherA', 'scienceLeader'], once, viewing(STUDENT));
      await asked(school, ['admin', 'leader'], once, viewing(TEACHER));
      for (const view of VIEWS) await asked(school, ['admin', 'leader', 'teacherA', 'auditor'], ofStudents, viewing(view));
    }),
  'as of': () =>
    inCopy(async (school) => {
      const queries = once.filter(({ route }) => route.startsWith('POST /api/queries/'));
      for (const asOf of [things.before, '2020-01-01T00:00:00Z'])
        await asked(
          school,
          ['admin', 'leader', 'teacherA', 'auditor', 'student'],
          queries.map((one) => ({ ...one, asked: { ...one.asked, query: { ...one.asked.query, asOf } } })),
          (who) => ({ as: `${who}, ${asOf === things.before ? 'before' : '2020'}` }),
        );
    }),
  taken: async () => {
    for (const [who, what, command, input] of TAKEN) {
      const take = async (school: School): Promise<void> => {
        await (await school.as(who)).send('/api/checkauth');
        await (await school.as('admin')).done(command, input);
      };
      const as = `${who} ${what}`;
      await inCopy(async (school) => {
        await take(school);
        await asked(school, [who], ofWhole(once), () => ({ as }));
      });
      lines.push(
        ...(await written(
          who,
          writes.filter(({ variant }) => variant === 'own'),
          { prepare: take, as },
        )),
      );
    }
  },
  writes: async () => {
    const those = [...INSIDE, ...OUTSIDE].map((who) => () => written(who, INSIDE.some((one) => one === who) ? writes : ofWhole(writes)));
    lines.push(
      ...(await inTurns([...those, () => written('leader', writes, { prepare: open, as: 'leader, structure open' })], SCHOOLS)).flat(),
    );
  },
};

const save = (): void => {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'answers'), lines.map((line) => `${line.join(' | ')}\n`).join(''));
  const sorted = [...bodies].toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(out, 'bodies'), sorted.map(([hash, body]) => `${hash} ${body}\n`).join(''));
};

try {
  const url = server.ownerUrl(world.database);
  await migrate(url);
  // Read models of another version are built anew.
  const product = await openProduct(url);
  await new School(product).shown();
  known = await idsOfLog(product.backend.store);
  await product.close();
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const [before, began] = [lines.length, performance.now()];
    await part();
    save();
    console.log(`${name}: ${lines.length - before} cases in ${Math.round((performance.now() - began) / 1000)} s`);
  }
} finally {
  await server.stop();
  await removeWithProcesses(directory);
}
