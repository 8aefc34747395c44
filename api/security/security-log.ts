import type { Pool } from 'pg';
import { lockNamed, migration } from '../../events/store/postgres/migration.ts';
import { isUuid } from '../../events/uuid.ts';
import { networkOf } from '../common/networks.ts';
import type { Secrets } from './secrets.ts';
import type { SecurityEntry } from '../contract/security.ts';

export const migrateSecurityLog = migration(lockNamed('security log'), new URL('security-log.sql', import.meta.url));

export type SecurityKind =
  | 'log-in'
  /** The password was right; a code is asked for. */
  | 'log-in-first-step'
  | 'log-in-failed'
  /** A limit was hit. */
  | 'limited'
  /** Not allowed. */
  | 'refused'
  | 'account-opened'
  | 'account-changed'
  | 'account-closed'
  | 'role-changed'
  | 'password-reset'
  /** By its owner; the name says from where. */
  | 'password-changed'
  /** The owner has opened a link that was mailed there. */
  | 'address-confirmed'
  | 'second-step-on'
  | 'second-step-off'
  /** Others in place of those before. */
  | 'recovery-codes'
  /** A bearer token, in a profile. */
  | 'token-made'
  | 'sessions-ended'
  | 'code-issued'
  /** Staff have let students go on who waited for a place to join. */
  | 'joining-cleared'
  | 'rights-changed'
  | 'export'
  | 'forgotten';

export type SecurityEvent = {
  readonly kind: SecurityKind;
  /** Who did it, as far as known. */
  readonly actor?: { readonly accountId: string; readonly schoolId: string } | undefined;
  /** The id of the account, student or subject that it was done to. */
  readonly about?: string | undefined;
  readonly name?: string | undefined;
  readonly commandId?: string | undefined;
  /** The client's address: only an HMAC of its network is kept. */
  readonly address?: string | undefined;
};

/** Structured lines for the operator's own log, such as those of pino. */
export type Lines = { info(entry: object, message: string): void };

export type SecurityLogOptions = {
  readonly pool: Pool;
  readonly secrets: Pick<Secrets, 'mac'>;
  readonly lines?: Lines | undefined;
  /** For how many days an entry is kept. */
  readonly keptDays: number;
};

/** Kinds that anybody can repeat at will are counted: the first is an entry, and those of each further minute are one more. */
const COUNTED: ReadonlySet<SecurityKind> = new Set(['log-in-failed', 'limited', 'refused']);
const MINUTE_MS = 60_000;
/** How many different ones of a school are told apart in a minute, and of nobody known. */
const MOST_APART = 200;
const WRITE_AFTER_MS = 500;
/** Kept in memory while the database is away. */
const MOST_WAITING = 5_000;
const MOST_LISTED = 200;

/**
 * A record of what concerns security, for the school's admins and the operator. Noting something never waits for the database; an entry is there
 * within a second. If the process is killed in this second, it is only among the console's lines.
 */
export class SecurityLog {
  readonly #options: SecurityLogOptions;
  #waiting: Entry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** What was repeated in this minute, by school: one school's flood takes no place of another's. */
  #repeated = new Map<string, Map<string, Repeated>>();
  readonly #minutes: NodeJS.Timeout;

  constructor(options: SecurityLogOptions) {
    this.#options = options;
    this.#minutes = setInterval(() => this.#endMinute(), MINUTE_MS);
    this.#minutes.unref();
  }

  note({ kind, actor, about, name, commandId, address }: SecurityEvent): void {
    const what = { kind, school_id: actor?.schoolId, account_id: actor?.accountId, about_id: about, name, command_id: commandId };
    const network = address === undefined ? undefined : this.#options.secrets.mac('network', networkOf(address)).toString('hex', 0, 8);
    const entry = { at: new Date().toISOString(), ...storable({ ...what, network }), count: 1 };
    if (!COUNTED.has(kind)) return this.#add(entry);
    const school = actor?.schoolId ?? '';
    const ofSchool = this.#repeated.get(school) ?? new Map<string, Repeated>();
    this.#repeated.set(school, ofSchool);
    const isApart = ofSchool.size < MOST_APART || ofSchool.has(keyOf(entry));
    const counted = isApart ? entry : restOf(entry);
    const repeated = ofSchool.get(keyOf(counted));
    if (repeated) repeated.more++;
    else {
      ofSchool.set(keyOf(counted), { entry: counted, more: 0 });
      this.#add(counted);
    }
  }

