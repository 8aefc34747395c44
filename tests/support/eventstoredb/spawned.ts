import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from '../../../run/apps.ts';

/** The stand-in in a process of its own, which can be killed and stopped as a process can. */
export interface SpawnedEventStore {
  /** `unix:..`, the same for everyone who is spawned on the directory: a port could be another's by the time it is wanted again */
  readonly url: string;
  /** SIGKILL; resolves when it is dead. */
  kill(): Promise<void>;
  /** Resets every connection; it goes on. */
  cut(): void;
  /** SIGSTOP: connections stay open, and nothing answers. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
}

/**
 * @param directory holds its log, which the next one takes up, and its socket
 * @param notReadyMs how long it says at first that it is not ready
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
