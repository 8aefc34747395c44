import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { type Forgetting, Forgettings } from '../../events/codec/forgettings.ts';
import { signingKey } from '../../events/proof/head.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { fileSource } from '../../events/transfer/file.ts';
import { runningSessions } from '../../events/transfer/postgres.ts';
import { OPERATOR_TABLES } from '../../projections/engine/building/bookkeeping.ts';
import { openBackend } from '../backend.ts';
import { openArchive, type Archive } from '../backup/archive.ts';
import { fingerprintOf, FORGETTINGS_PART, LOG_PART, secretKeysOf } from '../backup/backup.ts';
import { copyIn } from '../backup/copy.ts';
import { beginRestoring, endRestoring, isRestoring } from '../backup/restoring.ts';
import { openKeys, type SecretKeys } from '../backup/sealed-keys.ts';
import { goOnNumbering, SCHEMAS, storedTables } from '../backup/tables.ts';
import type { Command, CommandContext } from '../command.ts';
import { migrate } from '../database/database.ts';
import { readerUrlOf } from '../database/reader-log-in.ts';
import { targetAt } from '../log/log-locations.ts';
import { requireSameLog } from '../log/log-origin.ts';
import { openLog } from '../log/log.ts';
import { forTheUser, megabytes, teller } from '../log/transfer.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';
import { parseArguments, wrongUsage } from './arguments.ts';
import { acceptTheLog } from './log-accept.ts';
import { verifyTheLog } from './log-verify.ts';
import { comparedWithTheLog } from './projections.ts';

/** Makes a backup an installation again, in a place where there is none. */
export const restore: Command = {
  usage: 'FILE [--forgettings FILE] [--at TIME]',
  about:
    'Restores a backup into an empty installation; forgets again who is in FILE, your newest forgettings.ndjson; --at: only up to a moment.',
  async run(context) {
    const { path, at, forgettingsFile } = optionsIn(context.args);
    const archive = await openArchive(path);
    // All of this before anything is changed.
    await archive.check();
    requireSamePlace(archive, context.settings);
    const keys = await keysFor(archive, context.settings);
    if (at !== undefined) requireForCut(archive, { ...(await secretKeysOf(context.settings)), ...keys });
    const forgettings = forgettingsFile === undefined ? [] : await forgettingsIn(forgettingsFile);
    const databaseUrl = await context.database({ toRestore: true });
    const here = { ...context, database: async () => databaseUrl };
    await forTheUser(async () => {
      await withClient(databaseUrl, async (client) => {
        await requireNobody(client, databaseUrl);
        await migrated(context.settings, databaseUrl);
        await requireEmpty(client, here, databaseUrl);
        await requireKnownTables(client, archive);
        await beginRestoring(client, SCHEMAS);
        await storeKeys(context.settings, keys);
        await fillTables(client, archive, context.settings, databaseUrl);
        await fillLog(archive, here);
        if (at !== undefined) await cutAfter(client, at);
      });
      await forgetAgain(archive, context.settings, forgettings);
      await goOn(archive, here, { path, at, databaseUrl });
    }, 'Run the same command again.');
  },
};

type Place = { readonly path: string; readonly at: string | undefined; readonly databaseUrl: string };

/** From here on it is the way of every start, with a sentence for each step. */
const goOn = async (archive: Archive, context: CommandContext, { path, at, databaseUrl }: Place): Promise<void> => {
  const { settings } = context;
  console.log(`${path} was whole: all of ${archive.manifest.at}, with ${archive.manifest.events} events, is back.`);
  if (at !== undefined) {
    console.log(`What was stored after ${at} was left out, and that is recorded:`);
    await acceptTheLog.run({ ...context, args: ['--reason', `Restored up to ${at}`] });
  }
  const mismatch = await refusalOf(() => verifyTheLog.run({ ...context, args: [] }));
  const backend = await openBackend({
    ...settings,
    role: 'all',
    databaseUrl,
    readerDatabaseUrl: readerUrlOf(settings),
    tell: (line) => console.log(line),
  });
  await backend.close();
  const comparisons = await comparedWithTheLog(context);
  const rows = comparisons.reduce((sum, one) => sum + one.rows.shown, 0);
  const differences = comparisons.reduce((sum, one) => sum + one.differences, 0);
  await requireSameLog(settings, databaseUrl);
  await withClient(databaseUrl, endRestoring);
  console.log(`The read models were filled from the log and compared with it: ${rows} rows, ${differences} differences.`);
  console.log('All sessions have ended: everybody logs in again. Mails that waited then are sent after the start.');
  const { signing } = await secretKeysOf(settings);
  if (signing === undefined) console.log('There is no signing key here: put signing.key into DATA_DIR, or nothing more is signed.');
  if (mismatch !== undefined) throw new StartError(`Restored, but: ${mismatch}`);
  if (differences > 0) throw new StartError('Restored, but read models differ from the log: npm run marktrail -- projections compare all');
  console.log('Start it: npm start');
};

