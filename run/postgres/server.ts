import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';
import { clusterIn, EMBEDDED_READER, ensureCluster, giveToOwner, readAccess, writeAccess } from './cluster.ts';
import { stopOrphanServer } from './orphan-server.ts';
import { end, findPrograms, freePort, lastWords, run, type Running } from './programs.ts';
import { runnerFor } from './runner.ts';

/** A running embedded PostgreSQL. */
export interface PostgresServer {
  /**
   * Connection string of the role `marktrail`, which owns the database and everything in it. Like the role of a
   * managed PostgreSQL it is not a superuser, but may create roles.
   */
  ownerUrl(database?: string): string;
  /** Connection string of the superuser: only for creating databases. */
  superuserUrl(database?: string): string;
  /** Fulfilled when the server that was started last has ended, for whatever reason, with what it said last. */
  exited(): Promise<string>;
  /** Starts a server that has ended by itself, at the same address. */
  startAgain(): Promise<void>;
  /** Shuts the server down; returns whether cleanly. Close your connections first. */
  stop(): Promise<boolean>;
}

export interface PostgresOptions {
  /**
   * Contains `postgres` (the cluster), `postgres.json` (port and passwords) and `postgres.log`.
   * The caller must hold its lock (data-dir.ts).
   */
  directory: string;
  /** False only in tests: a crash of the machine may then cost the data. */
  durable?: boolean;
  /** The maximum of connections; default 100. One process of the product uses up to fifty. */
  connections?: number;
  /** Prints a line on the console. */
  tell?: (line: string) => void;
}

/**
 * Starts PostgreSQL on `directory`, and creates cluster, owner and database if they are missing.
 *
 * The server runs in a separate session, so that Ctrl-C only reaches this process. It therefore survives a SIGKILL of this process; such a
 * leftover is ended before a new server starts, and keeps its acknowledged commits.
 *
 * Text is UTF-8 with PostgreSQL's built-in collation `C.UTF-8`, by code point: the same on every machine and in every
 * version, so that no system update corrupts an index. Lists for people use `COLLATE "und-x-icu"`.
 *
 * Errors: StartError with a line for the user.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const directory = resolve(options.directory);
  const cluster = clusterIn(directory);
  const logFile = join(directory, 'postgres.log');
  const programs = await findPrograms();
  mkdirSync(directory, { recursive: true });
  const runner = runnerFor([cluster, programs.postgres]);
  const access = await ensureCluster(directory, programs, runner);
  if (giveToOwner(directory, runner))
    options.tell?.(`${cluster} was another user's: it was given to the user postgres, whom the database runs as.`);
  await stopOrphanServer(cluster);

  const port = await freePort(access.port);
  if (port !== access.port) writeAccess(directory, { ...access, port });
  const url = (user: string, password: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const superuserUrl = url('postgres', access.superuserPassword, 'postgres');
  const launch = () => run(runner, programs.postgres, ['-D', cluster, ...settings(port, options)], logFile);
  const stop = (running: Running) => end(running, programs, cluster);
  let server = await answering(launch, stop, superuserUrl, logFile);
  try {
    await ensureOwnerAndDatabase(superuserUrl, url('postgres', access.superuserPassword, 'marktrail'), access.ownerPassword);
  } catch (error) {
    await stop(server);
    throw error;
  }
  return {
    ownerUrl: (database = 'marktrail') => url('marktrail', access.ownerPassword, database),
    superuserUrl: (database = 'postgres') => url('postgres', access.superuserPassword, database),
    exited: () => server.exited.then(() => lastWords(server)),
    async startAgain() {
      server = await answering(launch, stop, superuserUrl, logFile);
    },
    stop: () => stop(server),
  };
}

/** The owner's connection string for the server that another process runs on `directory` right now. */
export function urlOfRunningServer(directory: string): string | undefined {
  const access = readAccess(resolve(directory));
  return access && `postgres://marktrail:${access.ownerPassword}@127.0.0.1:${access.port}/marktrail`;
}

