/**
 * `npm run bench [-- --quick] [--json FILE] [--only CHAPTER ...] [--events N]`: the product's figures and their limits, measured in the
 * same run. With `--log esdb://..`, an empty EventStoreDB, the chapters `store`, `commands` and `rebuild` with the log there, each figure as it
 * comes: a log on another machine may take long. Without a browser, what needs one is left out, and named at the end.
 *
 * Uses a separate PostgreSQL in a temporary directory, as durable as the product's: every commit waits for the disk. The product runs in
 * its own process as with `npm start`, and so do the clients. However it ends, all of them end with it, and the directory goes.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { administrationFigures } from './administration.ts';
import { asOfFigures } from './as-of.ts';
import { analysisFigures } from './analysis.ts';
import { callsFigures } from './calls.ts';
import { closeBrowsers, leftOut } from './browser.ts';
import { startPageFigures } from './start-page.ts';
import { runUntilStopped } from '../run/lifecycle.ts';
import { openLog } from '../run/log/log.ts';
import { migrate } from '../run/database/database.ts';
import { type PostgresServer, startPostgres } from '../run/postgres/server.ts';
import { StartError } from '../run/start-error.ts';
import { type Figure, lineOf, tableOf } from './figures.ts';
import { type Databases, largeFigures } from './large.ts';
import { largeSchoolFigures } from './large-school.ts';
import { floodFigures } from './flood.ts';
import { historyFigures, largeMomentFigures } from './history.ts';
import { liveFigures } from './live.ts';
import { logInFigure } from './log-in.ts';
import { markbookFigure } from './markbook.ts';
import { marksFigures } from './marks/marks.ts';
import { enduranceFigures } from './memory.ts';
import { nameFigures } from './names.ts';
import { openingFigures } from './opening.ts';
import { outageFigures } from './outage.ts';
import { rankingFigures } from './ranking.ts';
import { reportsFigures } from './reports.ts';
import { restFigures } from './rest.ts';
import { recordFigures } from './history-record.ts';
import { replayFigures } from './history-replay.ts';
import { rebuildFigures, rebuildFromLogFigure } from './rebuild.ts';
import { endProcesses, type Log, startBareServer, startGenerator, startPages, startProduct } from './processes.ts';
import { spending } from './processor-time.ts';
import { RAW_TABLE } from './raw-table.ts';
import { buildSchool, signIn } from './school.ts';
import { storeFigures } from './store.ts';
import { studentsFigures } from './students.ts';
import { strangersFigures } from './strangers.ts';
import { subscriptionFigure } from './subscription.ts';
import { takeOverFigures } from './take-over.ts';
import { typingInListsFigures } from './typing-in-lists.ts';
import { commandFigures, signInAll, staffRoomFigures } from './typing.ts';
import { memoryFigure, uploadFigures } from './upload.ts';
import { backupFigures, besideBackupFigure } from './backup.ts';
import { checkFigures } from './checks.ts';
import { verifyFigures } from './verify.ts';
import { yearByCallFigures } from './year-by-call.ts';

const chapters = [
  'store',
  'markbook',
  'log-in',
  'start-page',
  'opening',
  'typing-in-lists',
  'commands',
  'typing',
  'live',
  'flood',
  'upload',
  'memory',
  'rest',
  'calls',
  'rebuild',
  'names',
  'as-of',
  'subscription',
  'verify',
  'backup',
  'beside-backup',
  'checks',
  'take-over',
  'outage',
  'administration',
  'year-by-call',
  'strangers',
  'ranking',
  'marks',
  'analysis',
  'students',
  'reports',
  'history',
  'large-school',
  'large',
] as const;
type Chapter = (typeof chapters)[number];

const options = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'string' },
    only: { type: 'string', multiple: true },
    events: { type: 'string' },
    minutes: { type: 'string' },
    log: { type: 'string' },
  },
}).values;
/** `large` takes minutes for its million events: not with --quick, unless requested by name. */
const wanted = (chapter: Chapter): boolean => {
  if (options.log !== undefined && !onEventStore.includes(chapter)) return false;
  return options.only?.includes(chapter) ?? !(options.quick && chapter === 'large');
};
const onEventStore: readonly Chapter[] = ['store', 'commands', 'rebuild'];

/** `--events`: the size of the large log. */
const largerLog = options.events === undefined ? {} : { large: Number(options.events) };

/** `--minutes`: how long the chapter `memory` watches, instead of a number of uploads. */
const minutes = options.minutes === undefined ? undefined : Number(options.minutes);

