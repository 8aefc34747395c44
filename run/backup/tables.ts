import type { ClientBase } from 'pg';

/** Everything but the read models, which are filled from the log again. */
export const SCHEMAS: readonly string[] = ['log', 'keys', 'proof', 'operations', 'identity', 'mail', 'support'];

/** Log-ins and those that wait: after a restore everybody logs in again. And what is about this installation alone. */
const LEFT_OUT: readonly string[] = [
  'identity.session',
  'identity.unlocks',
  'identity.verification',
  'operations.restoring',
  'operations.backups',
  'operations.checks',
];

export type StoredTable = {
  /** as in SQL */
  readonly name: string;
  /** quoted where needed */
  readonly columns: readonly string[];
};

/** The tables of a backup, those that others refer to first. */
export const storedTables = async (client: Pick<ClientBase, 'query'>): Promise<StoredTable[]> => {
  const { rows } = await client.query<StoredTable>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            array_agg(quote_ident(a.attname) order by a.attnum) as columns
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname = any ($1) and n.nspname || '.' || c.relname <> all ($2)
      group by c.oid, n.nspname, c.relname
      order by exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), n.nspname, c.relname`,
    [SCHEMAS, LEFT_OUT],
  );
  return rows;
};

/** Columns that number themselves go on after what was restored. */
export const goOnNumbering = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(pg_get_serial_sequence(%L, %L), max(%I)) from %I.%I having max(%I) is not null',
                   format('%I.%I', n.nspname, c.relname), a.attname, a.attname, n.nspname, c.relname, a.attname) as statement
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
      where n.nspname = any ($1)`,
    [SCHEMAS],
  );
  for (const { statement } of rows) await client.query(statement);
};
