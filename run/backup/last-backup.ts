import type { Pool } from 'pg';
import { type Finding, minuteOf } from '../checks/finding.ts';

/** What is known of the backups of this installation. @param every hours of the schedule; undefined: there is none */
export const backupState = async (pool: Pick<Pool, 'query'>, every: number | undefined): Promise<Finding> => {
  const { rows } = await pool.query<{ at: Date; verifiedAt: Date; isMade: boolean; hours: number }>(
    `select distinct on (bytes is not null) at, verified_at as "verifiedAt", bytes is not null as "isMade",
            extract(epoch from now() - at)::float8 / 3600 as hours
       from operations.backups order by bytes is not null, at desc`,
  );
  const made = rows.find(({ isMade }) => isMade);
  const failed = rows.find(({ isMade }) => !isMade);
  const fact = made
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
  return { ...(fact !== undefined && { fact }), ...(problem !== undefined && { problem }) };
};
