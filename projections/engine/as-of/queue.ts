import type { ClientBase } from 'pg';
import { TURNS } from './places.ts';

/** A school's account that asks for a schema. */
export type Requester = { readonly schoolId: string; readonly accountId: string };

/** Somebody who waits for a schema in some process right now. */
export type WaitingRequester = Requester & {
  /** ms since a schema was filled for the account, and for its school; null: never */
  readonly servedMs: number | null;
  readonly schoolServedMs: number | null;
  readonly waitsMs: number;
};

/** A schema in use. */
export type Held = { readonly state: 'empty' | 'filling' | 'filled'; readonly schoolId: string | null; readonly accountId: string | null };

/**
 * How many wait before this one. Schools take turns: first those that hold the fewest schemas, then those that were served longest ago; within
 * a school its accounts take turns. So an account that browses many moments delays its own school more than any other, and a school with many
 * accounts gets no more turns than one with a single account.
 */
export const ahead = (me: WaitingRequester, others: readonly WaitingRequester[], leases: readonly Held[]): number => {
  const schools = [...Map.groupBy([me, ...others], ({ schoolId }) => schoolId).values()]
    .toSorted((a, b) => heldBy(a, leases) - heldBy(b, leases) || since(b[0]?.schoolServedMs) - since(a[0]?.schoolServedMs))
    .map((accounts) => accounts.toSorted((a, b) => since(b.servedMs) - since(a.servedMs) || b.waitsMs - a.waitsMs));
  const mine = schools.findIndex((accounts) => accounts.includes(me));
  const round = schools[mine]?.indexOf(me) ?? 0;
  return schools.reduce((before, accounts, place) => before + Math.min(accounts.length, place < mine ? round + 1 : round), 0);
};

/** Never served counts as the longest time: a finite one, because the difference of two must be a number. */
const since = (ms: number | null | undefined): number => ms ?? Number.MAX_SAFE_INTEGER;

/** The school's schemas, without the one that a waiting account would give up for its new one. */
const heldBy = (accounts: readonly WaitingRequester[], leases: readonly Held[]): number =>
  Math.min(
    ...accounts.map(
      ({ schoolId, accountId }) =>
        leases.filter((lease) => lease.state !== 'empty' && lease.schoolId === schoolId && lease.accountId !== accountId).length,
    ),
  );

/** A school's fair share of the schemas while others wait. */
export const shareOf = (schools: readonly (string | null)[], schemas: number): number =>
  Math.max(1, Math.floor(schemas / new Set(schools.filter((school) => school !== null)).size));

/** A requester counts as waiting for this long after its last look, so that one that has died or given up holds nobody up. */
const PRESENT_MS = 3_000;

/** The account, which may be new, and everybody else who waits, in any process. */
export const readQueue = async (
  client: ClientBase,
  { schoolId, accountId }: Requester,
): Promise<{ me: WaitingRequester; others: WaitingRequester[] }> => {
  const { rows } = await client.query<WaitingRequester & { readonly waits: boolean | null }>(
    `select * from (
       select school_id as "schoolId", asker as "accountId", ${msSince('served_at')} as "servedMs",
              ${msSince('max(served_at) over (partition by school_id)')} as "schoolServedMs",
              case when until > statement_timestamp() then ${msSince('since')} else 0 end as "waitsMs",
              until > statement_timestamp() as waits
         from ${TURNS}) as turn
      where waits or "schoolId" = $1`,
    [schoolId],
  );
  const schoolServedMs = rows.find((row) => row.schoolId === schoolId)?.schoolServedMs ?? null;
  const me = rows.find((row) => row.accountId === accountId) ?? { schoolId, accountId, servedMs: null, schoolServedMs, waitsMs: 0 };
  return { me, others: rows.filter((row) => row.accountId !== accountId && row.waits === true) };
};

const msSince = (time: string): string => `(extract(epoch from statement_timestamp() - ${time}) * 1000)::float8`;

export const markWaiting = async (client: ClientBase, { schoolId, accountId }: Requester): Promise<void> => {
  await client.query(
    `insert into ${TURNS} as turn (asker, school_id, since, until) values ($1, $2, now(), now() + interval '${PRESENT_MS} ms')
     on conflict (asker) do update set school_id = excluded.school_id, until = excluded.until,
       since = case when turn.until > now() then turn.since else excluded.since end`,
    [accountId, schoolId],
  );
};

/** A schema is filled for the account, which goes to the end of the queue. */
export const markServed = async (client: ClientBase, { schoolId, accountId }: Requester): Promise<void> => {
  await client.query(
    `insert into ${TURNS} (asker, school_id, served_at) values ($1, $2, now())
     on conflict (asker) do update set school_id = excluded.school_id, served_at = excluded.served_at, until = null`,
    [accountId, schoolId],
  );
};

/** Deletes the turns of requesters who were served long ago. */
export const forgetTurns = async (client: ClientBase): Promise<void> => {
  await client.query(`delete from ${TURNS} where greatest(served_at, until) < now() - interval '1 hour'`);
};
