/**
 * Encryption of the personal parts of events: AES-256-GCM under the person's key. Event id, type, person and place in the schema are
 * authenticated as well, so that a ciphertext cannot be moved to another event, person or field.
 *
 * Text form: base64url of version (1 byte, 1) | nonce (12) | ciphertext | authentication tag (16).
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';

/** What a ciphertext is bound to. `place`: the path of the part in the schema, such as `rows[].person`. */
export type SealedContext = { readonly eventId: string; readonly type: string; readonly person: string; readonly place: string };

/** The ciphertext is not what was sealed for this event, person and place under this key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly context: SealedContext;
  constructor(context: SealedContext, reason: string) {
    super(`the sealed part ${context.place} of event ${context.eventId} (${context.type}) cannot be opened: ${reason}`);
    this.context = context;
  }
}

export const seal = (key: KeyObject, context: SealedContext, text: string): string =>
  encrypt(key, associated(context), Buffer.from(text, 'utf8')).toString('base64url');

/** @throws SealBroken */
export const open = (key: KeyObject, context: SealedContext, sealed: string): string => {
  try {
    return decrypt(key, associated(context), Buffer.from(sealed, 'base64url')).toString('utf8');
  } catch (error) {
    throw new SealBroken(context, error instanceof Error ? error.message : String(error));
  }
};

const associated = ({ eventId, type, person, place }: SealedContext): string => `${eventId} ${type} ${person} ${place}`;

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_END = 13;
const TAG_BYTES = 16;

/** Random nonces are safe here: a person's key seals far fewer than 2^32 texts. */
export const encrypt = (key: KeyObject, associatedData: string, plain: Buffer): Buffer => {
  const sealed = Buffer.allocUnsafe(NONCE_END + plain.length + TAG_BYTES);
  sealed[0] = VERSION;
  nextNonce().copy(sealed, 1);
  const cipher = createCipheriv(CIPHER, key, sealed.subarray(1, NONCE_END));
  cipher.setAAD(Buffer.from(associatedData, 'utf8'));
  cipher.update(plain).copy(sealed, NONCE_END);
  cipher.final();
  cipher.getAuthTag().copy(sealed, NONCE_END + plain.length);
  return sealed;
};

/** @throws Error when it is of an unknown version, cut off, changed, or sealed with other associated data or another key */
export const decrypt = (key: KeyObject, associatedData: string, sealed: Buffer): Buffer => {
  if (sealed[0] !== VERSION) throw new Error('unknown version of the seal');
  const end = sealed.length - TAG_BYTES;
  if (end < NONCE_END) throw new Error('too short');
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, NONCE_END), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData, 'utf8'));
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(NONCE_END, end));
  decipher.final();
  return plain;
};

/** Random bytes for many nonces are drawn at once, which is faster; each nonce is used once. */
const pool = Buffer.alloc(12 * 512);
let used = pool.length;

const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 12;
  return pool.subarray(used - 12, used);
};
