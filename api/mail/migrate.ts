import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';

/** Makes the outbox where it is missing; repeatable, and safe when two processes do it at once. */
export const migrateMail = async (client: ClientBase): Promise<void> => {
  const sql = await readFile(new URL('outbox.sql', import.meta.url), 'utf8');
  // Sent as one text, which PostgreSQL runs as one transaction.
  await client.query(`select pg_advisory_xact_lock(hashtextextended('marktrail mail', 0)); ${sql}`);
};
