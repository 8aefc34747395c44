import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../run/apps.ts';
import { scratchDirectory } from './scratch.ts';

/** A Marktrail process, started as a user would. */
export interface StartedMarktrail {
  readonly process: ChildProcess;
  /** All output, stdout and stderr. */
  output(): string;
  /** Its address. Rejects with the output if the process ends before it is ready. */
  readonly ready: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/**
 * Starts `run/main.ts` with the product's own Node, with the flags of run/bootstrap.mjs, on any free port unless `settings` name one.
 * The caller ends it: `process.kill('SIGTERM')`, then `ended`.
 */
export function startMarktrail(settings: Readonly<Record<string, string>>, args: readonly string[] = []): StartedMarktrail {
  const child = spawn(join(root, 'node_modules/.bin/node'), ['--disable-warning=DEP0123', join(root, 'run/main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), PORT: '0', ...settings },
  });
  let text = '';
  const ended = once(child, 'close').then(([code, signal]) => (code as number | null) ?? (signal as string));
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const address = /Marktrail is ready on (\S+)/.exec(text)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((how) => {
      reject(new Error(`It ended (${how}) before it was ready:\n${text}`));
    });
  });
  ready.catch(() => undefined);
  return { process: child, output: () => text, ready, ended };
}

/** `npm run marktrail -- <words>`; resolves with its output. Rejects with that if it fails. */
export const marktrailCommand = async (settings: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/node'), [join(root, 'run/cli.ts'), ...words], {
    env: { ...environment(), ...settings },
  });
  return stdout;
};

/**
 * The demo school as it was before it had a past: this year's 26 sets with the real examination and nothing else, so that tests which are
 * about one assessment need not look for it. Their files do not pay for the two years of tests/integration/history/demo-past.test.ts either.
 */
export const buildSchoolWithoutPast = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  await promisify(execFile)(
    join(root, 'node_modules/.bin/node'),
    ['--disable-warning=DEP0123', join(root, 'tests/support/school-without-past.ts')],
    { env: { ...environment(), ...settings } },
  );
};

/** Passes on none of this process's settings; Node's compile cache is used as in bootstrap.mjs. */
function environment(): Readonly<Record<string, string>> {
  const { PATH, HOME } = process.env;
  return { ...(PATH ? { PATH } : {}), ...(HOME ? { HOME } : {}), NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
}

/** A temporary data directory; call `remove` when done. */
export interface DataDir {
  readonly path: string;
  remove(): void;
}

/** An empty one; the first start on it initialises everything. */
export function temporaryDataDir(): DataDir {
  const path = scratchDirectory();
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
