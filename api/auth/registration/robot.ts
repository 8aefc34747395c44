import { createChallenge, verifySolution } from 'altcha-lib';
import type { Challenge, Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Pool } from 'pg';
import { z } from 'zod';
import { authMessages } from '../../contract/auth-messages.ts';
import type { ProblemError } from '../../common/problems.ts';
import { invalidInput } from '../../common/problems.ts';

/** The work of a solution: one key of 4,096 begins like this, about a second on a phone. And for how long a challenge is valid. */
const ITERATIONS = 500;
const PREFIX = '000';
const MINUTES = 20;

export type RobotOptions = {
  readonly pool: Pool;
  readonly secret: string;
  /** How a key begins that solves it; shorter, for tests, is less work. */
  readonly prefix?: string;
};

/**
 * A proof of work, checked by our own server: the challenge is signed, expires, and can be used once. The server derives no key to make one,
 * and one to check a solution, of challenges that it has signed.
 */
export class RobotCheck {
  readonly #options: RobotOptions;

  constructor(options: RobotOptions) {
    this.#options = options;
  }

  challenge(): Promise<Challenge> {
    const { secret, prefix = PREFIX } = this.#options;
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: ITERATIONS,
      keyPrefix: prefix,
      deriveKey,
      expiresAt: new Date(Date.now() + MINUTES * 60_000),
      hmacSignatureSecret: secret,
    });
  }

  /**
   * `solved`: base64 of the challenge and its solution. @throws ProblemError `invalid-input` if it is not solved, expired or already used
   */
  async require(solved: string): Promise<void> {
    const { pool, secret } = this.#options;
    const payload = payloadIn(solved);
    const isRight =
      payload !== undefined &&
      (
        await verifySolution({
          challenge: payload.challenge,
          solution: payload.solution,
          deriveKey,
          hmacSignatureSecret: secret,
        }).catch(() => undefined)
      )?.verified === true;
    if (!isRight) throw notPassed();
    const { rowCount } = await pool.query(
      `insert into identity.robot_checks (signature, expires_at) values ($1, now() + make_interval(mins => $2)) on conflict do nothing`,
      [payload.challenge.signature ?? '', MINUTES],
    );
    if (rowCount !== 1) throw notPassed();
  }
}

const notPassed = (): ProblemError => invalidInput('robot', authMessages.robot);

const payloadIn = (text: string): Payload | undefined => {
  try {
    const parsed = shape.safeParse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')));
    // The library checks the rest of the shape; the signature shows whether the challenge is ours.
    return parsed.success ? (parsed.data as unknown as Payload) : undefined;
  } catch {
    return undefined;
  }
};

const shape = z.object({
  challenge: z.object({
    parameters: z.object({ algorithm: z.literal('PBKDF2/SHA-256'), cost: z.literal(ITERATIONS) }).loose(),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
});
