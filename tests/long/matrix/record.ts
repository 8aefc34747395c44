/**
 * `node run/bootstrap.mjs tests/long/matrix/record.ts WORLD OUT [PART ...]`: writes down what everybody is answered to every request of a
 * kept world (requests.test.ts), so that a change of rights can be compared with what was before it (compare.ts).
 *
 * OUT/answers has a line for each case, `request | who | which ids | status | code: sentence of a refusal | hash of the body`, and
 * OUT/bodies each body under its hash. Two records of the same commit are the same, byte for byte: the world's ids and moments are those
 * of the kept one, and the clock goes on from when it was made. Only what a write makes has an id and a moment of its own, which are
 * replaced.
 */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '../../../projections/all.ts';
import { migrate } from '../../../run/database/migrations.ts';
import { clusterIn } from '../../../run/postgres/cluster.ts';
import { startPostgres } from '../../../run/postgres/server.ts';
import { send } from '../../matrix/asking.ts';
import { Client } from '../../support/client.ts';
import type { Product } from '../../support/product.ts';
import { openProduct } from '../../support/product.ts';
import { query } from '../../support/query.ts';
import { PASSWORD } from '../../support/school.ts';
import { removeWithProcesses, scratchDirectory } from '../../support/scratch.ts';
import type { KeptWorld } from './requests.test.ts';
import type { Variant } from './variants.ts';

const [, , worldDirectory = '', out = '', ...wanted] = process.argv;
const world = JSON.parse(readFileSync(join(worldDirectory, 'world.json'), 'utf8')) as KeptWorld;
process.env['CLOCK_AHEAD_MS'] = String(world.at - Date.now());
await import('../../support/clock-ahead.mjs');

const STAFF = ['admin', 'leader', 'teacherA', 'teacherB', 'scienceLeader', 'auditor'] as const;
const EVERYBODY = [...STAFF, 'student', 'neighbour', 'nobody'] as const;
const AT_ONCE = 6;

const directory = scratchDirectory();
cpSync(join(worldDirectory, 'cluster'), directory, { recursive: true });
// A copied directory is readable by all, which PostgreSQL refuses.
chmodSync(clusterIn(directory), 0o700);
const server = await startPostgres({ directory, durable: false, connections: 400 });

type Line = readonly [route: string, who: string, variant: string, status: number, refusal: string, hash: string];
const lines: Line[] = [];
const bodies = new Map<string, string>();

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
  async line(who: string, { route, variant, asked }: Variant, { headers = {}, as = who }: { headers?: Record<string, string>; as?: string } = {}): Promise<Line> {
    const client = await this.as(who);
    const { status, code, text } = await send(client, route, asked, { headers }).catch((error: unknown) => ({
      status: 0,
      code: 'broken',
      text: JSON.stringify({ title: String(error) }),
    }));
    const body = told(text, JSON.stringify(asked));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    bodies.set(hash, body);
    return [route, as, variant, status, code === undefined ? '' : `${code}: ${(JSON.parse(body) as { title: string }).title}`, hash];
  }
}

/** A body without the ids and moments that nobody can know before. */
const told = (text: string, asked: string): string => {
  const fresh = new Map<string, string>();
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, (id) => {
      if (known.has(id) || asked.includes(id)) return id;
      fresh.set(id, fresh.get(id) ?? `new ${fresh.size + 1}`);
      return fresh.get(id)!;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/gu, (moment) => (Date.parse(moment) < world.at ? moment : 'now'))
    .replaceAll(/"(position|revision)":"\d+"/gu, '"$1":"some"');
};

let copies = 0;
const inCopy = async (work: (school: School) => Promise<void>): Promise<void> => {
  const name = `copy_${(copies += 1)}`;
  await query(server.superuserUrl(), `create database ${name} template ${world.database} strategy file_copy owner marktrail`);
  const product = await openProduct(server.ownerUrl(name), unlimited);
  await work(new School(product)).finally(() => product.close());
  await query(server.superuserUrl(), `drop database ${name} with (force)`);
};
const unlimited = { bodies: { perMinute: { staff: Infinity, student: Infinity, stranger: Infinity } } };

/** In order, some at once. */
const all = async (asks: readonly (() => Promise<Line>)[]): Promise<void> => {
  const answers: Line[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < asks.length; at = next++) answers[at] = await asks[at]!();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  lines.push(...answers);
};

const reads = world.variants.filter((one) => one.reads);

const parts: Readonly<Record<string, () => Promise<void>>> = {
  now: () =>
    inCopy(async (school) => {
      await all(EVERYBODY.flatMap((who) => reads.map((one) => () => school.line(who, one))));
    }),
  open: () =>
    inCopy(async (school) => {
      await (await school.as('admin')).done('OpenStructureToLeaders', { open: true });
      await school.shown();
      const whose = ['leader', 'scienceLeader'];
      await all(whose.flatMap((who) => reads.map((one) => () => school.line(who, one, { as: `${who}, structure open` }))));
    }),
};

/** Ids that were there before anybody asked; those that a write makes are not. */
const idsOfLog = async ({ backend: { store } }: Product): Promise<Set<string>> => {
  const ids = new Set<string>();
  for await (const { stream, data } of store.readAll('start'))
    for (const [id] of `${stream} ${data}`.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu)) ids.add(id);
  return ids;
};
const known = new Set<string>();

try {
  const url = server.ownerUrl(world.database);
  await migrate(url);
  // Read models of another version are built anew.
  const product = await openProduct(url);
  await new School(product).shown();
  for (const id of await idsOfLog(product)) known.add(id);
  await product.close();
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const [before, began] = [lines.length, performance.now()];
    await part();
    console.log(`${name}: ${lines.length - before} cases in ${Math.round((performance.now() - began) / 1000)} s`);
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'answers'), lines.map((line) => `${line.join(' | ')}\n`).join(''));
  const sorted = [...bodies].toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(out, 'bodies'), sorted.map(([hash, body]) => `${hash} ${body}\n`).join(''));
} finally {
  await server.stop();
  await removeWithProcesses(directory);
}
