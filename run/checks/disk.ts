import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { troubleWith } from '../../events/store/postgres/away.ts';
import { urlOfRunningServer } from '../postgres/server.ts';
import type { Finding } from './finding.ts';

/** In bytes. `isHere`: the database is on the same disk. */
export type Room = { readonly free: number; readonly total: number; readonly database: number; readonly isHere: boolean };

/** The disk of DATA_DIR, and how large the database is. */
export const roomIn = async (
  sql: Pick<Pool, 'query'>,
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string },
): Promise<Room> => {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const { rows } = await sql.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes');
  const isHere = urlOfRunningServer(dataDir) === databaseUrl;
  return { free: bavail * bsize, total: blocks * bsize, database: rows[0]?.bytes ?? 0, isHere };
};

export const diskState = ({ free, total, database, isHere }: Room): Finding => ({
  fact:
    `${sizeOf(free)} of ${sizeOf(total)} are free on the disk of DATA_DIR. The database takes ${sizeOf(database)} ` +
    (isHere ? 'there.' : 'elsewhere: how full its disk is, is not known here.'),
  ...(free < LEAST && {
    problem:
      `The disk of DATA_DIR has ${sizeOf(free)} left: make room there. Once it is full, ` +
      (isHere ? 'nothing can be stored, and no backup is made.' : 'no head is kept, and no backup is made.'),
  }),
});

/** PostgreSQL alone keeps up to 1 GB of write-ahead log after many saves, and has begun to by then. */
export const LEAST = 1e9;

const sizeOf = (bytes: number): string => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);

export type Writing = {
  readonly pool: Pick<Pool, 'query'>;
  readonly dataDir: string;
  /** Writes a file of DATA_DIR; only tests have another. */
  readonly writeFile?: (path: string) => Promise<void>;
};

/** Whether the database can be written to. */
export const writingToDatabase = async ({ pool }: Pick<Writing, 'pool'>): Promise<Finding> => {
  try {
    await pool.query(
      `insert into operations.checks (what, at) values ('writing', now()) on conflict (what) do update set at = excluded.at`,
    );
    return {};
  } catch (error) {
    return { problem: `Nothing can be stored in the database: ${troubleWith('the database', error)}.` };
  }
};

/** Whether DATA_DIR can be written to. One that is not there yet is made by what needs it. */
export const writingToDataDir = async ({ dataDir, writeFile = writeThrough }: Pick<Writing, 'dataDir' | 'writeFile'>): Promise<Finding> => {
  const path = join(dataDir, `.probe-${process.pid}`);
  try {
    await writeFile(path);
    return {};
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT') return {};
    return { problem: `DATA_DIR cannot be written to (${WHY[code] ?? code}), so no head is kept, and nobody can be forgotten.` };
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
};

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'its disk can only be read',
  EACCES: 'it is another user’s',
  EIO: 'its disk fails',
};

/** More than fits beside a file's name, and to the disk: else a full one is not noticed. */
const writeThrough = async (path: string): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(8_192, 1));
    await file.sync();
  } finally {
    await file.close();
  }
};
