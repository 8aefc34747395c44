import type { ClientBase, Pool } from 'pg';
import { Queue } from '../../../events/async/queue.ts';
import { Signal } from '../../../events/async/signal.ts';
import type { JoinWait } from '../../contract/auth.ts';
import { siteOf } from '../../common/networks.ts';
import { countRefusal } from '../../common/refusals.ts';
import type { Limit, Limits } from '../limits.ts';
import { inTransaction } from '../profile/account-for-update.ts';
import type { Secrets } from '../../security/secrets.ts';

/**
 * How many dates of birth may be open: from a site that nobody knows, from one where somebody has joined with the code, from one where staff
 * of the school are signed in, and from all sites together. So a stranger with a code learns two dates an hour, and a pupil ten.
 */
const OF_A_STRANGER = 2;
const OF_THE_SCHOOL = 10;
const WITH_STAFF = 20;
const OF_ALL_SITES = 40;
/** How many sites may know one date before another is answered about it. */
const SITES_OF_A_DATE = 5;
/** Somebody has joined from here: pupils of this code are here. */
const JOINED_FROM: Limit = { name: 'joined by code', most: 0, seconds: 30 * 24 * 3_600 };

const KEPT_SECONDS = 3_600;
/** A student who was let in this recently is most likely still typing. */
const TYPING_SECONDS = 180;
/** How often a place is looked for again; one that is given back in this process is signalled at once. */
const AGAIN_MS = 5_000;
/** How many requests of a site are kept waiting; those above are answered at once, and ask again. */
const MOST_KEPT = 60;

export type PlaceRequest = {
  readonly schoolId: string;
  readonly subjectId: string;
  readonly codeTag: string;
  readonly address: string;
  /** The key of the joining. */
  readonly joining: Buffer;
  readonly dateOfBirth: string;
  /** Whether somebody was born on that day. */
  readonly isFound: boolean;
};
type Joined = Pick<PlaceRequest, 'codeTag' | 'address' | 'joining'> & { readonly dateOfBirth: string | null };
/** How long a request is kept, unless whoever sent it is gone. */
export type Patience = { readonly seconds: number; readonly gone: AbortSignal };

/**
 * Places for dates of birth that were found. Names are shown for one, so somebody who knows the names of a class learns who was born that day;
 * what tells a guesser from a pupil is that the pupil joins. A date keeps its place for an hour, or until one of its students joins from the
 * same site, or the joining that found it ends with an account; there are only so many. Where all are taken every new date waits, whether
 * somebody was born on it or not, in the order in which they came.
 */
export class Places {
  readonly #pool: Pool;
  readonly #limits: Limits;
  readonly #secrets: Pick<Secrets, 'mac'>;
  /** Some place may have become free. */
  readonly #freed = new Signal();
  readonly #kept = new Map<string, number>();
  readonly #attempts = new Queue();

  constructor(pool: Pool, limits: Limits, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Takes a place, or waits for one. Undefined: the names may be shown. */
  async take(request: PlaceRequest, { seconds, gone }: Patience): Promise<JoinWait | undefined> {
    const site = siteOf(request.address);
    const giveUpAt = performance.now() + seconds * 1_000;
    for (;;) {
      const most = await this.#placesOf(request);
      const wait = await this.#attempts.run(request.codeTag, () => this.#attempt(request, most));
      if (!wait) return undefined;
      const left = giveUpAt - performance.now();
      const kept = this.#kept.get(site) ?? 0;
      if (left <= 0 || gone.aborted || kept >= MOST_KEPT) {
        countRefusal('dates of birth that wait');
        return wait;
      }
      this.#kept.set(site, kept + 1);
      try {
        await this.#freed.raised(Math.min(left, AGAIN_MS), gone);
      } finally {
        const others = (this.#kept.get(site) ?? 1) - 1;
        if (others > 0) this.#kept.set(site, others);
        else this.#kept.delete(site);
      }
    }
  }

  /** A student who was born on that day has joined: the date, and what else the joining has found, was no guess. */
  async followed({ codeTag, address, joining, dateOfBirth }: Joined): Promise<void> {
    await this.#pool.query(`delete from identity.joining_places where code_tag = $1 and (joining = $2 or (site = $3 and day = $4))`, [
      codeTag,
      joining,
      this.#site(codeTag, address),
      dateOfBirth === null ? null : this.#day(codeTag, dateOfBirth),
    ]);
    await this.#limits.note(JOINED_FROM, codeTag, siteOf(address));
    this.#freed.raise();
  }

