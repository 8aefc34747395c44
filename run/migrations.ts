import pg from 'pg';
import { migrateIdentity } from '../api/auth/migrate.ts';
import { migrateErrors } from '../api/errors/error-log.ts';
import { migrateMail } from '../api/mail/migrate.ts';
import { migrateKeys } from '../events/codec/keys.ts';
import { migrateHeads } from '../events/proof/heads.ts';
import { migrateLog } from '../events/store/postgres.ts';
import { migrateLogOrigin } from './log-origin.ts';

/**
 * Brings the database at `url` (connection string of the owner) to the newest shape. Repeatable, and safe when two
 * processes do it at once: each step takes its own lock. The projection engine makes its tables itself.
 *
 * @param log false: the log is elsewhere, and this database needs no place for it
 */
export async function migrate(url: string, { log = true } = {}): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const step of steps) if (log || step !== migrateLog) await step(client);
  } finally {
    await client.end();
  }
}

/** In order: the log, the keys that its events need, the heads that were signed of it, where it was, the identities that may write it. */
const steps: readonly ((client: pg.Client) => Promise<void>)[] = [
  migrateLog,
  migrateKeys,
  migrateHeads,
  migrateLogOrigin,
  migrateIdentity,
  migrateMail,
  migrateErrors,
];