/** Number of rounds, and milliseconds of each if a rate is measured. */
const size = options.quick
  ? {
      store: { rounds: 3, ms: 400 },
      commands: { rounds: 3, ms: 500 },
      upload: 3,
      calls: 100,
      yearByCall: 1,
      strangers: { rounds: 3, each: 80 },
      markbook: 4,
      logIn: { rounds: 3, each: 12 },
      startPage: 3,
      opening: 5,
      typingInLists: 3,
      typingSeconds: 5,
      floodSeconds: 6,
      live: { saves: 10, rounds: 3 },
      uploads: 100,
      restSeconds: 30,
      rebuild: { tests: 3, rounds: 3 },
      subscription: { events: 20_000, rounds: 3 },
      verify: { events: 20_000, rounds: 3 },
      backup: { events: 20_000, rounds: 3 },
      checks: { events: 20_000, seconds: 5 },
      takeOver: { rounds: 1 },
      large: { small: 1000, large: 50_000, rounds: 3 },
      largeSchool: { students: 3_102, sets: 241, rounds: 3 },
      asOf: { tests: 3, rounds: 1 },
      names: 20_000,
      students: { seconds: 15, rounds: 3, tests: 6 },
      reports: { rounds: 1, tests: 6 },
      history: { rounds: 1, tests: 6, large: { students: 2_000, saves: 1_000 } },
      marks: { sheets: 10, seconds: 10, mounts: 5, keys: 40, pastes: 3, pauses: 5 },
    }
  : {
      store: { rounds: 10, ms: 1000 },
      commands: { rounds: 10, ms: 1500 },
      upload: 9,
      calls: 1000,
      yearByCall: 3,
      strangers: { rounds: 5, each: 200 },
      markbook: 20,
      logIn: { rounds: 3, each: 14 },
      startPage: 7,
      opening: 15,
      typingInLists: 5,
      typingSeconds: 10,
      floodSeconds: 20,
      live: { saves: 20, rounds: 3 },
      uploads: 1000,
      restSeconds: 60,
      rebuild: { tests: 12, rounds: 5 },
      names: 100_000,
      students: { seconds: 60, rounds: 9, tests: 60 },
      reports: { rounds: 3, tests: 60 },
      history: { rounds: 5, tests: 60, large: { students: 45_000, saves: 18_000 } },
      marks: { sheets: 30, seconds: 60, mounts: 9, keys: 80, pastes: 9, pauses: 9 },
      subscription: { events: 100_000, rounds: 5 },
      verify: { events: 100_000, rounds: 7 },
      backup: { events: 1_000_000, rounds: 3 },
      checks: { events: 1_000_000, seconds: 60 },
      takeOver: { rounds: 5 },
      large: { small: 10_000, large: 1_000_000, rounds: 5 },
      largeSchool: { students: 31_022, sets: 2_410, rounds: 5 },
      asOf: { tests: 12, rounds: 3 },
    };

