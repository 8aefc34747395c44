import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { newId } from '../../events/codec/ids.ts';
import { lockNamed, migration } from '../../events/store/postgres/migration.ts';
import type { Deliver } from './delivery.ts';
import { AddressRefused } from './delivery.ts';
import type { Letter } from './letter.ts';
import { inOne } from './letter.ts';

export const migrateMail = migration(lockNamed('mail'), new URL('outbox.sql', import.meta.url));

/** By kind: composes the letter just before it is sent; undefined: there is no need for it any more. */
export type Composers<Kinds> = { readonly [Kind in keyof Kinds]: (about: Kinds[Kind], mail: MailId) => Promise<Letter | undefined> };

export type MailState = { readonly waiting: number; readonly failing: number; readonly givenUp: number; readonly trouble: string | null };

/** The same at each attempt to send this mail, so links can be derived from it. */
export type MailId = { readonly id: string; readonly expiresAt: Date };

export type MailOrder<Kinds> = {
  [Kind in keyof Kinds & string]: {
    /** What happened. Only the first order for a cause counts. */
    readonly cause: string;
    readonly kind: Kind;
    readonly about: Kinds[Kind];
    /** After this time it is not sent any more. */
    readonly days?: number;
    /**
     * Mails under the same word go to one person as one: the first at once, and those ordered within an hour of it together, once the hour is
     * over.
     */
    readonly together?: string;
  };
}[keyof Kinds & string];

export type OutboxOptions<Kinds> = {
  readonly pool: Pool;
  readonly composers: Composers<Kinds>;
  readonly deliver: Deliver;
  readonly tell: (line: string) => void;
  /** Kinds for whose link somebody waits: they go before all others. */
  readonly urgent?: readonly (keyof Kinds & string)[];
  /** Orders mails that are due according to the log, but were not ordered because a process died. */
  readonly orderMissed?: (outbox: Outbox<Kinds>) => Promise<void>;
};

/** How often a process looks for mails that others ordered or left behind, at the latest, and how long sending may take. */
const LOOK_EVERY_MS = 60_000;
const CLAIM = '2 minutes';

/**
 * Mail that is sent once for its cause. An order is a row; one process claims it, composes and sends the mail, and marks the row. Failures
 * are retried with back-off until the mail expires; a row whose process died is claimed again. The turns go round the schools, so that
 * however many mails wait for the people of one, those of another wait for one of each (outbox.sql).
 */
export class Outbox<Kinds> {
  readonly #options: OutboxOptions<Kinds>;
  readonly #stopped = new AbortController();
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;

  constructor(options: OutboxOptions<Kinds>) {
    this.#options = options;
  }

  /** Returns the mail's id, so that its links can be made before it is sent. */
  async order({ cause, kind, about, days = 3, together }: MailOrder<Kinds>): Promise<Pick<MailId, 'id'>> {
    const id = newId(MAILS, cause);
    // No conflict target: the second of two simultaneous orders may conflict on the id, which is derived from the cause, before it does on
    // the cause.
    await this.#options.pool.query(
      `insert into mail.outbox (id, cause, kind, about, expires_at, school_id, urgent, together)
       select $1, $2, $3, $4, now() + make_interval(days => $5), mail.school_of($4), $6, $7 on conflict do nothing`,
      [id, cause, kind, JSON.stringify(about), days, this.#options.urgent?.includes(kind) ?? false, together],
    );
    this.#wake.resolve();
    return { id };
  }