const refusalOf = async (work: () => Promise<void>): Promise<string | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
};

const requireSamePlace = ({ manifest }: Archive, { eventStoreUrl }: Settings): void => {
  const here = eventStoreUrl === undefined ? 'PostgreSQL' : 'EventStoreDB';
  if (manifest.log !== here)
    throw new StartError(
      `The log of this backup was in ${manifest.log === 'PostgreSQL' ? 'PostgreSQL: unset EVENTSTORE_URL' : 'an EventStoreDB: set EVENTSTORE_URL to an empty one'}, restore it, and move it afterwards (log copy). Nothing was changed.`,
    );
};

/** The keys that are missing here and are in the archive. @throws StartError */
const keysFor = async ({ manifest }: Archive, settings: Settings): Promise<SecretKeys> => {
  const here = await secretKeysOf(settings);
  const { masterKey, signingKey: signed, keys } = manifest;
  if (here.master !== undefined && masterKey !== null && fingerprintOf(here.master) !== masterKey)
    throw new StartError(
      'The master key here is another than that of the backup (MASTER_KEY, or master.key in DATA_DIR). Nothing was changed.',
    );
  if (here.signing !== undefined && signed !== null && keyIdOf(here.signing) !== signed)
    throw new StartError(
      'The signing key here is another than that of the backup (SIGNING_KEY, or signing.key in DATA_DIR). Nothing was changed.',
    );
  const isMissing = masterKey !== null && here.master === undefined;
  if (keys === null) {
    if (!isMissing) return {};
    throw new StartError(
      'The keys are not in this backup: put master.key and signing.key of that time into DATA_DIR (or set MASTER_KEY and SIGNING_KEY). Nothing was changed.',
    );
  }
  const { backupPassphrase } = settings;
  if (backupPassphrase === undefined) {
    if (!isMissing) return {};
    throw new StartError('The keys are in this backup under a passphrase: set BACKUP_PASSPHRASE. Nothing was changed.');
  }
  const opened = openKeys(keys, backupPassphrase);
  if (!opened) throw new StartError('BACKUP_PASSPHRASE is not the passphrase of this backup. Nothing was changed.');
  return {
    ...(here.master === undefined && opened.master !== undefined && { master: opened.master }),
    ...(here.signing === undefined && opened.signing !== undefined && { signing: opened.signing }),
  };
};

const keyIdOf = (signing: string): string => signingKey(Buffer.from(signing, 'base64')).keyId;

const storeKeys = async ({ dataDir }: Settings, { master, signing }: SecretKeys): Promise<void> => {
  await mkdir(dataDir, { recursive: true });
  const store = (name: string, key: string) => writeFile(join(dataDir, name), `${key}\n`, { mode: 0o600, flush: true });
  if (master !== undefined) await store('master.key', master);
  if (signing !== undefined) await store('signing.key', signing);
};

