import type { Pool } from 'pg';
import { lockNamed, migration } from '../../../events/store/postgres/migration.ts';

export const migrateIdentity = migration(
  lockNamed('identity'),
  new URL('identity.sql', import.meta.url),
  // Refers to tables of the first.
  new URL('auth.sql', import.meta.url),
);

/** Removes expired links, joinings, counters and registrations. Causes of mails are kept, so that nothing is sent twice. */
export const sweepAuth = async (pool: Pool): Promise<void> => {
  for (const statement of STATEMENTS) await pool.query(statement);
};

const STATEMENTS = [
  `delete from identity.links where expires_at < now() - interval '30 days'`,
  `delete from identity.joinings where expires_at < now()`,
  `delete from identity.counters where until < now()`,
  `delete from identity.joining_places where taken_at < now() - interval '1 day'`,
  `delete from identity.robot_checks where expires_at < now()`,
  `delete from identity.unlocks where until < now()`,
  `delete from identity.registrations where created_at < now() - interval '4 days'`,
  `delete from identity.email_changes where requested_at < now() - interval '4 days'`,
  `delete from identity."verification" where "expiresAt" < now()`,
  `delete from identity."session" where "expiresAt" < now() or "idleAt" < now()`,
];

const EVERY_MS = 60 * 60 * 1_000;

/**
 * Sweeps at once and then regularly until stopped; a database that is away is swept the next time. `first`: fulfilled after the first
 * sweep.
 */
export const startSweeping = (
  sweep: () => Promise<void>,
  everyMs = EVERY_MS,
): { readonly first: Promise<void>; readonly stop: () => Promise<void> } => {
  const again = (): Promise<void> => (last = sweep().catch(() => undefined));
  let last: Promise<void>;
  const first = again();
  const timer = setInterval(() => void again(), everyMs);
  timer.unref();
  return {
    first,
    async stop() {
      clearInterval(timer);
      await last;
    },
  };
};
