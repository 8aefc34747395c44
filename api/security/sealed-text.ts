import { createHash } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { managedNonce } from '@noble/ciphers/utils.js';

/** Text that the server reads again, for the database: XChaCha20-Poly1305 under the hash of a secret, in hexadecimal, its nonce first. */
export class SealedText {
  readonly #cipher: ReturnType<ReturnType<typeof managedNonce<typeof xchacha20poly1305>>>;

  constructor(secret: string) {
    this.#cipher = managedNonce(xchacha20poly1305)(createHash('sha256').update(secret).digest());
  }

  seal(text: string): string {
    return Buffer.from(this.#cipher.encrypt(Buffer.from(text))).toString('hex');
  }

  /** @throws if it was sealed with another secret, or changed since */
  open(sealed: string): string {
    return Buffer.from(this.#cipher.decrypt(Buffer.from(sealed, 'hex'))).toString();
  }
}