  /**
   * Gives the places back that keep others waiting, at the site of this address if somebody waits there, else wherever somebody does: those of
   * their sites, of a date that is known at too many, and all where too many are taken in all. Dates that are known stay known, and are still
   * counted for the admins. Answers how many there were.
   */
  async clear(codeTag: string, address: string): Promise<number> {
    const { rowCount } = await this.#pool.query(
      `with all_waiting as (select waits_site as site, waits_day as day from identity.joinings where code_tag = $1 and ${IS_WAITING}),
       waiting as (select * from all_waiting where site = $2 or not exists (select from all_waiting where site = $2)),
       taken as (select site, day from identity.joining_places p where code_tag = $1 and not cleared and ${IS_KEPT})
       update identity.joining_places p set cleared = true
         from taken where p.code_tag = $1 and p.site = taken.site and p.day = taken.day
          and (p.site in (select site from waiting) or p.day in (select day from waiting)
            or (exists (select from waiting) and (select count(*) from taken) >= ${OF_ALL_SITES}))`,
      [codeTag, this.#site(codeTag, address)],
    );
    this.#freed.raise();
    return rowCount ?? 0;
  }

  /** How many wait with this code. */
  async waiting(codeTag: string): Promise<number> {
    const { rows } = await this.#pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from identity.joinings where code_tag = $1 and ${IS_WAITING}`,
      [codeTag],
    );
    return rows[0]?.waiting ?? 0;
  }

  /** One after the other for a code: each takes a connection and then waits for the lock, and a class must not take all of them. */
  async #attempt(request: PlaceRequest, most: number): Promise<JoinWait | undefined> {
    const { schoolId, subjectId, codeTag, joining, isFound } = request;
    const [site, day] = [this.#site(codeTag, request.address), this.#day(codeTag, request.dateOfBirth)];
    return inTransaction(this.#pool, async (client) => {
      // One at a time for a subject: two at once must not both find the last place.
      await client.query(`select from identity.join_codes where school_id = $1 and subject_id = $2 order by code_key for update`, [
        schoolId,
        subjectId,
      ]);
      const { rows } = await client.query<Row>(
        `select day, site = $2 as "isHere", cleared, extract(epoch from now() - taken_at)::float8 as age from identity.joining_places p
          where code_tag = $1 and ${IS_KEPT}`,
        [codeTag, site],
      );
      const ahead = await waitingBefore(client, { codeTag, site, joining });
      const { wait, isOfDay } = waitOf(rows, { day, ahead, most });
      if (wait)
        await client.query(
          `update identity.joinings set waits_site = $2, waits_day = $3, waits_at = clock_timestamp(),
                  waits_since = case when $3::bytea is null then coalesce(waits_since, clock_timestamp()) end,
                  expires_at = greatest(expires_at, now() + interval '20 minutes') where key = $1`,
          [joining, site, isOfDay ? day : null],
        );
      else
        await client.query(
          `update identity.joinings set waits_site = null, waits_day = null, waits_since = null, waits_at = null where key = $1`,
          [joining],
        );
      if (!wait && isFound)
        await client.query(
          `insert into identity.joining_places (code_tag, site, day, joining, school_id, subject_id) values ($1, $2, $3, $4, $5, $6)
           on conflict (code_tag, site, day) do update set joining = excluded.joining, taken_at = now(), cleared = false
             where joining_places.taken_at < now() - make_interval(secs => ${KEPT_SECONDS})`,
          [codeTag, site, day, joining, schoolId, subjectId],
        );
      return wait;
    });
  }

  async #placesOf({ schoolId, codeTag, address }: PlaceRequest): Promise<number> {
    const site = siteOf(address);
    const { rows } = await this.#pool.query<{ address: string }>(
      `select distinct s."ipAddress" as address from identity."session" s join identity."user" u on u.id = s."userId"
        where u."schoolId" = $1 and u."studentId" is null and s."expiresAt" > now() and s."idleAt" > now() and s."ipAddress" is not null`,
      [schoolId],
    );
    if (rows.some((row) => siteOf(row.address) === site)) return WITH_STAFF;
    return (await this.#limits.isNoted(JOINED_FROM, codeTag, site)) ? OF_THE_SCHOOL : OF_A_STRANGER;
  }

  #site(codeTag: string, address: string): Buffer {
    return this.#secrets.mac('joining from', codeTag, siteOf(address));
  }

  #day(codeTag: string, dateOfBirth: string): Buffer {
    return this.#secrets.mac('joining on', codeTag, dateOfBirth);
  }
}

