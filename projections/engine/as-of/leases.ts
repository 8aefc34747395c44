import type { ClientBase } from 'pg';
import type { Position } from '../../../events/store/port.ts';
import type { Ask } from '../reader.ts';
import type { Filling } from './busy.ts';
import { FILLINGS, LEASES } from './places.ts';
import { ahead, markServed, markWaiting, readQueue, type Requester, shareOf, type WaitingRequester } from './queue.ts';

/** The content of a schema: a school's events up to one of them (none: before the first), folded into tables of a shape. */
export type Content = {
  readonly schoolId: string;
  readonly position: Position;
  readonly eventId: string | null;
  readonly shape: string;
  /** the newest forgetting that it is guaranteed to respect */
  readonly forgettings: string;
};

/** How long a schema is reserved. */
export type Terms = {
  readonly schemas: number;
  /** ms after its last use during which nobody else may take it, unless its user has moved on to another moment */
  readonly keepMs: number;
  /** ms after its filling during which nobody else may take it from a school that holds no more than its share, however often it is used */
  readonly turnMs: number;
  /** ms after its last use until its rows are deleted */
  readonly idleMs: number;
};

export type Claim =
  | { readonly kind: 'filled'; readonly slot: number }
  /** The client now has the schema's lock: fill it, and release it with `filled` or by closing the connection. */
  | { readonly kind: 'fill'; readonly slot: number; readonly made: string | null }
  /** another process is filling it with the same content */
  | { readonly kind: 'filling elsewhere' }
  | { readonly kind: 'taken'; readonly forMs: number };

/**
 * Finds a schema with this content, or one that may be filled with it.
 *
 * Filling or emptying a schema takes its advisory lock exclusively, reading it takes the lock shared. A process that dies loses its
 * connection, and with it the lock. The rows here record the content of each schema; whoever has the lock can trust them.
 */
