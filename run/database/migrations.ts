import { migrateIdentity } from '../../api/auth/identity/housekeeping.ts';
import { migrateErrors } from '../../api/security/error-log.ts';
import { migrateMail } from '../../api/mail/outbox.ts';
import { migrateSecurityLog } from '../../api/security/security-log.ts';
import { migrateKeys } from '../../events/codec/keys.ts';
import { migrateHeads } from '../../events/proof/heads.ts';
import { migrateLog } from '../../events/store/postgres.ts';
import type { Migration } from '../../events/store/postgres/migration.ts';
import { migrateLogOrigin } from '../log/log-origin.ts';
import { withClient } from '../with-client.ts';

/**
 * Brings the database at `url` (connection string of the owner) up to date. The projection engine makes its tables itself.
 *
 * @param log false: the log is in an EventStoreDB
 */
export async function migrate(url: string, { log = true } = {}): Promise<void> {
  await withClient(url, async (client) => {
    for (const step of steps) if (log || step !== migrateLog) await step(client);
  });
}

/** In this order. */
const steps: readonly Migration[] = [
  migrateLog,
  migrateKeys,
  migrateHeads,
  migrateLogOrigin,
  migrateIdentity,
  migrateMail,
  migrateErrors,
  migrateSecurityLog,
];
