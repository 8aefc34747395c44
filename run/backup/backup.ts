import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type pg from 'pg';
import { keyBytes, keyFile } from '../../events/codec/key-file.ts';
import { fingerprint } from '../../events/codec/master-key.ts';
import { signingKey } from '../../events/proof/head.ts';
import { lockNamed, migration } from '../../events/store/postgres/migration.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { streamTarget } from '../../events/transfer/file.ts';
import type { CommandContext } from '../command.ts';
import { sourceAt } from '../log/log-locations.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';
import { type Archive, ArchiveWriter } from './archive.ts';
import { copyOut } from './copy.ts';
import { sealKeys, type SecretKeys } from './sealed-keys.ts';
import { type StoredTable, storedTables } from './tables.ts';

export const migrateBackups = migration(lockNamed('backups'), new URL('backups.sql', import.meta.url));

export type BackupOptions = Pick<CommandContext, 'settings' | 'stopping'> & {
  readonly databaseUrl: string;
  readonly path: string;
  readonly onProgress?: (rows: number) => void;
};

/** The parts that are no tables. */
export const LOG_PART = 'log.ndjson';
export const FORGETTINGS_PART = 'forgettings.ndjson';

/**
 * Writes all of an installation into one file while it runs, and reads it back. With the log in PostgreSQL everything is as it was at one
 * moment. Otherwise it is read in the order in which nothing lacks what it needs: the heads first, which the log must reach, then the log, then
 * the rest, with the keys, each of which was there before its first event.
 *
 * @throws StartError
 */
export const makeBackup = async ({ settings, databaseUrl, path, onProgress, stopping }: BackupOptions): Promise<Archive> => {
  const isInEventStore = settings.eventStoreUrl !== undefined;
  const keys = await secretKeysOf(settings);
  const { backupPassphrase } = settings;
  if (backupPassphrase !== undefined && keys.master === undefined)
    throw new StartError(
      `There is no master key in ${settings.dataDir} to put into the backup: set MASTER_KEY, or DATA_DIR to its directory.`,
    );
  const archive = await ArchiveWriter.create(path);
  try {
    const at = new Date().toISOString();
    const add = async (tables: readonly StoredTable[], client: pg.Client): Promise<void> => {
      for (const { name, columns } of tables) {
        stopping.throwIfAborted();
        await archive.add(name, counted(copyOut(client, `copy ${name} (${columns.join(', ')}) to stdout`), stopping, onProgress), columns);
      }
    };
    const isHead = ({ name }: StoredTable): boolean => name.startsWith('proof.');
    let events = 0;
    if (isInEventStore) {
      await atOneMoment(databaseUrl, async (client, tables) => add(tables.filter(isHead), client));
      events = await addLog(archive, { settings, databaseUrl, stopping });
    }
    const fingerprintOfKeys = await atOneMoment(databaseUrl, async (client, tables) => {
      const isLog = ({ name }: StoredTable): boolean => name.startsWith('log.');
      await add(isInEventStore ? tables.filter((table) => !isHead(table) && !isLog(table)) : tables, client);
      if (!isInEventStore)
        events = (await client.query<{ count: number }>('select count(*)::float8 as count from log.events')).rows[0]?.count ?? 0;
      return (await client.query<{ hex: string }>(`select encode(fingerprint, 'hex') as hex from keys.master_key`)).rows[0]?.hex;
    });
    // After the keys: whoever was forgotten meanwhile is in it.
    await archive.add(FORGETTINGS_PART, Readable.from([await readFile(settings.forgettingsFile).catch(() => Buffer.alloc(0))]));
    const made = await archive.finish({
      at,
      log: isInEventStore ? 'EventStoreDB' : 'PostgreSQL',
      events,
      masterKey: fingerprintOfKeys ?? null,
      signingKey: keys.signing === undefined ? null : signingKey(Buffer.from(keys.signing, 'base64')).keyId,
      keys: backupPassphrase === undefined ? null : sealKeys(keys, backupPassphrase),
    });
    await withClient(databaseUrl, (client) =>
      client.query('insert into operations.backups (at, place, bytes, events) values ($1, $2, $3, $4)', [
        at,
        resolve(path),
        made.bytes,
        events,
      ]),
    );
    return made;
  } catch (error) {
    await archive.discard();
    throw error;
  }
};

/** The keys in use, from settings or the data directory. @throws SecretKeyError */
export const secretKeysOf = async ({ dataDir, ...given }: Pick<Settings, 'dataDir' | 'masterKey' | 'signingKey'>): Promise<SecretKeys> => {
  const read = async (text: string | undefined, name: string): Promise<string | undefined> => {
    const found = text ?? (await keyFile(join(dataDir, name)));
    return found === undefined ? undefined : keyBytes(found, text === undefined ? join(dataDir, name) : name).toString('base64');
  };
  const master = await read(given.masterKey, 'master.key');
  const signing = await read(given.signingKey, 'signing.key');
  return { ...(master !== undefined && { master }), ...(signing !== undefined && { signing }) };
};

/** Of the master key, as in the manifest. */
export const fingerprintOf = (master: string): string => fingerprint(secretKey(master)).toString('hex');

const secretKey = (base64: string): KeyObject => createSecretKey(Buffer.from(base64, 'base64'));

const atOneMoment = <Result>(
  databaseUrl: string,
  work: (client: pg.Client, tables: readonly StoredTable[]) => Promise<Result>,
): Promise<Result> =>
  withClient({ connectionString: databaseUrl, application_name: 'marktrail transfer', connectionTimeoutMillis: 10_000 }, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    return work(client, await storedTables(client));
  });

const addLog = async (
  archive: ArchiveWriter,
  { settings, databaseUrl, stopping }: Pick<BackupOptions, 'settings' | 'databaseUrl' | 'stopping'>,
): Promise<number> => {
  const source = await sourceAt('here', { args: [], settings, database: async () => databaseUrl, stopping });
  const lines = new PassThrough();
  try {
    const [{ events }] = await Promise.all([
      copyLog(source, streamTarget(lines, LOG_PART), { signal: stopping })
        .then((copied) => (lines.end(), copied))
        .catch((error: unknown) => {
          lines.destroy(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }),
      archive.add(LOG_PART, lines),
    ]);
    return events;
  } finally {
    await source.close?.();
  }
};

async function* counted(
  chunks: AsyncIterable<Buffer>,
  stopping: AbortSignal,
  onProgress: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    stopping.throwIfAborted();
    onProgress(chunk.length);
    yield chunk;
  }
}