/** The same of the log-in of queries, which `openReaderLogIn` prepares. */
export function readerUrlOfRunningServer(directory: string): string | undefined {
  const access = readAccess(resolve(directory));
  return access && `postgres://${EMBEDDED_READER}:${access.readerPassword}@127.0.0.1:${access.port}/marktrail`;
}

/** Quick, and all of it goes with the directory, its shared memory too. */
const forTests = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  scram_iterations: 1,
  dynamic_shared_memory_type: 'mmap',
} as const;

/**
 * Sized for a school on a small, shared machine. Its data fits in the page cache of the system, from where PostgreSQL takes them as quickly as a
 * disk never gives them: so few buffers of its own, and no processes that read ahead for it. Nothing is replicated.
 */
function settings(port: number, { durable = true, connections = 100 }: PostgresOptions): string[] {
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: connections,
    shared_buffers: '32MB',
    max_wal_size: '1GB',
    io_method: 'sync',
    // What does not wait for the disk, read models and notifications, is made again after a crash.
    wal_writer_delay: '1s',
    // Whoever watches over it starts it again, and says so (database/database.ts): not sometimes PostgreSQL itself, in silence.
    restart_after_crash: 'off',
    max_wal_senders: 0,
    max_replication_slots: 0,
    max_logical_replication_workers: 0,
    autovacuum_max_workers: 1,
    autovacuum_naptime: '3min',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // No values in postgres.log: errors of statements are logged by us, without them (see ensureOwnerAndDatabase).
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: 0,
    log_checkpoints: 'off',
    ...(durable ? {} : forTests),
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Retries the start while processes of a killed server still work on the data, which PostgreSQL refuses to join.
 */
async function answering(
  launch: () => Running,
  stop: (server: Running) => Promise<boolean>,
  url: string,
  logFile: string,
): Promise<Running> {
  for (const deadline = Date.now() + 30_000; ; await delay(200)) {
    const server = launch();
    try {
      await untilItAnswers(url, server, logFile);
      return server;
    } catch (error) {
      await stop(server);
      if (Date.now() > deadline || !server.output().includes('shared memory block')) throw error;
    }
  }
}

/** Waits as long as the server is running, because recovery after a crash may take long. */
async function untilItAnswers(url: string, server: Running, logFile: string): Promise<void> {
  let running = true;
  void server.exited.then(() => {
    running = false;
  });
  while (running) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (isRefusal(error)) throw new StartError(`The database refuses its own password: ${(error as Error).message}`);
      await delay(20);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new StartError(`The database does not start: ${lastWords(server)} (more in ${logFile})`);
}

const isRefusal = (error: unknown) => ['28P01', '28000'].includes((error as { code?: string }).code ?? '');

/** PostgreSQL's own check of tables and indexes, which only a superuser can allow. */
const AMCHECK = `
  create schema if not exists amcheck;
  create extension if not exists amcheck schema amcheck;
  grant usage on schema amcheck to marktrail;
  grant execute on all functions in schema amcheck to marktrail;`;

async function ensureOwnerAndDatabase(superuserUrl: string, marktrailUrl: string, password: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const exists = async (sql: string) => (await client.query(sql)).rowCount === 1;
    if (!(await exists(`SELECT FROM pg_roles WHERE rolname = 'marktrail'`))) {
      await client.query(`CREATE ROLE marktrail LOGIN CREATEROLE PASSWORD ${client.escapeLiteral(password)}`);
    }
    if (!(await exists(`SELECT FROM pg_database WHERE datname = 'marktrail'`))) {
      await client.query('CREATE DATABASE marktrail OWNER marktrail');
    }
    await withClient(marktrailUrl, async (database) => void (await database.query(AMCHECK)));
    // The message of a statement's error may hold what somebody typed. The server's own processes go on logging theirs.
    await client.query('ALTER DATABASE marktrail SET log_min_messages = log');
  });
}
