/** The master key, which wraps all others: from a setting, or made once in the data directory. */
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Pool } from 'pg';

/** The process must not start: the message is one line that says what to do. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

export type MasterKeyOptions = {
  readonly pool: Pool;
  readonly dataDir: string;
  /** 32 bytes in base64, base64url or hex; without it, `master.key` in `dataDir`, which is made when there are no keys yet */
  readonly masterKey?: string | undefined;
};

/**
 * The master key of the keys in this database (`migrateKeys` has run).
 *
 * @throws MasterKeyError when it is malformed, or not the one that the stored keys were made with
 */
export const openMasterKey = async ({ pool, dataDir, masterKey }: MasterKeyOptions): Promise<KeyObject> => {
  const file = join(dataDir, 'master.key');
  const source = masterKey === undefined ? file : 'MASTER_KEY';
  // In this order: whoever stored a fingerprint had written the file before.
  const used = (await storedFingerprint(pool)) !== undefined;
  const given = masterKey ?? (await contents(file));
  if (given === undefined && used) {
    throw new MasterKeyError(`This database holds keys, but ${file} with their master key is missing: put it back, or set MASTER_KEY.`);
  }
  const key = createSecretKey(parse(given ?? (await make(file)), source));
  const mine = fingerprint(key);
  await pool.query('insert into keys.master_key (fingerprint) values ($1) on conflict do nothing', [mine]);
  const stored = await storedFingerprint(pool);
  if (stored === undefined || stored.length !== mine.length || !timingSafeEqual(stored, mine)) {
    throw new MasterKeyError(`The keys in this database were made with another master key than the one in ${source}.`);
  }
  return key;
};

const storedFingerprint = async (pool: Pool): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ fingerprint: Buffer }>('select fingerprint from keys.master_key');
  return rows[0]?.fingerprint;
};

/** Tells master keys apart and gives nothing away about them. */
const fingerprint = (key: KeyObject): Buffer => createHmac('sha256', key).update('marktrail master key').digest().subarray(0, 16);

const parse = (text: string, source: string): Buffer => {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== 32 || !/^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(trimmed)) {
    throw new MasterKeyError(`${source} must hold 32 bytes in base64 or hex.`);
  }
  return bytes;
};

/**
 * Writes a new key for its owner's eyes only, and answers what the file then holds: the link fails where another process was first,
 * and nobody ever reads half a key.
 */
const make = async (file: string): Promise<string> => {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await unlink(draft);
  }
  return await readFile(file, 'utf8');
};

const contents = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new MasterKeyError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
