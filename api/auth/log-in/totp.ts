import { createHmac, timingSafeEqual } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Pool } from 'pg';
import type { identityLibrary } from '../identity/library.ts';

const STEP_MS = 30_000;
/** In steps before and after now: the same as the library's. */
const WINDOW = 1;

/** Codes of authenticators, each of which is good once. The library checks the code as well, and counts wrong ones. */
export class TotpCodes {
  readonly #pool: Pool;
  readonly #auth: ReturnType<typeof identityLibrary>;

  constructor(pool: Pool, auth: ReturnType<typeof identityLibrary>) {
    this.#pool = pool;
    this.#auth = auth;
  }

  /** Whether this user has an authenticator, or is about to have one. */
  async has(userId: string): Promise<boolean> {
    const { rows } = await this.#pool.query(`select from identity."twoFactor" where "userId" = $1`, [userId]);
    return rows.length > 0;
  }

  /**
   * Uses up a right code of this user. False: this code or a later one was used before, perhaps by somebody who saw it. A wrong code is left
   * to the library.
   */
  async take(userId: string, code: string): Promise<boolean> {
    const { rows } = await this.#pool.query<{ id: string; secret: string }>(
      `select id, secret from identity."twoFactor" where "userId" = $1`,
      [userId],
    );
    const [known] = rows;
    if (!known) return true;
    const { secretConfig } = await this.#auth.$context;
    const step = stepOf(code, await symmetricDecrypt({ key: secretConfig, data: known.secret }));
    if (step === undefined) return true;
    const { rowCount } = await this.#pool.query(
      `update identity."twoFactor" set "lastStep" = $2 where id = $1 and ("lastStep" is null or "lastStep" < $2)`,
      [known.id, step],
    );
    return rowCount === 1;
  }

  /** After a new secret: none of its codes was used. */
  async renewed(accountId: string): Promise<void> {
    await this.#pool.query(
      `update identity."twoFactor" set "lastStep" = null where "userId" = (select id from identity."user" where "accountId" = $1)`,
      [accountId],
    );
  }
}

/** The time step of a code (RFC 6238); undefined: the code is not one of the present. */
const stepOf = (code: string, secret: string): number | undefined => {
  const now = Math.floor(Date.now() / STEP_MS);
  const typed = Buffer.from(code);
  return Array.from({ length: 2 * WINDOW + 1 }, (_, n) => now - WINDOW + n).findLast((step) => {
    const right = Buffer.from(codeAt(step, secret));
    return typed.length === right.length && timingSafeEqual(typed, right);
  });
};

const codeAt = (step: number, secret: string): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};
