import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { lastWords, run, type Programs } from './programs.ts';
import type { Runner } from './runner.ts';

/** Port and passwords of the embedded server, in `postgres.json`, readable by us alone. */
export interface Access {
  port: number;
  superuserPassword: string;
  ownerPassword: string;
  /** of the log-in of queries */
  readerPassword: string;
}

/** The name of the log-in of queries. */
export const EMBEDDED_READER = 'marktrail_reader_login';

export const clusterIn = (directory: string) => join(directory, 'postgres');
const accessFile = (directory: string) => join(directory, 'postgres.json');

/** Undefined if no server was ever created. */
export function readAccess(directory: string): Access | undefined {
  const file = accessFile(directory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Access) : undefined;
}

const password = () => randomBytes(24).toString('hex');

export function writeAccess(directory: string, access: Access): void {
  const file = accessFile(directory);
  writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Creates the cluster if there is none, and returns how to access it. It is created elsewhere and then renamed, so that it is either
 * complete or not there, and never without its passwords.
 */
export async function ensureCluster(directory: string, programs: Programs, runner: Runner): Promise<Access> {
  const cluster = clusterIn(directory);
  if (existsSync(cluster)) {
    refuseOtherVersion(cluster, programs);
    const access = readAccess(directory);
    if (access) return access;
    throw new StartError(`${accessFile(directory)} with the passwords of the database is missing: restore it from a backup.`);
  }
  const access = { port: 0, superuserPassword: password(), ownerPassword: password(), readerPassword: password() };
  sweepUnfinished(directory);
  const unfinished = mkdtempSync(`${cluster}.unfinished-`);
  if (runner.owner) chownSync(unfinished, runner.owner.uid, runner.owner.gid);
  await initialise(unfinished, programs, runner, access.superuserPassword);
  writeAccess(directory, access);
  renameSync(unfinished, cluster);
  return access;
}

/**
 * Gives a cluster that was copied as root without its owners to the user whom PostgreSQL runs as. Its own directory is last, so that a start
 * that is killed meanwhile leaves it to the next. Returns whether there was anything to give.
 */
export function giveToOwner(directory: string, { owner }: Runner): boolean {
  const cluster = clusterIn(directory);
  if (!owner || statSync(cluster).uid === owner.uid) return false;
  for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' })) lchownSync(join(cluster, name), owner.uid, owner.gid);
  lchownSync(cluster, owner.uid, owner.gid);
  return true;
}

/**
 * Removes what killed starts left behind. Each attempt has its own directory, because the initdb of a killed start may still write into its
 * one, and even recreate it during removal. What cannot be removed now is removed at a later first start.
 */
function sweepUnfinished(directory: string): void {
  for (const name of readdirSync(directory).filter((entry) => entry.includes('.unfinished'))) {
    try {
      rmSync(join(directory, name), { recursive: true, force: true });
    } catch {
      // An initdb still writes into it; it does no harm.
    }
  }
}

async function initialise(cluster: string, programs: Programs, runner: Runner, password: string): Promise<void> {
  const secret = mkdtempSync(join(tmpdir(), 'marktrail-'));
  const passwordFile = join(secret, 'password');
  const logFile = join(secret, 'log');
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (runner.owner) for (const path of [secret, passwordFile]) chownSync(path, runner.owner.uid, runner.owner.gid);
    const initdb = run(
      runner,
      programs.initdb,
      [
        `--pgdata=${cluster}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      logFile,
    );
    await initdb.exited;
    if (initdb.process.exitCode !== 0) throw new StartError(`The database could not be created: ${lastWords(initdb)}`);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
}

function refuseOtherVersion(cluster: string, programs: Programs): void {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = /(\d+)\./.exec(execFileSync(programs.postgres, ['--version'], { encoding: 'utf8' }))?.[1];
  if (made !== ours) {
    throw new StartError(
      `${cluster} was created by PostgreSQL ${made}, but this Marktrail has PostgreSQL ${ours}: use the Marktrail that created it.`,
    );
  }
}
