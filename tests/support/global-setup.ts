import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { root } from '../../run/apps.ts';
import { migrate } from '../../run/database/database.ts';
import { startPostgres } from '../../run/postgres/server.ts';
import { makeLogInsCheap } from './cheap-log-ins.ts';
import type { MadeOnce } from './made-once.ts';
import { buildSchoolWithoutPast, startMarktrail } from './marktrail.ts';
import { query } from './query.ts';
import { removeWithProcesses, scratchDirectory, sweepLeftovers } from './scratch.ts';

/**
 * Vitest's global setup. Expensive fixtures are made once per run, when the first test asks for them. Test files are separate processes,
 * so they ask over HTTP (made-once.ts).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepLeftovers();
  const ending = new AbortController();
  const directories: string[] = [];
  const directory = (): string => {
    const path = scratchDirectory();
    directories.push(path);
    return path;
  };
  // What the workers put anywhere, or a browser, goes with the run, however that ends.
  process.env['TMPDIR'] = directory();
  const make: { readonly [Name in keyof MadeOnce]: () => Promise<MadeOnce[Name]> } = {
    async postgres() {
      const server = await startPostgres({ directory: directory(), durable: false, connections: 400 });
      await makeTemplate(server.superuserUrl(), server.ownerUrl(TEMPLATE));
      return { superuserUrl: server.superuserUrl(), ownerUrl: server.ownerUrl(), template: TEMPLATE };
    },
    async apps() {
      await promisify(execFile)(process.execPath, [join(root, 'run/build.ts'), '--stale'], { signal: ending.signal });
      return join(root, 'dist');
    },
    emptyDataDir: () => afterFirstStart(directory(), { DEMO: 'no' }),
    demoDataDir: () => withSchool(directory()),
    demoSchool: () => onSharedServer('demo_school', withSchool),
    demoSchoolWithPast: () =>
      onSharedServer('demo_school_with_past', (path, settings) => afterFirstStart(path, { ...settings, DEMO: 'yes' })),
  };

  const made: { [Name in keyof MadeOnce]?: Promise<MadeOnce[Name]> } = {};
  const once = <Name extends keyof MadeOnce>(name: Name): Promise<MadeOnce[Name]> => {
    const making = made[name] ?? make[name]();
    Object.assign(made, { [name]: making });
    return making;
  };
  /** `build` fills the data directory and the database of the settings. */
  const onSharedServer = async (
    database: string,
    build: (path: string, settings: Readonly<Record<string, string>>) => Promise<string>,
  ): Promise<MadeOnce['demoSchool']> => {
    const { superuserUrl, ownerUrl, template } = await once('postgres');
    await query(superuserUrl, `CREATE DATABASE ${database} TEMPLATE ${template} OWNER marktrail`);
    const { href } = Object.assign(new URL(ownerUrl), { pathname: `/${database}` });
    const dataDir = await build(directory(), { DATABASE_URL: href });
    await makeLogInsCheap(href, 'marktrail-demo');
    // As the product's own server does within minutes by itself. Without statistics a page takes PostgreSQL up to ten times as long.
    await query(href, 'VACUUM ANALYZE');
    return { database, dataDir };
  };
  const server = createServer(({ url = '' }, answer) => {
    once(url.slice(1) as keyof MadeOnce).then(
      (it) => answer.end(JSON.stringify(it)),
      (error: unknown) => answer.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  project.provide('madeOnce', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    ending.abort();
    // What is still being made ends, too.
    await Promise.all(directories.map(removeWithProcesses));
    await Promise.allSettled(Object.values(made));
    await Promise.all(directories.map(removeWithProcesses));
  };
}

const TEMPLATE = 'template_marktrail';

async function makeTemplate(superuserUrl: string, templateUrl: string): Promise<void> {
  await query(superuserUrl, `CREATE DATABASE ${TEMPLATE} OWNER marktrail`);
  await migrate(templateUrl);
}

/** A data directory after a first start and a stop. */
async function afterFirstStart(path: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const marktrail = startMarktrail({ DATA_DIR: path, ...settings }, ['--without-apps']);
  await marktrail.ready;
  marktrail.process.kill('SIGTERM');
  await marktrail.ended;
  return path;
}

/** A data directory with the demo school that `buildSchoolWithoutPast` describes. */
async function withSchool(path: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  await buildSchoolWithoutPast({ DATA_DIR: path, ...settings });
  return path;
}
