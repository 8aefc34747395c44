import { statfs } from 'node:fs/promises';
import type { Pool } from 'pg';
import { clusterIn } from './postgres/cluster.ts';

/** In bytes. `isHere`: the database is on the same disk. */
type Room = { readonly free: number; readonly total: number; readonly database: number; readonly isHere: boolean };
/** Sentences for the operator. `problem`: left out while there is room. */
export type DiskState = { readonly disk: string; readonly problem?: string };

/** The disk of DATA_DIR, and how large the database is. */
export const roomIn = async (pool: Pick<Pool, 'query'>, dataDir: string): Promise<Room> => {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const { rows } = await pool.query<{ bytes: number; place: string | null }>(
    `select pg_database_size(current_database())::float8 as bytes,
            case when pg_has_role('pg_read_all_settings', 'member') then current_setting('data_directory') end as place`,
  );
  return { free: bavail * bsize, total: blocks * bsize, database: rows[0]?.bytes ?? 0, isHere: rows[0]?.place === clusterIn(dataDir) };
};

export const diskState = ({ free, total, database, isHere }: Room): DiskState => ({
  disk:
    `${sizeOf(free)} of ${sizeOf(total)} are free on the disk of DATA_DIR. The database takes ${sizeOf(database)} ` +
    (isHere ? 'there.' : 'elsewhere: how full its disk is, is not known here.'),
  ...(free < LEAST && {
    problem:
      `The disk of DATA_DIR has ${sizeOf(free)} left: make room there. Once it is full, ` +
      (isHere ? 'nothing can be stored, and no backup is made.' : 'no head is kept, and no backup is made.'),
  }),
});

/** PostgreSQL alone keeps up to 1 GB of write-ahead log after many saves, and has begun to by then. */
const LEAST = 1e9;

const sizeOf = (bytes: number): string => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
