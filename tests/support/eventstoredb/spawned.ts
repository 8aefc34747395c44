import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from '../../../run/apps.ts';

/** The stand-in as a child process, which can be killed and stopped. */
export interface SpawnedEventStore {
  /** `unix:..`, the same for every process started on the directory: a port might be taken by the time it is needed again */
  readonly url: string;
  /** SIGKILL; resolves once the process is dead. */
  kill(): Promise<void>;
  /** Resets every connection; the process keeps running. */
  cut(): void;
  /** SIGSTOP: connections stay open, and nothing answers. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
}

/**
 * @param directory for its log, which the next process continues, and its socket
 * @param notReadyMs how long it answers as not ready after the start
 */
export const spawnEventStore = async (directory: string, notReadyMs = 0): Promise<SpawnedEventStore> => {
  const main = join(root, 'tests/support/eventstoredb/main.ts');
  const places = [
    '--socket',
    join(directory, 'eventstore.sock'),
    '--directory',
    join(directory, 'log'),
    '--not-ready-for',
    String(notReadyMs),
  ];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', main, ...places], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  void ended.then(() => process.off('exit', killAtExit));
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => [])]);
  const url = /unix:\S+/.exec(String(line))?.[0];
  if (url === undefined) throw new Error('The event store did not start: see above');
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    cut: () => void child.kill('SIGUSR2'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
};
