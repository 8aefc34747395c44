import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from '../../../run/apps.ts';

/** The stand-in in a process of its own, which can be killed or stopped as a process can. */
export interface SpawnedEventStore {
  readonly url: string;
  readonly port: number;
  /** SIGKILL; resolves when it is dead. Its directory is ready for the next one. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, and nothing answers. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
}

export const spawnEventStore = async ({ directory, port = 0 }: { directory: string; port?: number }): Promise<SpawnedEventStore> => {
  const main = join(root, 'tests/support/eventstoredb/main.ts');
  const child = spawn(process.execPath, [main, '--port', String(port), '--directory', join(directory, 'log')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const said = createInterface({ input: child.stdout });
  const url = await Promise.race([once(said, 'line').then(([line]) => /esdb:\S+/.exec(String(line))?.[0]), ended.then(() => undefined)]);
  if (url === undefined) throw new Error('The event store did not start: see above');
  return {
    url,
    port: Number(new URL(url).port),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
};
