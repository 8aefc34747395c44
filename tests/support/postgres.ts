import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of its own for one test or one file. */
export interface TestDatabase {
  /** Connection string of the owner, who is no superuser. */
  url: string;
  /** Ends what is still connected and removes the database. */
  drop(): Promise<void>;
}

/**
 * A fresh database with all migrations applied, in some 50 ms: a copy of a template.
 * The first call of a run starts the server (see postgres-server.ts); a run that needs none starts none.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = await testServer();
  await query(server.superuserUrl, `CREATE DATABASE ${name} TEMPLATE ${server.template} OWNER marktrail`);
  return {
    url: withDatabase(server.ownerUrl, name),
    drop: () => query(server.superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** An empty database, without migrations, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = await testServer();
  await query(server.superuserUrl, `CREATE DATABASE ${name} OWNER marktrail`);
  return {
    url: withDatabase(server.ownerUrl, name),
    drop: () => query(server.superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** What postgres-server.ts answers over HTTP. */
export interface TestServer {
  superuserUrl: string;
  ownerUrl: string;
  template: string;
}

async function testServer(): Promise<TestServer> {
  const answer = await fetch(inject('testPostgres'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as TestServer;
}

function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
