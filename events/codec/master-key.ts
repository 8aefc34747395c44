/** The master key, which wraps all others: from a setting, or made once in the data directory. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { keyBytes, keyFile, makeKeyFile, SecretKeyError } from './key-file.ts';

/** The process must not start: the message is one line that says what to do. */
export class MasterKeyError extends SecretKeyError {
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
 * @throws SecretKeyError when it is malformed; MasterKeyError when it is not the one that the stored keys were made with
 */
export const openMasterKey = async ({ pool, dataDir, masterKey }: MasterKeyOptions): Promise<KeyObject> => {
  const file = join(dataDir, 'master.key');
  const source = masterKey === undefined ? file : 'MASTER_KEY';
  // In this order, because the file is written before the fingerprint is stored.
  const used = (await storedFingerprint(pool)) !== undefined;
  const text = masterKey ?? (await keyFile(file));
  if (text === undefined && used) {
    throw new MasterKeyError(`This database holds keys, but ${file} with their master key is missing: put it back, or set MASTER_KEY.`);
  }
  const key = createSecretKey(keyBytes(text ?? (await makeKeyFile(file)), source));
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

/** Distinguishes master keys without revealing anything about them. */
export const fingerprint = (key: KeyObject): Buffer => createHmac('sha256', key).update('marktrail master key').digest().subarray(0, 16);
