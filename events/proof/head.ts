/**
 * Signed heads of a school's tree: each fixes the log up to a size, so that later changes before it can be detected.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { id } from '../fields.ts';
import { keyBytes, keyFile, makeKeyFile } from '../codec/key-file.ts';
import type { Hash } from './tree.ts';

export type Head = {
  readonly school: string;
  /** events of the school */
  readonly size: number;
  readonly root: Hash;
  /** ISO instant, UTC: when it was signed */
  readonly at: string;
  /** Present if an operator has accepted the log although it does not match earlier heads. */
  readonly accepted?: Acceptance | undefined;
};

/** Earlier heads up to `keeps` events stay valid; beyond, those with a smaller number than this one are given up. */
export type Acceptance = { readonly keeps: number; readonly by: string; readonly reason: string };

const sha256 = z.hex().length(64);
const oneLine = z.string().regex(/^[^\n]+$/);

/** As in a line of the exported file. */
export const signedHead = z.object({
  /** of all heads of an installation, from 1 */
  number: z.int().positive(),
  school: id,
  /** 0 only if a log was accepted that holds nothing of the school */
  size: z.int().nonnegative(),
  root: sha256,
  at: z.iso.datetime(),
  /** `by` and `reason` are one line each */
  accepted: z.strictObject({ keeps: z.int().nonnegative(), by: oneLine, reason: oneLine }).optional(),
  /** first 16 digits of the SHA-256 of the public key's 32 bytes */
  keyId: z.hex().length(16),
  /** Ed25519, 32 bytes in base64url */
  publicKey: z.base64url().length(43),
  /** 64 bytes in base64url */
  signature: z.base64url().length(86),
});
export type SignedHead = z.infer<typeof signedHead>;
export type Signature = Pick<SignedHead, 'keyId' | 'publicKey' | 'signature'>;

export type SigningKey = { readonly keyId: string; sign(head: Head): Signature };

/**
 * The signing key: from a setting (its 32 bytes in base64 or hex), or `signing.key` in the data directory, generated if missing.
 *
 * @throws SecretKeyError
 */
export const openSigningKey = async (dataDir: string, given?: string): Promise<SigningKey> =>
  (await findSigningKey(dataDir, given)) ?? signingKey(keyBytes(await makeKeyFile(fileIn(dataDir)), fileIn(dataDir)));

/** The same without generating one: undefined if there is none. @throws SecretKeyError */
export const findSigningKey = async (dataDir: string, given?: string): Promise<SigningKey | undefined> => {
  const text = given ?? (await keyFile(fileIn(dataDir)));
  return text === undefined ? undefined : signingKey(keyBytes(text, given === undefined ? fileIn(dataDir) : 'SIGNING_KEY'));
};

const fileIn = (dataDir: string): string => join(dataDir, 'signing.key');

/** @param seed the 32 bytes of RFC 8032 */
export const signingKey = (seed: Buffer): SigningKey => {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const raw = rawPublicKey(createPublicKey(secret));
  const keyId = idOf(raw);
  const publicKey = raw.toString('base64url');
  return { keyId, sign: (head) => ({ keyId, publicKey, signature: sign(null, textOf(head), secret).toString('base64url') }) };
};

/** Whether the head's signature, key and key id match. Whether the key can be trusted is a separate question. */
export const isGenuine = (head: SignedHead): boolean => {
  const raw = Buffer.from(head.publicKey, 'base64url');
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, raw]), format: 'der', type: 'spki' });
  return idOf(raw) === head.keyId && verify(null, textOf(head), key, Buffer.from(head.signature, 'base64url'));
};

/** What is signed: five lines, each ended by a line feed; three more if a log was accepted. */
const textOf = ({ school, size, root, at, accepted }: Head): Buffer => {
  const lines = accepted
    ? ['marktrail head 2', school, size, root, at, accepted.keeps, accepted.by, accepted.reason]
    : ['marktrail head 1', school, size, root, at];
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
};

/** The heads that no later acceptance has given up. */
export const headsInForce = <Signed extends Pick<SignedHead, 'number' | 'school' | 'size' | 'accepted'>>(
  heads: readonly Signed[],
): Signed[] => {
  const acts = Map.groupBy(
    heads.filter(({ accepted }) => accepted !== undefined),
    ({ school }) => school,
  );
  const givenUpBy = (head: Signed, act: Signed): boolean => head.number < act.number && head.size > (act.accepted?.keeps ?? Infinity);
  return heads.filter((head) => !(acts.get(head.school) ?? []).some((act) => givenUpBy(head, act)));
};

const idOf = (rawKey: Buffer): string => createHash('sha256').update(rawKey).digest('hex').slice(0, 16);

/** What DER puts before the 32 bytes of a private and of a public key (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

const rawPublicKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(SPKI_ED25519.length);
