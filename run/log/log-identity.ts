/** What is known of the log that belongs here: in the database of the read models, and in the data directory. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { EventStore } from '../../events/store/port.ts';
import { isUuid } from '../../events/uuid.ts';

/** Where the log's identity is kept: the database of the read models, and the data directory, which remains when that database is lost. */
export type LogKeeper = {
  readonly sql: Pick<pg.Pool, 'query'>;
  readonly dataDir?: string | undefined;
  /** Where the log is, for people. */
  readonly place: string;
};

export type KnownLog = {
  /** Where the log was. */
  readonly place: string | undefined;
  /** The identity of the log that belongs here; undefined: not known yet. */
  readonly logId: string | undefined;
  /** The data directory knows an identity that the database never had: one of them is new here, or another installation's. */
  readonly isFromDataDir: boolean;
  /** The newest event that the served read models have applied, of those that no operator has given up by accepting a log without them. */
  readonly newest: { readonly position: bigint; readonly id: string } | undefined;
};

export const readKnownLog = async ({ sql, dataDir }: LogKeeper): Promise<KnownLog> => {
  const origin = await sql.query<{ place: string; missing: string | null; logId: string | null; all: (string | null)[] }>(
    `select place, missing, log_id as "logId", (select array_agg(log_id) from operations.log_origin) as all
       from operations.log_origin order by number desc limit 1`,
  );
  const [row] = origin.rows;
  const inDataDir = await idInDataDir(dataDir);
  const isFromDataDir = inDataDir !== undefined && !row?.all.includes(inDataDir);
  return {
    place: row?.place,
    logId: isFromDataDir ? inDataDir : (row?.logId ?? undefined),
    isFromDataDir,
    newest: await newestEvent(sql),
  };
};

const newestEvent = async (sql: LogKeeper['sql']): Promise<KnownLog['newest']> => {
  const { rows } = await sql.query<{ position: string; id: string }>(NEWEST).catch((error: unknown) => {
    // Before the first start there are no read models. Not looked up each time, because this is asked every few seconds.
    if (error instanceof pg.DatabaseError && error.code === '42P01') return { rows: [] };
    throw error;
  });
  return rows[0] && { position: BigInt(rows[0].position), id: rows[0].id };
};

const NEWEST = `
  select c.position, c.event_id as id
    from read.version v join read.checkpoint c using (projection, version, generation)
   where v.serving and not v.stale and c.partition = 'all' and c.event_id is not null
     and not exists (select from operations.log_origin o where o.missing = c.event_id or c.event_id = any (o.given_up))
   order by c.position desc
   limit 1`;

/** The last events of the read models that are not in the log. */
export const missingEvents = async (sql: LogKeeper['sql'], log: Pick<EventStore, 'eventAt'>): Promise<string[]> => {
  if (!(await relationExists(sql, 'read.checkpoint'))) return [];
  const { rows } = await sql.query<{ position: string; id: string }>(
    `select distinct position, event_id as id from read.checkpoint where partition = 'all' and event_id is not null`,
  );
  const missing = new Set<string>();
  for (const { position, id } of rows) if ((await log.eventAt(BigInt(position)))?.id !== id) missing.add(id);
  return [...missing];
};

export const recordLog = async ({ sql, place }: LogKeeper, logId: string | null): Promise<void> => {
  await sql.query(
    `insert into operations.log_origin (place, log_id)
     select $1, $2::uuid
      where not exists (
        select from (select place, log_id from operations.log_origin order by number desc limit 1) as last
         where last.place = $1 and last.log_id is not distinct from $2::uuid
      )`,
    [place, logId],
  );
};

const fileIn = (dataDir: string): string => join(dataDir, 'log-id');

const idInDataDir = async (dataDir: string | undefined): Promise<string | undefined> => {
  if (dataDir === undefined) return undefined;
  const text = (await readFile(fileIn(dataDir), 'utf8').catch(() => '')).trim();
  return isUuid(text) ? text : undefined;
};

/** Not where there is no data directory: with a database and keys of its own an installation needs none. */
export const keepLogIdInDataDir = async ({ dataDir }: LogKeeper, logId: string | undefined): Promise<void> => {
  if (dataDir === undefined || (await idInDataDir(dataDir)) === logId) return;
  const keeping = logId === undefined ? rm(fileIn(dataDir), { force: true }) : writeFile(fileIn(dataDir), `${logId}\n`);
  await keeping.catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
};

export const relationExists = async (sql: LogKeeper['sql'], relation: string): Promise<boolean> =>
  (await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [relation])).rows[0]?.there === true;
