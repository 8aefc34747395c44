/**
 * `npm run bench [-- --quick] [--json FILE] [--only CHAPTER ...]`: what the product reaches, beside its limit measured in the same run.
 *
 * Everything happens on a PostgreSQL of its own in a temporary directory, as durable as the product's: every commit waits for the disk.
 * The product runs in its own process as `npm start` runs it; whoever sends requests is a process of its own too.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { live } from '../run/life.ts';
import { migrate } from '../run/migrations.ts';
import { startPostgres } from '../run/postgres/server.ts';
import { type Figure, tableOf } from './figures.ts';
import { markbookFigure } from './markbook.ts';
import { rebuildFigures } from './rebuild.ts';
import { startBareServer, startGenerator, startProduct } from './processes.ts';
import { RAW_TABLE } from './raw-table.ts';
import { buildSchool, signIn } from './school.ts';
import { storeFigures } from './store.ts';
import { commandFigures, signInAll, staffRoomFigures } from './typing.ts';
import { memoryFigure, uploadFigures } from './upload.ts';
import { verifyFigures } from './verify.ts';

const chapters = ['store', 'rebuild', 'verify', 'markbook', 'commands', 'typing', 'upload', 'memory'] as const;
type Chapter = (typeof chapters)[number];
/** Those that need a school that was built by commands. */
const SCHOOLS: readonly Chapter[] = ['store', 'markbook', 'commands', 'typing', 'upload', 'memory'];

const options = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string', multiple: true } },
}).values;
const wanted = (chapter: Chapter): boolean => options.only === undefined || options.only.includes(chapter);

/** Rounds, and milliseconds of each where a rate is measured. */
const size = options.quick
  ? {
      store: { rounds: 3, ms: 400 },
      commands: { rounds: 3, ms: 500 },
      upload: 3,
      markbook: 4,
      typingSeconds: 5,
      uploads: 100,
      rebuild: { tests: 3, rounds: 3 },
      verify: { events: 20_000, rounds: 3 },
    }
  : {
      store: { rounds: 10, ms: 1000 },
      commands: { rounds: 10, ms: 1500 },
      upload: 9,
      markbook: 20,
      typingSeconds: 10,
      uploads: 1000,
      rebuild: { tests: 12, rounds: 5 },
      verify: { events: 100_000, rounds: 7 },
    };

const measure = async (directory: string, onEnd: (close: () => Promise<void>) => void): Promise<Figure[]> => {
  const opened = <T extends { stop(): Promise<void> }>(one: T): T => {
    onEnd(() => one.stop());
    return one;
  };
  const postgres = opened(await startPostgres({ directory }));
  const newDatabase = async (name: string): Promise<string> => {
    await makeDatabase(postgres.superuserUrl(), name);
    await migrate(postgres.ownerUrl(name));
    return postgres.ownerUrl(name);
  };
  const figures: Figure[] = [];
  const chapter = async (name: Chapter, work: () => Promise<readonly Figure[]>): Promise<void> => {
    if (!wanted(name)) return;
    tell(name);
    figures.push(...(await work()));
  };
  await chapter('rebuild', async () => rebuildFigures(await newDatabase('rebuild'), directory, size.rebuild));
  await chapter('verify', async () => verifyFigures(await newDatabase('verify'), size.verify));
  if (SCHOOLS.every((name) => !wanted(name))) return figures;

  tell('building a school');
  const databaseUrl = postgres.ownerUrl();
  await migrate(databaseUrl);
  await makeRawTable(databaseUrl);
  const school = await buildSchool(databaseUrl, directory, {
    uploads: size.upload + 2,
    typing: 2 * (size.commands.rounds + 2) + 2,
    teachers: 32,
  });

  await chapter('store', () => storeFigures(databaseUrl, size.store));
  await chapter('markbook', async () => [await markbookFigure(databaseUrl, school, size.markbook)]);

  const product = opened(await startProduct(databaseUrl, directory));
  const leader = await signIn(product.url, school.leader);
  if (wanted('commands') || wanted('typing')) {
    tell('32 teachers sign in');
    const cookies = await signInAll(product, school);
    const typing = { school, product, cookies, bare: opened(await startBareServer(databaseUrl)), generator: opened(startGenerator()) };
    await chapter('commands', () => commandFigures(typing, size.commands));
    await chapter('typing', () => staffRoomFigures(typing, size.typingSeconds));
  }
  await chapter('upload', () => uploadFigures(databaseUrl, product, school, leader, size.upload));
  await chapter('memory', async () => [await memoryFigure(product, school, leader, size.uploads)]);
  return figures;
};

const makeDatabase = async (superuserUrl: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create database ${name} owner marktrail`);
  await client.end();
};

const makeRawTable = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(RAW_TABLE);
  await client.end();
};

/** Beside the table, which alone goes to the standard output. */
const tell = (what: string): void => console.error(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${what}`);

const unknown = options.only?.find((name) => !chapters.some((chapter) => chapter === name));
if (unknown !== undefined) throw new Error(`There is no chapter ${unknown}: ${chapters.join(', ')}`);

live(async ({ onEnd, end }) => {
  const directory = mkdtempSync(join(tmpdir(), 'marktrail-bench-'));
  chmodSync(directory, 0o711);
  onEnd(() => rmSync(directory, { recursive: true, force: true }));
  const figures = await measure(directory, onEnd);
  tell('done');
  console.log(tableOf(figures));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  void end(0);
});