const requireNobody = async (client: pg.Client, databaseUrl: string): Promise<void> => {
  if ((await runningSessions(databaseUrl)) > 0) throw new StartError('A Marktrail is running here: stop it first. Nothing was changed.');
  const { rows } = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(hashtextextended('marktrail restore', 0)) as alone`);
  if (rows[0]?.alone !== true) throw new StartError('Another restore is going on here. Nothing was changed.');
};

const requireEmpty = async (client: pg.Client, { settings }: CommandContext, databaseUrl: string): Promise<void> => {
  if (await isRestoring(client)) return;
  const log = await openLog({ ...settings, databaseUrl });
  try {
    const found = await client.query(
      `select from identity."user" union all select from keys.person_keys union all select from proof.heads limit 1`,
    );
    if (found.rows.length > 0 || (await log.head()) > 0n)
      throw new StartError(
        'There is data here: restore into an empty installation, with another DATA_DIR or database. Nothing was changed.',
      );
  } finally {
    await log.close();
  }
};

/** A table or column that is not known here. @throws StartError */
const requireKnownTables = async (client: pg.Client, { manifest }: Archive): Promise<void> => {
  await client.query(OPERATOR_TABLES);
  const known = new Map((await storedTables(client)).map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of manifest.parts)
    if (columns?.some((column) => known.get(name)?.has(column) !== true) === true)
      throw new StartError(
        `This backup was made by a newer Marktrail (${name} is other there): update this one first. Nothing was changed.`,
      );
};

const migrated = ({ eventStoreUrl }: Settings, databaseUrl: string): Promise<void> =>
  migrate(databaseUrl, { log: eventStoreUrl === undefined });

const fillTables = async (client: pg.Client, archive: Archive, settings: Settings, databaseUrl: string): Promise<void> => {
  await migrated(settings, databaseUrl);
  await client.query(OPERATOR_TABLES);
  const tell = megabytes('restored');
  for (const part of archive.manifest.parts) {
    if (!part.columns) continue;
    // What a migration has put there is in the backup, too.
    await client.query(`delete from ${part.name}`);
    await copyIn(client, `copy ${part.name} (${part.columns.join(', ')}) from stdin`, told(archive.contents(part), tell));
  }
  await goOnNumbering(client);
  // What an older Marktrail has left to be brought up to date.
  await migrated(settings, databaseUrl);
  await client.query('analyze');
};

async function* told(chunks: AsyncIterable<Buffer>, tell: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    tell(chunk.length);
    yield chunk;
  }
}

/** In an EventStoreDB. */
const fillLog = async (archive: Archive, context: CommandContext): Promise<void> => {
  await withFileOf(archive, LOG_PART, async (path) => {
    const target = await targetAt('here', context);
    try {
      await copyLog(fileSource(path), target, { signal: context.stopping, onProgress: teller() });
    } finally {
      await target.close?.();
    }
  });
};

/** @throws StartError */
const requireForCut = ({ manifest }: Archive, { signing }: SecretKeys): void => {
  if (manifest.log !== 'PostgreSQL') throw new StartError('--at is for a log in PostgreSQL. Nothing was changed.');
  if (manifest.signingKey !== null && signing === undefined)
    throw new StartError(
      '--at needs the signing key, by which the shorter log is accepted: put signing.key into DATA_DIR. Nothing was changed.',
    );
};

/** An event happened no later than any after it: so up to the last one that happened by then. */
const cutAfter = (client: pg.Client, at: string): Promise<unknown> =>
  client.query(
    `delete from log.events
      where position > coalesce((select max(position) from log.events where (metadata ->> 'at')::timestamptz <= $1), 0)`,
    [at],
  );

const forgetAgain = async (archive: Archive, { forgettingsFile }: Settings, newest: readonly Forgetting[]): Promise<void> => {
  const forgettings = await Forgettings.open(forgettingsFile);
  await withFileOf(archive, FORGETTINGS_PART, async (path) => forgettings.add((await Forgettings.open(path)).all()));
  await forgettings.add(newest);
};

/** @throws StartError */
const forgettingsIn = async (path: string): Promise<readonly Forgetting[]> => {
  if (!existsSync(path))
    throw new StartError(`There is no file ${path}: where nobody was ever forgotten, leave out --forgettings. Nothing was changed.`);
  return (await Forgettings.open(path)).all();
};

/** A part as a file of its own; nothing, if it is not in the archive. */
const withFileOf = async (archive: Archive, name: string, work: (path: string) => Promise<void>): Promise<void> => {
  const part = archive.manifest.parts.find((one) => one.name === name);
  if (!part) return;
  const directory = await mkdtemp(join(tmpdir(), 'marktrail-restore-'));
  try {
    const path = join(directory, name);
    await pipeline(archive.contents(part), createWriteStream(path, { mode: 0o600 }));
    await work(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const optionsIn = (args: readonly string[]): { path: string; at: string | undefined; forgettingsFile: string | undefined } => {
  const { values, positionals } = parseArguments('restore', restore, {
    args: [...args],
    options: { forgettings: { type: 'string' }, at: { type: 'string' } },
    allowPositionals: true,
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw wrongUsage('restore', restore);
  if (values.at !== undefined && Number.isNaN(Date.parse(values.at)))
    throw new StartError(`--at ${values.at} is no time: write it like 2026-11-28T09:30Z. Nothing was changed.`);
  return { path, at: values.at === undefined ? undefined : new Date(values.at).toISOString(), forgettingsFile: values.forgettings };
};
