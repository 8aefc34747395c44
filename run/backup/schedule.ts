import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { sayable } from '../../events/store/postgres/without-values.ts';
import type { Settings } from '../settings.ts';
import { withClient } from '../with-client.ts';
import { makeBackup } from './backup.ts';

export type ScheduleOptions = {
  readonly settings: Settings & { readonly backupDir: string };
  readonly databaseUrl: string;
  /** Prints a line on the console. */
  readonly tell: (line: string) => void;
  /** How often it is looked whether one is due. */
  readonly lookMs?: number;
};

/**
 * Makes a backup in BACKUP_DIR every so many hours, of several processes one at a time, and removes old ones. A failure is tried again at the
 * next look that is due, a tenth of the time later.
 *
 * @returns a function that ends it, and the backup under way
 */
export const startBackups = ({ settings, databaseUrl, tell, lookMs = 60_000 }: ScheduleOptions): (() => Promise<void>) => {
  const stopping = new AbortController();
  const look = (): Promise<void> =>
    makeIfDue(settings, databaseUrl, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) tell(`The backup failed: ${sayable(error)}`);
    });
  let last = look();
  const timer = setInterval(() => (last = last.then(look)), lookMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await last;
  };
};

const makeIfDue = async (settings: ScheduleOptions['settings'], databaseUrl: string, stopping: AbortSignal): Promise<void> => {
  const { backupDir, backupEvery } = settings;
  await withClient(databaseUrl, async (client) => {
    if (!(await isDue(client, backupEvery)) || !(await isAlone(client)) || !(await isDue(client, backupEvery)) || stopping.aborted) return;
    const now = new Date();
    try {
      await mkdir(backupDir, { recursive: true });
      await makeBackup({ settings, databaseUrl, stopping, path: join(backupDir, nameOf(now)) });
    } catch (error) {
      if (!stopping.aborted) await client.query('insert into operations.backups (at, place) values ($1, $2)', [now, backupDir]);
      throw error;
    }
    const there = (await readdir(backupDir)).filter((name) => timeIn(name) !== undefined);
    const kept = keptOf(there);
    for (const name of there) if (!kept.has(name)) await rm(join(backupDir, name));
  });
};

const isDue = async (client: pg.Client, hours: number): Promise<boolean> => {
  const { rows } = await client.query<{ due: boolean }>(
    `select not exists (
       select from operations.backups
        where at > now() - make_interval(mins => 60 * $1) and (bytes is not null or at > now() - make_interval(mins => 6 * $1))
     ) as due`,
    [hours],
  );
  return rows[0]?.due === true;
};

/** As long as the connection lasts. */
const isAlone = async (client: pg.Client): Promise<boolean> =>
  (await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(hashtextextended('marktrail backups', 0)) as alone`)).rows[0]
    ?.alone === true;

/** marktrail-2026-11-28T0930Z.backup */
export const nameOf = (time: Date): string => `marktrail-${time.toISOString().slice(0, 16).replace(':', '')}Z.backup`;

const timeIn = (name: string): number | undefined => {
  const found = /^marktrail-(\d{4}-\d\d-\d\dT\d\d)(\d\d)Z\.backup$/.exec(name);
  return found ? Date.parse(`${found[1]}:${found[2]}Z`) : undefined;
};

/** Of these files, those of the last 7 days, 4 weeks and 12 months that have any: the newest of each. */
export const keptOf = (names: readonly string[]): ReadonlySet<string> => {
  const newestFirst = names
    .filter((name) => timeIn(name) !== undefined)
    .sort()
    .reverse();
  const newestOf = (most: number, spanOf: (time: number) => number | string): string[] => {
    const newest = new Map<number | string, string>();
    for (const name of newestFirst) {
      const span = spanOf(timeIn(name) ?? 0);
      if (!newest.has(span)) newest.set(span, name);
    }
    return [...newest.values()].slice(0, most);
  };
  return new Set([
    ...newestOf(7, (time) => Math.floor(time / DAY_MS)),
    // 1 January 1970 was a Thursday, and a week begins on Monday.
    ...newestOf(4, (time) => Math.floor((time / DAY_MS + 3) / 7)),
    ...newestOf(12, (time) => new Date(time).toISOString().slice(0, 7)),
  ]);
};
const DAY_MS = 86_400_000;
