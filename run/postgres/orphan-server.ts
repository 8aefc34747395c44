import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';

/**
 * Ends a server that a killed Marktrail left running on `cluster`. The caller must hold the lock of the data directory, so that any server
 * found there is a leftover.
 *
 * PostgreSQL refuses to start if the process id in `postmaster.pid` exists: if it now belongs to another program (after a restart of the
 * machine or container), or to a killed server whose parent has not reaped it, it is replaced. If it belongs to another PostgreSQL,
 * PostgreSQL decides.
 */
export async function stopOrphanServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (whatRunsAs(pid, cluster) === 'our server') await endServer(pid, cluster);
  const left = whatRunsAs(pid, cluster);
  if (left === 'another program' || (left === 'nothing' && (await lingers(pid)))) invalidatePid(pidFile);
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
  throw new StartError(`A PostgreSQL of an earlier start (process ${pid}) does not stop: stop it, then start again.`);
}

/** Whether the id of a killed process is still in use after a second: its parent has not reaped it. */
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
 * Only replaces the id: from the rest of the file PostgreSQL finds out whether processes of the dead server still work on the data, and
 * does not start before they have ended.
 */
function invalidatePid(pidFile: string): void {
  if (!existsSync(pidFile)) return;
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [NOBODYS_NUMBER, ...rest].join('\n'));
}

/** Higher than any process id. */
const NOBODYS_NUMBER = 2 ** 31 - 1;

function whatRunsAs(pid: number, cluster: string): 'our server' | 'another PostgreSQL' | 'another program' | 'nothing' {
  const commandLine = commandLineOf(pid);
  if (commandLine === '') return 'nothing';
  if (`${commandLine} `.includes(` -D ${cluster} `)) return 'our server';
  return /postgres|postmaster/.test(commandLine) ? 'another PostgreSQL' : 'another program';
}

/** The command line, separated by blanks; empty if there is no such process. */
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
