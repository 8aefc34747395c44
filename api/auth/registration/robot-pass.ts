import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { invalidInput } from '../../common/problems.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import type { Secrets } from '../../security/secrets.ts';

/** For how long a solved check opens a registration. */
export const PASS_SECONDS = 20 * 60;

/**
 * What whoever has solved the robot check holds, where the registration is another request: good once, for 20 minutes. It is signed, so that
 * nothing is stored before it is used.
 */
export class RobotPass {
  readonly #pool: Pool;
  readonly #secrets: Pick<Secrets, 'mac'>;

  constructor(pool: Pool, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  issue(): string {
    const content = `${Math.floor(Date.now() / 1_000) + PASS_SECONDS}.${randomBytes(18).toString('base64url')}`;
    return `${content}.${this.#sign(content).toString('base64url')}`;
  }

  /** @throws ProblemError `invalid-input` if it is none, has expired or was used */
  async require(pass: string): Promise<void> {
    const [until = '', random = '', signature = ''] = pass.split('.');
    const [sent, right] = [Buffer.from(signature, 'base64url'), this.#sign(`${until}.${random}`)];
    const isOurs = sent.length === right.length && timingSafeEqual(sent, right);
    if (!isOurs || Number(until) * 1_000 < Date.now()) throw notPassed();
    const { rowCount } = await this.#pool.query(
      `insert into identity.robot_checks (signature, expires_at) values ($1, to_timestamp($2)) on conflict do nothing`,
      [`pass ${random}`, Number(until)],
    );
    if (rowCount !== 1) throw notPassed();
  }

  #sign(content: string): Buffer {
    return this.#secrets.mac('robot pass', content);
  }
}

const notPassed = () => invalidInput('robot', authMessages.robot);
