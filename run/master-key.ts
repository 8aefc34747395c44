import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeKey, type Settings } from './settings.ts';
import { StartError } from './start-error.ts';

/**
 * The key that wraps every person's key: MASTER_KEY, else the one in DATA_DIR/master.key, made once and readable by us
 * alone. `keysExist`: whether the database holds keys already; then none is made, because a new one opens none of them.
 * Error: StartError when there are keys and the master key is gone.
 */
export async function masterKey(settings: Settings, keysExist: () => Promise<boolean>): Promise<Uint8Array> {
  if (settings.masterKey) return settings.masterKey;
  const file = join(settings.dataDir, 'master.key');
  if (existsSync(file)) {
    const key = decodeKey(readFileSync(file, 'utf8').trim());
    if (key) return key;
    throw new StartError(`${file} does not hold a master key: put it back from a backup.`);
  }
  if (await keysExist()) {
    throw new StartError(
      `The database holds encrypted names, and their master key is missing: put ${file} back from a backup, or set MASTER_KEY.`,
    );
  }
  const key = randomBytes(32);
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  return new Uint8Array(key);
}