  #endMinute(): void {
    const at = new Date().toISOString();
    for (const ofSchool of this.#repeated.values())
      for (const { entry, more } of ofSchool.values()) if (more > 0) this.#add({ ...entry, at, count: more });
    this.#repeated.clear();
  }

  #add(entry: Entry): void {
    this.#options.lines?.info({ security: entry }, 'security');
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(entry);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), WRITE_AFTER_MS).unref();
  }

  /** Writes what waits, in one statement. Rejects if the database is away; it is tried again with the next entry. */
  flush(): Promise<void> {
    const write = async (): Promise<void> => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      const entries = this.#waiting;
      if (entries.length === 0) return;
      this.#waiting = [];
      try {
        await this.#options.pool.query(
          `insert into support.security_log (at, kind, school_id, account_id, about_id, name, command_id, network, count)
           select at, kind, school_id, account_id, about_id, name, command_id, network, count
             from json_populate_recordset(null::support.security_log, $1) with ordinality order by ordinality`,
          [JSON.stringify(entries)],
        );
      } catch (error) {
        this.#waiting = [...entries, ...this.#waiting].slice(0, MOST_WAITING);
        throw error;
      }
    };
    const writing = this.#writing.then(write);
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  /** Newest first: of one school, or of all and of those that belong to none. */
  async list(which: Which = {}): Promise<SecurityEntry[]> {
    await this.flush().catch(() => undefined);
    return listEntries(this.#options.pool, which);
  }

  /** Removes entries that are too old. */
  async sweep(): Promise<void> {
    const { pool, keptDays } = this.#options;
    // In one transaction: the trigger asks how long entries are kept.
    await pool.query(
      `with kept as materialized (select set_config('support.kept_days', $1, true)::int as days)
       delete from support.security_log using kept where at < now() - make_interval(days => kept.days)`,
      [String(keptDays)],
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#minutes);
    this.#endMinute();
    await this.flush().catch(() => undefined);
  }
}

type Which = { readonly schoolId?: string | undefined; readonly before?: string | undefined };

/** The newest 200, or those before a number. */
export const listEntries = async (pool: Pool, { schoolId, before }: Which): Promise<SecurityEntry[]> => {
  const { rows } = await pool.query<Omit<SecurityEntry, 'at'> & { at: Date }>(
    `select id, at, kind, account_id as "accountId", about_id as "aboutId", name, command_id as "commandId", network, count
       from support.security_log
      where ($1::uuid is null or school_id = $1) and ($2::bigint is null or id < $2)
      order by id desc limit ${MOST_LISTED}`,
    [schoolId, before],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
};

type Ids = 'school_id' | 'account_id' | 'about_id' | 'command_id';
type Entry = { readonly at: string; readonly kind: string; readonly count: number } & Partial<Record<Ids | 'name' | 'network', string>>;

type Repeated = { readonly entry: Entry; more: number };

const keyOf = ({ kind, account_id, name, network }: Entry): string => JSON.stringify([kind, account_id, name, network]);

/**
 * Where what is too varied to be told apart is counted: a flood from everywhere. Log-ins that fail are counted by their account all the same,
 * also from however many networks.
 */
const restOf = ({ at, kind, count, school_id, account_id, name }: Entry): Entry => ({
  at,
  kind,
  count,
  ...(school_id && { school_id }),
  ...(kind === 'log-in-failed' && account_id ? { account_id, ...(name && { name }) } : { name: 'others' }),
});

/** Without what is unknown, or no id although it should be one. */
const storable = ({ kind, ...rest }: { kind: string } & { readonly [Field in Ids | 'name' | 'network']?: string | undefined }) => ({
  kind,
  ...Object.fromEntries(
    Object.entries(rest).flatMap(([field, value]) =>
      value === undefined || (field.endsWith('_id') && !isUuid(value)) ? [] : [[field, value]],
    ),
  ),
});
