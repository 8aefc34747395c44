import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { doorWords } from '../contract/door-words.ts';
import type { MailId } from '../mail/outbox.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Secrets } from './secrets.ts';

/**
 * To finalise a registration, activate a staff account, set a new password (on one's own or an admin's request), confirm an e-mail address.
 */
export type LinkPurpose = 'registration' | 'activation' | 'reset' | 'reset-by-admin' | 'email';

/** `subject`: the registration or account; `about`: the e-mail address that it was sent to. */
export type Link = { readonly purpose: LinkPurpose; readonly subject: string; readonly about: string };

/** How long a link works, in hours. */
const HOURS: Readonly<Record<LinkPurpose, number>> = { registration: 72, activation: 14 * 24, reset: 1, 'reset-by-admin': 24, email: 72 };

/**
 * Links in mails: each works once, for a limited time. Only the hash of its token is stored. The token is derived from the mail's id with a
 * key, so that a mail that is composed again has the same link, and no table holds anything that opens an account.
 */
export class Links {
  readonly #pool: Pool;
  readonly #secrets: Pick<Secrets, 'mac'>;

  constructor(pool: Pool, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /** The token of the link in this mail. */
  async make({ purpose, subject, about }: Link, mail: Pick<MailId, 'id'>): Promise<string> {
    const token = this.#secrets.mac('link', purpose, mail.id).toString('base64url');
    await this.#pool.query(
      `insert into identity.links (token_hash, purpose, subject, about, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5)) on conflict do nothing`,
      [hashOf(token), purpose, subject, about, HOURS[purpose]],
    );
    return token;
  }

  /** What a link is for, if it still works. Does not use it up. */
  async find(purposes: readonly LinkPurpose[], token: string): Promise<Link | undefined> {
    const { rows } = await this.#pool.query<Link>(
      `select purpose, subject, about from identity.links
        where token_hash = $1 and purpose = any($2::text[]) and used_at is null and expires_at > now()`,
      [hashOf(token), purposes],
    );
    return rows[0];
  }

  /** @throws ProblemError `link-dead` */
  async require(purpose: LinkPurpose, token: string): Promise<Link> {
    const link = await this.find([purpose], token);
    if (!link) throw linkDead();
    return link;
  }

  /**
   * Uses up a link for `work`: only one of several simultaneous requests gets it, and the subject's other links of this purpose stop
   * working. If `work` fails, the link works again.
   *
   * @throws ProblemError `link-dead`
   */
  async use<Result>(purpose: LinkPurpose, token: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    const { rows } = await this.#pool.query<Link>(
      `update identity.links set used_at = now()
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now() returning purpose, subject, about`,
      [hashOf(token), purpose],
    );
    const [link] = rows;
    if (!link) throw linkDead();
    let result: Result;
    try {
      result = await work(link);
    } catch (error) {
      await this.#pool.query(`update identity.links set used_at = null where token_hash = $1`, [hashOf(token)]);
      throw error;
    }
    await this.revoke(purpose, link.subject);
    return result;
  }

  /** Revokes the subject's links of this purpose, except the one with the token `except`. */
  async revoke(purpose: LinkPurpose, subject: string, { except = '' } = {}): Promise<void> {
    await this.#pool.query(
      `update identity.links set used_at = now() where purpose = $1 and subject = $2 and used_at is null and token_hash <> $3`,
      [purpose, subject, hashOf(except)],
    );
  }
}

export const linkDead = (): ProblemError => new ProblemError('link-dead', doorWords.linkDead);

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