const measure = async (directory: string, postgres: PostgresServer): Promise<Figure[]> => {
  const databases: Databases = {
    async create(name) {
      await asSuperuser(postgres, `create database ${name} owner marktrail`);
      await migrate(postgres.ownerUrl(name));
      return postgres.ownerUrl(name);
    },
    superuserUrl: (name) => postgres.superuserUrl(name),
    async copy(from, to) {
      await asSuperuser(postgres, `create database ${to} owner marktrail template ${from}`);
      return postgres.ownerUrl(to);
    },
  };
  const figures: Figure[] = [];
  const chapter: RunChapter = async (name, work) => {
    if (!wanted(name)) return;
    tell(name);
    const { result, spent } = await spending(work);
    figures.push(...result.map((figure) => ({ ...figure, spent: figure.spent ?? spent })));
  };
  const log: Log = { databaseUrl: postgres.ownerUrl(), eventStoreUrl: options.log };
  if (options.log !== undefined) await requireEmpty(log);
  if (ofOneSchool.some(wanted) || options.log !== undefined) await measureSchool(log, directory, chapter);
  if (options.log !== undefined) {
    await chapter('rebuild', async () => {
      const figure = await rebuildFromLogFigure(log, directory, size.rebuild.rounds);
      hear(figure);
      return [figure];
    });
    // The goals are for a log in PostgreSQL.
    return figures.map((figure) => ({ ...figure, goal: null, met: null }));
  }
  /** One for each log, because a data directory belongs to one log. */
  type OwnDir = 'outage-of-database' | 'history-large' | 'replay' | 'history-of-record' | 'rebuild-of-record';
  const dataDir = (name: Chapter | OwnDir): string => {
    const path = join(directory, name);
    mkdirSync(path, { mode: 0o711 });
    return path;
  };
  await chapter('rebuild', async () => rebuildFigures(await databases.create('rebuild'), dataDir('rebuild'), size.rebuild));
  await chapter('names', async () => nameFigures(await databases.create('names'), dataDir('names'), size.names));
  await chapter('subscription', async () => [
    await subscriptionFigure(await databases.create('subscription'), dataDir('subscription'), size.subscription),
  ]);
  await chapter('as-of', async () => asOfFigures(await databases.create('as_of'), dataDir('as-of'), size.asOf));
  await chapter('verify', async () => verifyFigures(await databases.create('verify'), size.verify));
  await chapter('backup', async () => backupFigures(await databases.create('backup'), dataDir('backup'), size.backup));
  await chapter('checks', async () =>
    checkFigures(
      { databaseUrl: await databases.create('checks'), superuserUrl: databases.superuserUrl('checks'), dataDir: dataDir('checks') },
      size.checks,
    ),
  );
  await chapter('take-over', async () => takeOverFigures(await databases.create('take_over'), dataDir('take-over'), size.takeOver));
  await chapter('outage', async () =>
    outageFigures(
      { databaseUrl: await databases.create('outage_of_log'), dataDir: dataDir('outage') },
      { databaseUrl: await databases.create('outage'), dataDir: dataDir('outage-of-database') },
    ),
  );
  await chapter('administration', async () => administrationFigures(await databases.create('administration'), dataDir('administration')));
  await chapter('year-by-call', async () =>
    yearByCallFigures(await databases.create('year_by_call'), dataDir('year-by-call'), size.yearByCall),
  );
  await chapter('strangers', async () => strangersFigures(await databases.create('strangers'), dataDir('strangers'), size.strangers));
  await chapter('ranking', async () => rankingFigures(await databases.create('ranking'), dataDir('ranking')));
  await chapter('marks', async () => marksFigures(await databases.create('marks'), dataDir('marks'), size.marks));
  await chapter('analysis', async () => analysisFigures(await databases.create('analysis'), dataDir('analysis'), size.markbook));
  await chapter('students', async () => studentsFigures(await databases.create('students'), dataDir('students'), size.students));
  await chapter('reports', async () =>
    reportsFigures(await databases.create('reports'), dataDir('reports'), size.reports.rounds, size.reports.tests),
  );
  await chapter('history', async () => [
    ...(await historyFigures(await databases.create('history'), dataDir('history'), size.history)),
    ...(await largeMomentFigures(await databases.create('history_large'), dataDir('history-large'), size.history.large)),
    ...(await replayFigures(await databases.create('replay'), dataDir('replay'), size.reports.rounds, size.reports.tests)),
    ...(await recordFigures(
      {
        record: { databaseUrl: await databases.create('record'), dataDir: dataDir('history-of-record') },
        rebuild: { databaseUrl: await databases.create('record_rebuilt'), dataDir: dataDir('rebuild-of-record') },
      },
      { events: largerLog.large ?? size.large.large, rebuild: size.rebuild },
    )),
  ]);
  await chapter('large-school', async () =>
    largeSchoolFigures(await databases.create('large_school'), dataDir('large-school'), size.largeSchool),
  );
  await chapter('large', () => largeFigures(databases, dataDir('large'), { ...size.large, ...largerLog }, tell));
  return figures;
};

type RunChapter = (name: Chapter, work: () => Promise<readonly Figure[]>) => Promise<void>;

/** The chapters that need a school built by commands. */
const ofOneSchool: readonly Chapter[] = [
  'store',
  'markbook',
  'log-in',
  'start-page',
  'opening',
  'typing-in-lists',
  'commands',
  'typing',
  'beside-backup',
  'live',
  'flood',
  'upload',
  'memory',
  'rest',
  'calls',
];

/** Of these, those that open the product's pages before it is worked with. */
const inBrowser: readonly Chapter[] = ['start-page', 'opening', 'typing-in-lists'];

/** The chapters that need the running product. */
const ofAProduct: readonly Chapter[] = ['commands', 'typing', 'beside-backup', 'live', 'flood', 'upload', 'memory', 'rest', 'calls'];

const requireEmpty = async (log: Log): Promise<void> => {
  const store = await openLog(log);
  try {
    if ((await store.head()) > 0n) throw new StartError('The EventStoreDB of --log holds events: the benchmark needs an empty one.');
  } finally {
    await store.close();
  }
};

