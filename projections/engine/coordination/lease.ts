import type { ClientBase } from 'pg';
import { buildTuples, type BuildId } from '../building/build.ts';
import { BUILDS_CHANNEL } from '../building/bookkeeping.ts';
import { applicationName } from '../database.ts';

/**
 * Which process works on a build. The fence against applying anything twice is the checkpoint's row lock (checkpoint.ts); leases only
 * decide who works and who is on standby, so that a hung process is noticed: without a heartbeat for three seconds, or without a
 * connection, a process loses its builds to the next one that asks.
 *
 * As long as nobody else could take them, a process whose builds are all running beats seldom, with leases to match. Who comes makes these short,
 * and says so: if the process does not answer within the three seconds, it hangs.
 */
export const BEAT_MS = 1_000;
export const SELDOM_MS = 10_000;
const TERM = `interval '3 seconds'`;
const LONG_TERM = `interval '15 seconds'`;
/** Longer than what a process in company or a rebuild takes. */
const LONG = `clock_timestamp() + interval '6 seconds'`;

/** A build of the program's own version, according to the database. */
export type SeenBuild = BuildId & {
  readonly serving: boolean;
  readonly stale: boolean;
  readonly position: bigint;
  readonly trouble: string | null;
  /** this process has the lease */
  readonly mine: boolean;
};

/**
 * `builds`: all of the program's versions; `servedVersions`: of each projection; `areAllServed`: there is no build that is not; `isAlone`: no
 * other process is there, and the leases are long.
 */
export type Beaten = {
  readonly builds: readonly SeenBuild[];
  readonly servedVersions: ReadonlyMap<string, number>;
  readonly areAllServed: boolean;
  readonly isAlone: boolean;
};

/**
 * A heartbeat: renews the leases of `holder`, takes those without a live holder, and tells what is there. `isSteady`: all its builds are running. The connections of a process that
 * loses a lease are ended: a hanging transaction in one of them would hold the fence for ever.
 */
export const beat = async (
  client: ClientBase,
  schema: string,
  holder: string,
  versions: readonly { readonly name: string; readonly version: number }[],
  { isSteady }: { readonly isSteady: boolean },
): Promise<Beaten> => {
  const wanted = versions.map(({ name, version }) => `('${name}', ${version})`).join(', ');
  // One statement, because it is most of what a product at rest does. Named, so that a connection plans it once.
  const { rows } = await client.query<Beat>({
    name: 'beat',
    text: `with former as (select * from ${schema}.lease),
     company as (
       select not $3 or exists (
         select from pg_stat_activity a
          where a.datname = current_database() and a.application_name like $2 || '%' and a.application_name <> $2 || $1::uuid::text) as has
     ),
     taken as (
       insert into ${schema}.lease as l (projection, version, generation, holder, until)
       select v.projection, v.version, v.generation, $1, clock_timestamp() + case when company.has then ${TERM} else ${LONG_TERM} end
         from ${schema}.version v cross join company
        where (v.projection, v.version) in (${wanted}) and not v.stale and not v.shadow
          and (v.serving or not exists (
            select from ${schema}.version s
             where s.projection = v.projection and s.serving and s.version = v.version and s.generation > v.generation))
        order by 1, 2, 3
       on conflict (projection, version, generation) do update set holder = excluded.holder, until = excluded.until
        where l.holder = excluded.holder or l.until < clock_timestamp() or not exists (
          select from pg_stat_activity a
           where a.datname = current_database() and a.application_name = $2 || l.holder::text)
       returning projection, version, generation
     )
     select v.projection as name, v.version, v.generation, v.serving, v.stale, v.trouble, c.position,
       taken.projection is not null as mine, case when taken.projection is not null then former.holder end as former,
       taken.projection is null and former.until > ${LONG} as long, not company.has as alone,
       (v.projection, v.version) in (${wanted}) and not v.shadow and c.position is not null as wanted
       from ${schema}.version v cross join company
       left join ${schema}.checkpoint c
         on (c.projection, c.version, c.generation) = (v.projection, v.version, v.generation) and c.partition = 'all'
       left join taken on (taken.projection, taken.version, taken.generation) = (v.projection, v.version, v.generation)
       left join former on (former.projection, former.version, former.generation) = (v.projection, v.version, v.generation)
      order by v.projection, v.generation`,
    values: [holder, applicationName(''), isSteady],
  });
  if (rows.some(({ long }) => long)) await client.query(shorten(schema), [holder]);
  const dead = [...new Set(rows.map(({ former }) => former).filter((former) => former !== null && former !== holder))];
  if (dead.length > 0) await client.query(END_CONNECTIONS, [dead.map((former) => applicationName(former ?? ''))]);
  return {
    builds: rows.flatMap(({ wanted: isWanted, former: _, long: _long, alone: _alone, position, ...build }) =>
      isWanted ? [{ ...build, position: BigInt(position) }] : [],
    ),
    servedVersions: new Map(rows.flatMap(({ name, version, serving }) => (serving ? [[name, version]] : []))),
    areAllServed: rows.every(({ serving }) => serving),
    isAlone: rows.some(({ alone }) => alone),
  };
};

type Beat = Omit<SeenBuild, 'position'> & {
  readonly position: string;
  readonly former: string | null;
  readonly wanted: boolean;
  /** another process has a long lease */
  readonly long: boolean;
  readonly alone: boolean;
};

const shorten = (schema: string): string => `
  with shorter as (update ${schema}.lease set until = clock_timestamp() + ${TERM} where holder <> $1 and until > ${LONG} returning holder)
  select pg_notify('${BUILDS_CHANNEL}', '') from shorter`;

/** A heartbeat for builds that this holder has started itself. */
export const renew = async (client: ClientBase, schema: string, holder: string, builds: readonly BuildId[]): Promise<void> => {
  if (builds.length === 0) return;
  await client.query(
    `update ${schema}.lease set until = clock_timestamp() + ${TERM}
      where holder = $1 and (projection, version, generation) in (${buildTuples(builds)})`,
    [holder],
  );
};

/** Releases all leases, so that others can take over at once. */
export const release = async (client: ClientBase, schema: string, holder: string): Promise<void> => {
  await client.query(`delete from ${schema}.lease where holder = $1`, [holder]);
};

const END_CONNECTIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and application_name = any ($1) and pid <> pg_backend_pid()`;