export const claim = async (client: ClientBase, content: Content, accountId: string, terms: Terms): Promise<Claim> => {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('marktrail ${LEASES}', 0))`);
  await client.query(`insert into ${LEASES} (slot) select generate_series(1, $1::int4) on conflict do nothing`, [terms.schemas]);
  const leases = await leasesOf(client, terms.schemas);
  const found = (await existing(client, leases, content, accountId)) ?? (await choose(client, leases, content, accountId, terms));
  await client.query('commit');
  return found;
};

/** A schema that has this content, or gets it just now. */
const existing = async (client: ClientBase, leases: readonly Lease[], content: Content, accountId: string): Promise<Claim | undefined> => {
  const same = leases.find((lease) => isOf(lease, content) && (lease.state === 'filled' ? lease.made === content.shape : true));
  if (same?.state === 'filled' && !isLeaving(same)) {
    const shared = same.accountId === accountId ? accountId : null;
    await client.query(`update ${LEASES} set used_at = clock_timestamp(), asker = $2 where slot = $1`, [same.slot, shared]);
    return { kind: 'filled', slot: same.slot };
  }
  if (same?.state === 'filling' && !(await isFree(client, same.slot))) return { kind: 'filling elsewhere' };
  return undefined;
};

/** A schema to fill, if it is the account's turn and one may be taken; otherwise it joins the queue. */
const choose = async (client: ClientBase, leases: readonly Lease[], content: Content, accountId: string, terms: Terms): Promise<Claim> => {
  const requester = { schoolId: content.schoolId, accountId };
  const { me, others } = await readQueue(client, requester);
  const takenMs = (lease: Lease): number => reservedFor(lease, { leases, others, requester, terms });
  const free = leases.filter((lease) => lease.state !== 'filled' || takenMs(lease) <= 0).toSorted(emptyThenOldest);
  if (ahead(me, others, leases) < free.length) {
    for (const { slot, made } of free) {
      if (!(await tryLock(client, slot))) continue;
      await client.query(
        `update ${LEASES}
            set state = 'filling', school_id = $2, position = $3, event_id = $4, forgettings = $5, asker = $6, used_at = clock_timestamp(),
                leaving = null
          where slot = $1`,
        [slot, content.schoolId, String(content.position), content.eventId, content.forgettings, accountId],
      );
      await markServed(client, requester);
      return { kind: 'fill', slot, made };
    }
    // Somebody is still reading: no new reader is let in until they have finished, or nobody would ever get it.
    const next = free.find(({ state }) => state === 'filled');
    if (next) await client.query(`update ${LEASES} set leaving = clock_timestamp() where slot = $1`, [next.slot]);
  }
  await markWaiting(client, requester);
  return { kind: 'taken', forMs: Math.max(A_LOOK_MS, Math.min(...leases.map(takenMs))) };
};

/** Called over another connection than that of the filling, whose transaction nobody sees into. */
export const markFilling = async (client: ClientBase, slot: number, { done, total }: Filling): Promise<void> => {
  await client.query(
    `insert into ${FILLINGS} values ($1, $2, $3) on conflict (slot) do update set done = excluded.done, total = excluded.total`,
    [slot, done, total],
  );
};

/** How far the schema is that is being filled with this content, in whichever process. */
export const fillingOf = async (client: ClientBase, content: Content): Promise<Filling> => {
  const { rows } = await client.query<Filling>(
    `select done, total from ${FILLINGS} join ${LEASES} using (slot)
      where state = 'filling' and school_id = $1 and position = $2 and forgettings = $3`,
    [content.schoolId, String(content.position), content.forgettings],
  );
  return rows[0] ?? { done: 0, total: 0 };
};

/** Called within the transaction that filled it; the lock is released after the commit. */
export const markFilled = async (client: ClientBase, slot: number, made: string): Promise<void> => {
  await client.query(
    `update ${LEASES} set state = 'filled', made = $2, used_at = clock_timestamp(), filled_at = clock_timestamp() where slot = $1`,
    [slot, made],
  );
};

export const unlock = async (client: ClientBase, slot: number): Promise<void> => {
  await client.query(`select pg_advisory_unlock(${LOCKS}, $1)`, [slot]);
};

/** Called by a reader within its transaction: keeps the schema unchanged until its end. False: it no longer has this content. */
export const hold = async (ask: Ask, slot: number, content: Content): Promise<boolean> => {
  const [[lock], lease] = await Promise.all([
    ask<{ held: boolean }>({ text: `select pg_try_advisory_xact_lock_shared(${LOCKS}, $1) as held` }, [slot]),
    ask(
      {
        text: `select from ${LEASES}
                where slot = $1 and state = 'filled' and school_id = $2 and position = $3 and event_id is not distinct from $4
                  and made = $5 and forgettings = $6
                  and (leaving is null or leaving < clock_timestamp() - interval '${LEAVING_MS} ms')`,
      },
      [slot, content.schoolId, String(content.position), content.eventId, content.shape, content.forgettings],
    ),
  ]);
  return lock?.held === true && lease.length > 0;
};

/** Locks one schema whose rows must be deleted: unused for long, left half-filled by a dead process, or older than a forgetting. */
export const lockOverdue = async (client: ClientBase, forgettings: string, { idleMs }: Terms): Promise<number | undefined> => {
  const { rows } = await client.query<{ slot: number }>(
    `select slot from ${LEASES}
      where state = 'filling' or (state = 'filled' and (used_at < clock_timestamp() - $1 * interval '1 ms' or forgettings <> $2))
      order by slot`,
    [idleMs, forgettings],
  );
  for (const { slot } of rows) if (await tryLock(client, slot)) return slot;
  return undefined;
};

export const markEmpty = async (client: ClientBase, slot: number): Promise<void> => {
  await client.query(
    `update ${LEASES} set state = 'empty', school_id = null, position = null, event_id = null, forgettings = null, asker = null where slot = $1`,
    [slot],
  );
};

/** Any schema is, or is being filled. */
export const areFilled = async (client: ClientBase): Promise<boolean> =>
  (await client.query(`select from ${LEASES} where state <> 'empty' limit 1`)).rowCount === 1;

type Lease = {
  readonly slot: number;
  readonly state: 'empty' | 'filling' | 'filled';
  readonly schoolId: string | null;
  readonly position: string | null;
  readonly eventId: string | null;
  readonly forgettings: string | null;
  readonly made: string | null;
  readonly accountId: string | null;
  /** ms since its last use */
  readonly idleMs: number;
  /** ms since its filling */
  readonly heldMs: number;
  /** ms since it was last promised to somebody else; null: never since its filling */
  readonly leavingMs: number | null;
};

/** First key of the advisory locks; the slot is the second. */
const LOCKS = `hashtext('marktrail as-of')`;
/** The wait suggested while schemas are being filled. */
const A_FILLING_MS = 5_000;
/** The pause before looking again for a schema that is being read. */
const A_LOOK_MS = 100;
/** Time reserved between filling a schema and reading it: otherwise two users might take it from each other for ever. */
const A_READING_MS = 250;

const leasesOf = async (client: ClientBase, schemas: number): Promise<Lease[]> => {
  const { rows } = await client.query<Lease>(
    `select slot, state, school_id as "schoolId", position, event_id as "eventId", forgettings, made, asker as "accountId",
            (extract(epoch from statement_timestamp() - used_at) * 1000)::float8 as "idleMs",
            (extract(epoch from statement_timestamp() - coalesce(filled_at, used_at)) * 1000)::float8 as "heldMs",
            (extract(epoch from statement_timestamp() - leaving) * 1000)::float8 as "leavingMs"
       from ${LEASES} where slot <= $1 order by slot`,
    [schemas],
  );
  return rows;
};

const isOf = (lease: Lease, { schoolId, position, eventId, forgettings }: Content): boolean =>
  lease.schoolId === schoolId && lease.position === String(position) && lease.eventId === eventId && lease.forgettings === forgettings;

/** Whoever it was promised to looks again several times within this time. */
const LEAVING_MS = 2_000;
const isLeaving = ({ leavingMs }: Lease): boolean => leavingMs !== null && leavingMs < LEAVING_MS;

type Situation = {
  readonly leases: readonly Lease[];
  /** who else waits */
  readonly others: readonly WaitingRequester[];
  readonly requester: Requester;
  readonly terms: Terms;
};

/**
 * For how many ms a schema is still reserved. Nobody keeps two schemas while others wait: the schema of an account that has moved on is free as
 * soon as there was time to read it. So is, for a school that has less than its share, any schema of one that has more.
 */
const reservedFor = (lease: Lease, { leases, others, requester, terms: { schemas, keepMs, turnMs } }: Situation): number => {
  if (lease.state !== 'filled') return A_FILLING_MS;
  const isSameAccount = ({ accountId }: { readonly accountId: string | null }): boolean =>
    accountId !== null && accountId === lease.accountId;
  const hasMovedOn =
    [requester, ...others].some(isSameAccount) || leases.some((other) => isSameAccount(other) && other.idleMs < lease.idleMs);
  const countOf = (schoolId: string | null): number => leases.filter((one) => one.state !== 'empty' && one.schoolId === schoolId).length;
  const share = shareOf(
    [...leases, ...others, requester].map(({ schoolId }) => schoolId),
    schemas,
  );
  const isOverShare = lease.schoolId !== requester.schoolId && countOf(lease.schoolId) > share && countOf(requester.schoolId) < share;
  return Math.min(
    (hasMovedOn ? A_READING_MS : Math.max(keepMs, A_READING_MS)) - lease.idleMs,
    (isOverShare ? A_READING_MS : Math.max(turnMs, A_READING_MS)) - lease.heldMs,
  );
};

const emptyThenOldest = (a: Lease, b: Lease): number =>
  Number(b.state === 'empty') - Number(a.state === 'empty') || b.idleMs - a.idleMs || a.slot - b.slot;

/** A session lock, so that it outlives the transactions of the filling. */
const tryLock = (client: ClientBase, slot: number): Promise<boolean> => lock(client, 'pg_try_advisory_lock', slot);

const isFree = (client: ClientBase, slot: number): Promise<boolean> => lock(client, 'pg_try_advisory_xact_lock_shared', slot);

const lock = async (client: ClientBase, how: string, slot: number): Promise<boolean> => {
  const { rows } = await client.query<{ held: boolean }>(`select ${how}(${LOCKS}, $1) as held`, [slot]);
  return rows[0]?.held === true;
};