  /** Notes that the mail for this cause is not sent, and why; an order for it counts no more. */
  async leaveOut(cause: string, kind: keyof Kinds & string, why: string): Promise<void> {
    await this.#options.pool.query(
      `insert into mail.outbox (id, cause, kind, trouble, expires_at) values ($1, $2, $3, $4, now()) on conflict do nothing`,
      [newId(MAILS, cause), cause, kind, why],
    );
  }

  /**
   * How many mails wait, how many were given up in the last week, and why the last failure happened: those to people of one school, or all,
   * also those that belong to no school yet.
   */
  async state(schoolId?: string): Promise<MailState> {
    const { rows } = await this.#options.pool.query<MailState>(
      `select count(*) filter (where about is not null)::int as waiting,
              count(*) filter (where about is not null and attempts > 0)::int as failing,
              count(*) filter (where given_up_at > now() - interval '7 days')::int as "givenUp",
              (array_agg(trouble order by next_at desc) filter (where trouble is not null and sent_at is null))[1] as trouble
         from mail.outbox
        where (about is not null or given_up_at > now() - interval '7 days') and ($1::uuid is null or school_id = $1)`,
      [schoolId],
    );
    return rows[0]!;
  }

  /** Starts sending. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Looks at once for what others may have ordered, or should have. */
  look(): void {
    this.#wake.resolve();
  }

  /** Stops sending, after the mail that is being sent. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wake.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      let wait = LOOK_EVERY_MS;
      try {
        await this.#options.orderMissed?.(this);
        while (!signal.aborted && (await this.#sendNext()));
        wait = await this.#untilNext();
      } catch {
        // The database is away, which /api/health reports; the mails wait in it.
      }
      await Promise.race([this.#wake.promise, pause(wait, undefined, { signal, ref: false }).catch(() => undefined)]);
      this.#wake = Promise.withResolvers();
    }
  }

  /** Returns whether there was one. */
  async #sendNext(): Promise<boolean> {
    const { rows } = await this.#options.pool.query<Claimed<Kinds>>(
      `select id, kind, about, attempts, expires_at as "expiresAt", expires_at < now() as late from mail.take($1)`,
      [CLAIM],
    );
    for (const mail of rows.filter(({ late }) => late)) await this.#giveUp(mail, 'It could not be sent in time.');
    const mails = rows.filter(({ late }) => !late);
    const [first] = mails;
    if (!first) return rows.length > 0;
    try {
      await this.#send(first, mails);
    } catch (error) {
      for (const mail of mails) await (error instanceof AddressRefused ? this.#giveUp(mail, error.message) : this.#tryLater(mail, error));
    }
    return true;
  }

  /** As one mail, with the id of the first. */
  async #send(first: Claimed<Kinds>, mails: readonly Claimed<Kinds>[]): Promise<void> {
    const { pool, composers, deliver } = this.#options;
    const letters: Letter[] = [];
    const needless: string[] = [];
    for (const mail of mails) {
      const letter = await composers[mail.kind](mail.about, mail);
      if (letter) letters.push(letter);
      else needless.push(mail.id);
    }
    const letter = inOne(letters);
    if (letter) await deliver(letter, first.id);
    await pool.query(
      `update mail.outbox set about = null, sent_at = case when id = any($2) then null else now() end, trouble = null where id = any($1)`,
      [mails.map(({ id }) => id), needless],
    );
  }

  async #tryLater({ id, attempts }: Claimed<Kinds>, error: unknown): Promise<void> {
    const seconds = Math.min(5 * 2 ** (attempts - 1), 3_600) * (0.8 + 0.4 * Math.random());
    await this.#options.pool.query(
      `update mail.outbox set next_at = now() + make_interval(secs => $2), trouble = $3 where id = $1 and sent_at is null`,
      [id, seconds, reason(error)],
    );
    if (attempts === 1) this.#options.tell(`A mail could not be sent (${reason(error)}). It is tried again.`);
  }

  async #giveUp({ id }: Claimed<Kinds>, why: string): Promise<void> {
    await this.#options.pool.query(
      `update mail.outbox set about = null, given_up_at = now(), trouble = coalesce(trouble, $2) where id = $1 and sent_at is null`,
      [id, why],
    );
    this.#options.tell(`A mail was given up: ${why}`);
  }

  /** Milliseconds until the next mail is due. */
  async #untilNext(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ ms: number | null }>(
      `select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from mail.waiting`,
    );
    return Math.min(Math.max(rows[0]?.ms ?? LOOK_EVERY_MS, 10), LOOK_EVERY_MS);
  }
}

type Claimed<Kinds> = MailId & {
  readonly kind: keyof Kinds & string;
  readonly about: Kinds[keyof Kinds & string];
  readonly attempts: number;
  readonly late: boolean;
};

/** The namespace in which mail ids are derived from causes. */
const MAILS = '8a6e7c52-3d0b-4f0e-9d0c-6d61696c7331';

/** Only codes, because a mail server's message may contain the refused address. */
const reason = (error: unknown): string => {
  const { code, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; responseCode?: unknown };
  const codes = [code, responseCode].filter((one) => typeof one === 'string' || typeof one === 'number').join(' ');
  return codes === '' ? (error instanceof Error ? error.name : 'unknown reason') : codes;
};
