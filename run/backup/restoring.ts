import type { ClientBase } from 'pg';

/** A restore has begun here and was not finished. */
export const isRestoring = async (client: Pick<ClientBase, 'query'>): Promise<boolean> =>
  (await client.query<{ there: boolean }>(`select to_regclass('operations.restoring') is not null as there`)).rows[0]?.there === true;

/**
 * Removes all that Marktrail has in the database, and says that a restore has begun: in one transaction, so that whatever ends it from here on,
 * nothing starts.
 */
export const beginRestoring = async (client: Pick<ClientBase, 'query'>, schemas: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace where nspname = any ($1) or nspname = 'read' or nspname like 'read\\_%'`,
    [schemas],
  );
  await client.query('begin');
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
  await client.query('create schema operations');
  await client.query('create table operations.restoring (since timestamptz not null default now())');
  await client.query('commit');
};

export const endRestoring = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query('drop table operations.restoring');
};
