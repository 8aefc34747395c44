import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../run/migrations.ts';
import { startPostgres, type PostgresServer } from '../../run/postgres/server.ts';
import type { TestServer } from './postgres.ts';
import { scratchDirectory, sweepLeftovers } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers a TestServer. */
    testPostgres: string;
  }
}

/**
 * Vitest's global setup: one embedded PostgreSQL for the whole run, in a directory of its own, started when the first
 * test asks for it. Test files run in processes of their own, so they ask over HTTP.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepLeftovers();
  const directory = scratchDirectory();
  let server: PostgresServer | undefined;
  let ready: Promise<TestServer> | undefined;

  const start = async (): Promise<TestServer> => {
    server = await startPostgres({ directory, durable: false, connections: 400 });
    await makeTemplate(server);
    return { superuserUrl: server.superuserUrl(), ownerUrl: server.ownerUrl(), template: TEMPLATE };
  };
  const door = createServer((_, answer) => {
    ready ??= start();
    ready.then(
      (it) => answer.end(JSON.stringify(it)),
      (error: unknown) => answer.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  project.provide('testPostgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);

  return async () => {
    door.closeAllConnections();
    door.close();
    await ready?.catch(() => undefined);
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

const TEMPLATE = 'template_marktrail';

async function makeTemplate(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.superuserUrl() });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER marktrail`);
  } finally {
    await client.end();
  }
  await migrate(server.ownerUrl(TEMPLATE));
}
