/** The other processes: the product, the bare server, the load generator. */
import { type ChildProcess, execFileSync, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HELD_MS } from '../api/http/routes/health.ts';
import { root } from '../run/apps.ts';
import type { Job, Outcome } from './load/job.ts';
import type { PagesAnswer, PagesJob } from './load/pages-job.ts';

/** All that run: whatever happens to those who started them, `endProcesses` finds them here. */
const running = new Set<ChildProcess>();
let isEnding = false;

const started = (script: string, args: readonly string[] = [], options: ForkOptions = {}): ChildProcess => {
  if (isEnding) throw new Error('The benchmark is ending.');
  const child = fork(join(root, script), args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

/** Ends all that run, and lets none begin any more. */
export const endProcesses = async (): Promise<void> => {
  isEnding = true;
  await Promise.all([...running].map(end));
};

export type Server = {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly pid: number;
  /** Resident memory now, in MB. */
  memory(): number;
  /** Peak resident memory, in MB; where the system does not report it, the current one. */
  peakMemory(): number;
  stop(): Promise<void>;
  /** Kills it immediately, like a crash. */
  kill(): void;
};

/** Where the log is: in the database, or in the EventStoreDB of `--log`. */
export type Log = { readonly databaseUrl: string; readonly eventStoreUrl?: string | undefined };

/** Marktrail as with `npm start`, on the given database; without the apps unless they are requested. */
export const startProduct = (
  databaseUrl: string,
  dataDir: string,
  {
    role = 'all',
    apps = false,
    eventStoreUrl,
  }: { readonly role?: 'all' | 'projector'; readonly apps?: boolean; readonly eventStoreUrl?: string | undefined } = {},
): Promise<Server> =>
  startServer('run/main.ts', apps ? [] : ['--without-apps'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    NODE_ENV: 'production',
    REGISTRATION: 'open',
    ROLE: role,
    ...(eventStoreUrl === undefined ? {} : { EVENTSTORE_URL: eventStoreUrl }),
  });

/** The least that a server can do for a command that must not be lost: see bare-server.ts. */
export const startBareServer = (databaseUrl: string): Promise<Server> =>
  startServer('bench/load/bare-server.ts', [], { DATABASE_URL: databaseUrl });

/** Starts it with the options of Node and of the C library of this process, which `run/bootstrap.mjs` has set. */
const startServer = async (script: string, args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Server> => {
  const given = Object.entries(process.env).filter(([name]) => ['PATH', 'HOME'].includes(name) || name.startsWith('MALLOC_'));
  const env = { ...Object.fromEntries(given), ...settings };
  const child = started(script, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
  return {
    url: `http://127.0.0.1:${await portOf(child)}`,
    pid: child.pid!,
    memory: () => residentMegabytes(child.pid!),
    peakMemory: () => residentMegabytes(child.pid!, 'VmHWM'),
    stop: () => end(child),
    kill: () => void child.kill('SIGKILL'),
  };
};

/** A counter without labels in `/api/metrics`, as it is now: whoever asks within five seconds of somebody else gets what that one got. */
export const counterOf = async ({ url }: Server, name: string): Promise<number> => {
  await pause(HELD_MS.metrics);
  const text = await (await fetch(`${url}/api/metrics`)).text();
  const count = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  if (count === undefined) throw new Error(`The product does not count ${name}.`);
  return Number(count);
};

/** A command of the command line as with `npm run marktrail`, which must succeed. */
export const runCommand = async (databaseUrl: string, dataDir: string, args: readonly string[]): Promise<void> => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const child = started('run/bootstrap.mjs', ['run/cli.ts', ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
};

const portOf = async (child: ChildProcess): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const port = /ready on http:\/\/\S+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) resolve(port);
  });
  child.once('exit', () => reject(new Error(`A server ended before it was ready:\n${said}`)));
  return promise;
};

/** Sends requests from a separate process, so that its load is the same for every server. */
export type Generator = { run(job: Job): Promise<Outcome>; stop(): Promise<void> };

export const startGenerator = (): Generator => {
  const child = started('bench/load/generator.ts');
  return {
    async run(job) {
      const answered = once(child, 'message');
      child.send(job);
      const [answer] = (await answered) as [Outcome | { failed: string }];
      if ('failed' in answer) throw new Error(answer.failed);
      return answer;
    },
    stop: () => end(child),
  };
};

/** Open pages in a separate process, as browsers are. */
export type Pages = { run(job: PagesJob): Promise<PagesAnswer>; stop(): Promise<void> };

export const startPages = (): Pages => {
  const child = started('bench/load/pages.ts');
  return {
    async run(job) {
      const answered = once(child, 'message');
      child.send(job);
      const [answer] = (await answered) as [PagesAnswer | { failed: string }];
      if ('failed' in answer) throw new Error(answer.failed);
      return answer;
    },
    stop: () => end(child),
  };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const harder = setTimeout(() => child.kill('SIGKILL'), HARDER_MS);
  await once(child, 'exit');
  clearTimeout(harder);
};

/** Less than what the benchmark itself has to end (run/lifecycle.ts). */
const HARDER_MS = 30_000;

const residentMegabytes = (pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  const kilobytes =
    process.platform === 'linux'
      ? new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return Number(kilobytes) / 1024;
};