const measureSchool = async (log: Log, directory: string, chapter: RunChapter): Promise<void> => {
  const { databaseUrl, eventStoreUrl } = log;
  tell('building a school');
  await migrate(databaseUrl);
  await makeRawTable(databaseUrl);
  const school = await buildSchool(log, directory, {
    uploads: size.upload + 3,
    typing: 2 * (size.commands.rounds + 2) + 3,
    teachers: 32,
  });
  await chapter('store', () => storeFigures(log, size.store, hear));
  await chapter('markbook', async () => [await markbookFigure(databaseUrl, school, size.markbook)]);

  if (wanted('log-in') || inBrowser.some(wanted)) {
    const server = await startProduct(databaseUrl, directory, { apps: inBrowser.some(wanted) });
    await chapter('log-in', async () => [await logInFigure(server, school.leader, size.logIn)]);
    await chapter('start-page', () => startPageFigures(server, size.startPage));
    await chapter('opening', () => openingFigures(server, school, size.opening));
    await chapter('typing-in-lists', () => typingInListsFigures(server, school, size.typingInLists));
    await server.stop();
  }
  if (!ofAProduct.some(wanted)) return;
  const product = await startProduct(databaseUrl, directory, { eventStoreUrl, apps: wanted('live') });
  await chapter('calls', () => callsFigures(product, school, size.calls));
  const leader = await signIn(product.url, school.leader);
  await chapter('live', () => liveFigures({ product, pages: startPages(), databaseUrl }, school, size.live));
  if (wanted('commands') || wanted('typing') || wanted('beside-backup') || wanted('flood') || minutes !== undefined) {
    tell('32 teachers sign in');
    const cookies = await signInAll(product, school);
    const typing = { school, product, cookies, bare: await startBareServer(databaseUrl), generator: startGenerator() };
    await chapter('commands', () => commandFigures(typing, size.commands, hear));
    await chapter('typing', () => staffRoomFigures(typing, size.typingSeconds));
    await chapter('beside-backup', async () => [
      await besideBackupFigure(typing, { databaseUrl, dataDir: directory, rounds: size.backup.rounds }),
    ]);
    await chapter('flood', () => floodFigures(typing, { databaseUrl, seconds: size.floodSeconds }));
    if (minutes !== undefined) await chapter('memory', () => enduranceFigures(typing, { databaseUrl, minutes, tell }));
  }
  await chapter('upload', () => uploadFigures(databaseUrl, product, school, leader, size.upload));
  if (minutes === undefined) await chapter('memory', async () => [await memoryFigure(product, school, leader, size.uploads)]);
  await chapter('rest', () => restFigures(product, databaseUrl, school, size.restSeconds));
};

const asSuperuser = async (postgres: PostgresServer, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.superuserUrl() });
  await client.connect();
  await client.query(sql);
  await client.end();
};

const makeRawTable = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(RAW_TABLE);
  await client.end();
};

/** On standard error: only the table goes to standard output. */
const tell = (what: string): void => console.error(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${what}`);

const hear = (figure: Figure): void => {
  if (options.log !== undefined) console.log(lineOf(figure));
};

if (Number.isNaN(largerLog.large)) throw new Error(`--events is a number, not ${options.events}`);
if (Number.isNaN(minutes)) throw new Error(`--minutes is a number, not ${options.minutes}`);
const unknown = options.only?.find((name) => !chapters.some((chapter) => chapter === name));
if (unknown !== undefined) throw new Error(`There is no chapter ${unknown}: ${chapters.join(', ')}`);

/** As a shell says of a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

runUntilStopped(
  async ({ onEnd, end, stopping }) => {
    const directory = mkdtempSync(join(tmpdir(), 'marktrail-bench-'));
    chmodSync(directory, 0o711);
    onEnd(() => rmSync(directory, { recursive: true, force: true }));
    const postgres = await startPostgres({ directory });
    onEnd(async () => void (await postgres.stop()));
    onEnd(closeBrowsers);
    onEnd(endProcesses);
    const interrupted = new Promise<undefined>((resolve) => stopping.addEventListener('abort', () => resolve(undefined)));
    // What is being measured then is given up; it fails when the processes below it end.
    const figures = stopping.aborted ? undefined : await Promise.race([measure(directory, postgres), interrupted]);
    if (figures === undefined) return;
    tell('done');
    console.log(tableOf(figures));
    for (const line of leftOut()) console.log(line);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
    void end(0);
  },
  { interrupted: INTERRUPTED },
);
