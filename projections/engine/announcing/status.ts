import type { ClientBase } from 'pg';
import type { EventStore, Position } from '../../../events/store/port.ts';
import type { Reached } from './announcement.ts';
import { buildTuples, type BuildId } from '../building/build.ts';
import { applicationName } from '../database.ts';

/** The state of a build according to the database, whichever process works on it. */
export type BuildStatus = BuildId & {
  /**
   *   running   served and kept up to date
   *   filling   will replace the served one
   *   stopped   at an event that it cannot apply
   *   waiting   no process works on it
   *   stale     served, but built from another log than this one; its replacement is catching up
   */
  readonly state: 'running' | 'filling' | 'stopped' | 'waiting' | 'stale';
  readonly serving: boolean;
  readonly position: Position;
  /** when it was begun to be built */
  readonly begunAt: string;
  /** why it is built, as a sentence */
  readonly reason: string | null;
  /** why it has stopped, as a sentence */
  readonly error: string | null;
  /** id of the event that it has stopped at */
  readonly stoppedAt: string | null;
};

/** Every build with tables here. Empty if no projector was ever started. */
export const buildStatuses = async (client: Pick<ClientBase, 'query'>, schema = 'read'): Promise<BuildStatus[]> => {
  if (!(await isPrepared(client, schema))) return [];
  const { rows } = await client.query<Row>(
    `select v.projection as name, v.version, v.generation, v.serving, v.stale, v.reason, v.trouble, v.trouble_event, v.begun_at, c.position,
            exists (
              select from ${schema}.lease l
               where (l.projection, l.version, l.generation) = (v.projection, v.version, v.generation) and l.until > clock_timestamp()
                 and exists (
                   select from pg_stat_activity a
                    where a.datname = current_database() and a.application_name = '${applicationName('')}' || l.holder::text)
            ) as alive
       from ${schema}.version v join ${schema}.checkpoint c using (projection, version, generation)
      where c.partition = 'all' and not v.shadow
      order by v.projection, v.version, v.generation`,
  );
  return rows.map((row) => ({
    name: row.name,
    version: row.version,
    generation: row.generation,
    state: stateOf(row),
    serving: row.serving,
    position: BigInt(row.position),
    begunAt: row.begun_at.toISOString(),
    reason: row.reason,
    error: row.trouble,
    stoppedAt: row.trouble_event,
  }));
};

/** The position of each served build, by name. */
export const reachedBy = async (client: Pick<ClientBase, 'query'>, schema: string): Promise<Map<string, Reached>> => {
  const { rows } = await client.query<{ name: string; version: number; generation: number; stale: boolean; position: string }>(
    `select v.projection as name, v.version, v.generation, v.stale, c.position
       from ${schema}.version v join ${schema}.checkpoint c using (projection, version, generation)
      where v.serving and c.partition = 'all'`,
  );
  return new Map(
    rows.map(({ name, version, generation, stale, position }) => [
      name,
      { build: [version, generation, stale ? 1 : 0], position: stale ? 0n : BigInt(position) },
    ]),
  );
};

/** Records a build's error for other processes; null clears it. */
export const recordTrouble = async (
  client: Pick<ClientBase, 'query'>,
  schema: string,
  build: BuildId,
  trouble: { readonly error: string; readonly eventId: string | null } | null,
): Promise<void> => {
  await client.query(
    `update ${schema}.version set trouble = $1, trouble_event = $2 where (projection, version, generation) in (${buildTuples([build])})`,
    [trouble?.error ?? null, trouble?.eventId ?? null],
  );
};

/** How far a build is behind the log. */
export type Lag = {
  /** counted up to `MOST_COUNTED` */
  readonly events: number;
  /** there are more than that */
  readonly orMore: boolean;
  /** age of the oldest event that it has not applied yet */
  readonly seconds: number;
};

/** The lag of each of these positions: one read of the log for each distinct position, none for the head. */
export const lagsAt = async (
  store: Pick<EventStore, 'readAll'>,
  head: Position,
  positions: readonly Position[],
): Promise<ReadonlyMap<Position, Lag>> => {
  const lags = new Map<Position, Lag>();
  for (const position of new Set(positions)) lags.set(position, position >= head ? NO_LAG : await lagAt(store, position));
  return lags;
};

const NO_LAG: Lag = { events: 0, orMore: false, seconds: 0 };
const MOST_COUNTED = 10_000;
const MOST_MS = 300;

const lagAt = async (store: Pick<EventStore, 'readAll'>, position: Position): Promise<Lag> => {
  const begin = performance.now();
  let events = 0;
  let seconds = 0;
  for await (const event of store.readAll(position === 0n ? 'start' : position)) {
    if (events === 0) seconds = ageOf(event.metadata);
    events += 1;
    if (events >= MOST_COUNTED || performance.now() - begin > MOST_MS) return { events, orMore: true, seconds };
  }
  return { events, orMore: false, seconds };
};

const ageOf = (metadata: string): number => {
  const { at } = JSON.parse(metadata) as { at?: string };
  const age = (Date.now() - Date.parse(at ?? '')) / 1000;
  return Number.isFinite(age) ? Math.max(0, Math.round(age)) : 0;
};

type Row = Omit<BuildId, 'name'> & {
  name: string;
  serving: boolean;
  stale: boolean;
  alive: boolean;
  reason: string | null;
  trouble: string | null;
  trouble_event: string | null;
  begun_at: Date;
  position: string;
};

const stateOf = ({ stale, serving, alive, trouble }: Row): BuildStatus['state'] => {
  if (stale) return 'stale';
  if (trouble !== null) return 'stopped';
  if (!alive) return 'waiting';
  return serving ? 'running' : 'filling';
};

const isPrepared = async (client: Pick<ClientBase, 'query'>, schema: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('${schema}.lease') is not null as there`);
  return rows[0]?.there ?? false;
};
