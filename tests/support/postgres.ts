import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { madeOnce } from './made-once.ts';
import { query } from './query.ts';

/** A database for one test or one file. */
export interface TestDatabase {
  /** Connection string of the owner, which is not a superuser. */
  url: string;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
}

/**
 * A fresh database with all migrations applied, in some 50 ms: a copy of a template.
 * The first call of a run starts the server (see global-setup.ts).
 */
export async function testDatabase(): Promise<TestDatabase> {
  return copyOf((await madeOnce('postgres')).template);
}

/**
 * A copy of a database filled by `fill`, which runs once per test run and returns what tests need to know of it. Its connections must be
 * closed when it ends.
 */
export async function filledDatabase<Known>(
  name: string,
  fill: (url: string) => Promise<Known>,
): Promise<TestDatabase & { readonly known: Known }> {
  const { superuserUrl, ownerUrl, template } = await madeOnce('postgres');
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    // Test files are processes: one fills it, the others wait.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const made = `SELECT shobj_description(oid, 'pg_database') AS known FROM pg_database WHERE datname = $1`;
    let { known } = (await client.query<{ known: string | null }>(made, [name])).rows[0] ?? { known: null };
    if (known === null) {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER marktrail`);
      known = JSON.stringify(await fill(withDatabase(ownerUrl, name)));
      await client.query(`COMMENT ON DATABASE ${name} IS ${client.escapeLiteral(known)}`);
    }
    return { ...(await copyOf(name)), known: JSON.parse(known) as Known };
  } finally {
    await client.end();
  }
}

/** A copy of the demo school's database. It goes with a copy of the data directory in which the school was made. */
export async function demoDatabase(made: 'demoSchool' | 'demoSchoolWithPast' = 'demoSchool'): Promise<TestDatabase> {
  return copyOf((await madeOnce(made)).database);
}

/** The same database for somebody who may do anything, such as end what others ask. */
export async function asSuperuser({ url }: { readonly url: string }): Promise<string> {
  return withDatabase((await madeOnce('postgres')).superuserUrl, new URL(url).pathname.slice(1));
}

/** An empty database, without migrations, for tests of migrations. */
export function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template1');
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { superuserUrl, ownerUrl } = await madeOnce('postgres');
  await query(superuserUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER marktrail`);
  return {
    url: withDatabase(ownerUrl, name),
    drop: () => query(superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
