import { readFile } from 'node:fs/promises';

/** Brings one schema of the database up to date. Repeatable; processes that do it at the same time take turns. */
export type Migration = (client: { query(sql: string): Promise<unknown> }) => Promise<void>;

/**
 * A migration made of idempotent SQL files, run in order.
 *
 * @param lock SQL of an advisory lock's key
 */
export const migration =
  (lock: string, ...files: readonly URL[]): Migration =>
  async (client) => {
    const scripts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    // Sent as one text, which PostgreSQL runs as one transaction.
    await client.query([`select pg_advisory_xact_lock(${lock});`, ...scripts].join('\n'));
  };

export const lockNamed = (name: string): string => `hashtextextended('marktrail ${name}', 0)`;
