import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { authMessages } from '../../contract/auth-messages.ts';
import type { MailId } from '../../mail/outbox.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Secrets } from '../../security/secrets.ts';

/**
 * To finalise a registration, activate a staff account, set a new password (on one's own or an admin's request), confirm an e-mail address.
 */
export type LinkPurpose = 'registration' | 'activation' | 'reset' | 'reset-by-admin' | 'email';

/** `subject`: the registration or account; `about`: the e-mail address that it was sent to. */
export type Link = { readonly purpose: LinkPurpose; readonly subject: string; readonly about: string };

/** The purposes of links whose subject is an account. */
export const OF_ACCOUNTS: readonly LinkPurpose[] = ['activation', 'reset', 'reset-by-admin', 'email'];

/** How long a link works, in hours. */
const HOURS: Readonly<Record<LinkPurpose, number>> = { registration: 72, activation: 14 * 24, reset: 1, 'reset-by-admin': 24, email: 72 };

/**
 * The link of an account works as long as the account has the address that it was sent to, is invited there, or is about to get it in place
 * of the one that it has.
 */
const WORKS_THERE = `revoked_at is null and (purpose = 'registration' or exists (
  select from identity."user" u left join identity.email_changes c on c.account_id = u."accountId"::uuid and c.old_email = u.email
   where u."accountId" = subject and (u.email = about or (purpose = 'activation' and u."invitedEmail" = about) or (purpose = 'email' and c.email = about))))`;
const WORKS = `used_at is null and expires_at > now() and ${WORKS_THERE}`;

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

  /**
   * The token of the link in this mail. It is dead if everything that opened the account was revoked after the mail was ordered; the lock
   * makes a revocation that is under way come first.
   */
  async make({ purpose, subject, about }: Link, mail: Pick<MailId, 'id'>): Promise<string> {
    const token = this.#secrets.mac('link', purpose, mail.id).toString('base64url');
    const ofAccount = `, identity."user" u
      where o.id = $5 and u."accountId" = $3 and (u."openingsClosedAt" is null or u."openingsClosedAt" < o.created_at) for share of u`;
    await this.#pool.query(
      `insert into identity.links (token_hash, purpose, subject, about, ordered_at, expires_at)
       select $1, $2, $3, $4, o.created_at, now() + make_interval(hours => $6) from mail.outbox o
       ${OF_ACCOUNTS.includes(purpose) ? ofAccount : 'where o.id = $5'} on conflict do nothing`,
      [hashOf(token), purpose, subject, about, mail.id, HOURS[purpose]],
    );
    return token;
  }

  /** What a link is for, if it still works. Does not use it up. */
  async find(purposes: readonly LinkPurpose[], token: string): Promise<Link | undefined> {
    const { rows } = await this.#pool.query<Link>(
      `select purpose, subject, about from identity.links where token_hash = $1 and purpose = any($2::text[]) and ${WORKS}`,
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
   * Uses up a link for `work`: only one of several simultaneous requests gets it. If `work` fails, the link works again. `work` changes the
   * account in one transaction with `requireUnrevoked`.
   *
   * @throws ProblemError `link-dead`
   */
  async use<Result>(purpose: LinkPurpose, token: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    const { rows } = await this.#pool.query<Link>(
      `update identity.links set used_at = now() where token_hash = $1 and purpose = $2 and ${WORKS} returning purpose, subject, about`,
      [hashOf(token), purpose],
    );
    const [link] = rows;
    if (!link) throw linkDead();
    try {
      return await work(link);
    } catch (error) {
      await this.#pool.query(`update identity.links set used_at = null where token_hash = $1`, [hashOf(token)]);
      throw error;
    }
  }

  /** Revokes the subject's links of this purpose, except the one with the token `except`. */
  async revoke(purpose: LinkPurpose, subject: string, { except = '' } = {}): Promise<void> {
    await this.#pool.query(
      `update identity.links set used_at = now() where purpose = $1 and subject = $2 and used_at is null and token_hash <> $3`,
      [purpose, subject, hashOf(except)],
    );
  }
}

/**
 * Whether a link that is being used was not revoked meanwhile, and the account still has its address; the account is locked.
 *
 * @throws ProblemError `link-dead`
 */
export const requireUnrevoked = async (client: ClientBase, token: string): Promise<void> => {
  const { rows } = await client.query(`select from identity.links where token_hash = $1 and ${WORKS_THERE}`, [hashOf(token)]);
  if (rows.length === 0) throw linkDead();
};

export const linkDead = (): ProblemError => new ProblemError('link-dead', authMessages.linkDead);

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
