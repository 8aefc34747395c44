import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';

/** Makes the tables of identities and of the front door where they are missing; repeatable, and safe when two processes do it at once. */
export const migrateIdentity = async (client: ClientBase): Promise<void> => {
  const [identity, door] = await Promise.all(['identity.sql', 'door.sql'].map((name) => readFile(new URL(name, import.meta.url), 'utf8')));
  // Sent as one text, which PostgreSQL runs as one transaction.
  await client.query(`select pg_advisory_xact_lock(hashtextextended('marktrail identity', 0)); ${identity} ${door}`);
};
