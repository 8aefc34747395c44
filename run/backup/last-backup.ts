import type { Pool } from 'pg';

/** What is known of the backups of this installation, as sentences for the operator; undefined: nothing. */
export type BackupState = { readonly backup?: string; readonly problem?: string };

/** @param every hours of the schedule; undefined: there is none */
export const backupState = async (pool: Pick<Pool, 'query'>, every: number | undefined): Promise<BackupState> => {
  const { rows } = await pool.query<{ at: Date; verifiedAt: Date; isMade: boolean; hours: number }>(
    `select distinct on (bytes is not null) at, verified_at as "verifiedAt", bytes is not null as "isMade",
            extract(epoch from now() - at)::float8 / 3600 as hours
       from operations.backups order by bytes is not null, at desc`,
  );
  const made = rows.find(({ isMade }) => isMade);
  const failed = rows.find(({ isMade }) => !isMade);
  const backup = made
    ? `The last backup is of ${minuteOf(made.at)}, and was read back at ${minuteOf(made.verifiedAt)}.`
    : every === undefined
      ? undefined
      : 'There is no backup yet.';
  const problem =
    failed && (!made || failed.at > made.at)
      ? `The backup of ${minuteOf(failed.at)} failed, and is tried again. The error is on the console of the server.`
      : every !== undefined && made && made.hours > 2 * every + 1
        ? `The last backup is ${Math.floor(made.hours)} hours old, although one is to be made every ${every}.`
        : undefined;
  return { ...(backup !== undefined && { backup }), ...(problem !== undefined && { problem }) };
};

/** 2026-11-22 06:55 UTC */
const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
