/** Master and signing key of an installation under a passphrase: AES-256-GCM with a key that scrypt makes of it. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import type { Manifest } from './archive.ts';

/** In base64; undefined: there is none. */
export type SecretKeys = z.infer<typeof secretKeys>;
const secretKeys = z.object({ master: z.string().exactOptional(), signing: z.string().exactOptional() });

export const sealKeys = (keys: SecretKeys, passphrase: string): NonNullable<Manifest['keys']> => {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(keys)), cipher.final(), cipher.getAuthTag()]);
  return { salt: salt.toString('base64'), nonce: nonce.toString('base64'), sealed: sealed.toString('base64') };
};

/** Undefined: the passphrase is another one. */
export const openKeys = ({ salt, nonce, sealed }: NonNullable<Manifest['keys']>, passphrase: string): SecretKeys | undefined => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, Buffer.from(salt, 'base64')), Buffer.from(nonce, 'base64'));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return secretKeys.parse(JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString()));
  } catch {
    return undefined;
  }
};

/** Takes a quarter of a second and 64 MB, so that guessing is dear. */
const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize('NFC'), salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 });
const TAG_BYTES = 16;