const IS_KEPT = `p.taken_at > now() - make_interval(secs => ${KEPT_SECONDS})`;
/** An open page asks again at once, so one that was closed is soon forgotten. */
const IS_WAITING = `waits_at > now() - interval '15 seconds'`;

/** How many have waited longer for a place of this site. Whoever comes only now is behind all. */
const waitingBefore = async (client: ClientBase, { codeTag, site, joining }: { codeTag: string; site: Buffer; joining: Buffer }) => {
  const { rows } = await client.query<{ ahead: number }>(
    `select count(*)::int as ahead from identity.joinings
      where code_tag = $1 and waits_site = $2 and key <> $3 and ${IS_WAITING}
        and (waits_since, key) < (coalesce((select waits_since from identity.joinings where key = $3), 'infinity'), $3)`,
    [codeTag, site, joining],
  );
  return rows[0]?.ahead ?? 0;
};

type Row = { readonly day: Buffer; readonly isHere: boolean; readonly cleared: boolean; readonly age: number };

/**
 * What the date must wait for, given what is open. Undefined: nothing. `isOfDay`: not for the site, so that others there go before it.
 */
const waitOf = (
  rows: readonly Row[],
  { day, ahead, most }: { readonly day: Buffer; readonly ahead: number; readonly most: number },
): { readonly wait?: JoinWait; readonly isOfDay?: true } => {
  // Names that were shown before tell nobody anything new.
  if (rows.some((row) => row.isHere && row.day.equals(day))) return {};
  const taken = rows.filter(({ cleared }) => !cleared);
  const here = taken.filter(({ isHere }) => isHere);
  const ofDay = taken.filter((row) => row.day.equals(day));
  if (ofDay.length >= SITES_OF_A_DATE) return { wait: waitFor(ofDay, { ahead: 0, here }), isOfDay: true };
  if (taken.length >= OF_ALL_SITES) return { wait: waitFor(taken, { ahead, here }) };
  if (here.length + ahead >= most) return { wait: waitFor(here, { ahead, here }) };
  return {};
};

/** One of these places, at the latest when its hour is over. */
const waitFor = (places: readonly Row[], { ahead, here }: { readonly ahead: number; readonly here: readonly Row[] }): JoinWait => {
  const oldestFirst = places.map(({ age }) => age).toSorted((one, other) => other - one);
  const age = oldestFirst[Math.min(ahead, oldestFirst.length - 1)] ?? 0;
  return {
    seconds: Math.max(1, Math.ceil(KEPT_SECONDS - age)),
    ahead,
    joining: here.filter((place) => place.age < TYPING_SECONDS).length,
  };
};
