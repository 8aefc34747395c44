/** A secret key of 32 bytes in a file of the data directory, or in a setting. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The process must not start: the message is one line that says what to do. */
export class SecretKeyError extends Error {
  override readonly name: string = 'SecretKeyError';
}

/**
 * The bytes of a key in base64, base64url or hex.
 *
 * @param source where it comes from, for the message
 * @throws SecretKeyError
 */
export const keyBytes = (text: string, source: string): Buffer => {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== 32 || !/^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(trimmed)) {
    throw new SecretKeyError(`${source} must hold 32 bytes in base64 or hex.`);
  }
  return bytes;
};

/** The content of the file; undefined: there is no file. @throws SecretKeyError if it cannot be read */
export const keyFile = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new SecretKeyError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/**
 * Writes a new key, readable by its owner only, and returns the content of the file: creating the link fails if another process was faster,
 * and nobody ever reads half a key.
 */
export const makeKeyFile = async (file: string): Promise<string> => {
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

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
