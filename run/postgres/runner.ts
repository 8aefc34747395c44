import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartError } from '../start-error.ts';

/**
 * How a PostgreSQL program is run on this machine. PostgreSQL refuses to run as root, so root runs it as the system user `postgres`; other
 * users run it as themselves.
 */
export interface Runner {
  /** The owner of the data files, if it is another user. */
  readonly owner: { uid: number; gid: number } | undefined;
  /** The command line that runs `program` with `args`, to be spawned with `uid` and `gid`. */
  command(program: string, args: readonly string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/**
 * Finds out how to run the programs so that they reach all of `paths` (the data, the programs themselves).
 * Errors: StartError when root cannot get a user `postgres`, or that user cannot get to one of the paths.
 */
export function runnerFor(paths: readonly string[]): Runner {
  if (process.getuid?.() !== 0) {
    return { owner: undefined, command: (file, args) => ({ file, args: [...args] }) };
  }
  const owner = userNamed('postgres') ?? createUser('postgres');
  const closed = paths.map((path) => closedDirectoryAbove(path, owner)).find((path) => path !== undefined);
  if (closed === undefined) {
    return { owner, command: (file, args) => ({ file, args: [...args], ...owner }) };
  }
  const capability = capabilityToPass();
  if (capability === undefined) {
    throw new StartError(
      `PostgreSQL may not run as root, and its own user cannot get into ${closed}: ` +
        'put Marktrail and DATA_DIR somewhere else (for example /opt/marktrail), or start it as an ordinary user.',
    );
  }
  return { owner, command: (file, args) => passing(capability, owner, file, args) };
}

/**
 * Below a closed directory (usually /root) the user `postgres` gets one additional capability: to pass through
 * directories. The process that starts it is root and could do so anyway. `no_setuid_fixup` makes access(2), with
 * which initdb looks for its programs, respect it.
 */
function passing(capability: string, owner: { uid: number; gid: number }, file: string, args: readonly string[]) {
  return {
    file: 'setpriv',
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      '--securebits=+no_setuid_fixup',
      '--',
      file,
      ...args,
    ],
  };
}

/** The narrowest sufficient capability that this process has and `setpriv` can pass on. */
function capabilityToPass(): string | undefined {
  try {
    const mask = BigInt('0x' + (/^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'));
    const held = [
      ['dac_read_search', 2n],
      ['dac_override', 1n],
    ] as const;
    const name = held.find(([, bit]) => (mask >> bit) & 1n)?.[0];
    if (name === undefined) return undefined;
    execFileSync('setpriv', [`--inh-caps=+${name}`, `--ambient-caps=+${name}`, '--securebits=+no_setuid_fixup', '--', 'true'], {
      stdio: 'ignore',
    });
    return name;
  } catch {
    return undefined;
  }
}

function closedDirectoryAbove(path: string, user: { uid: number; gid: number }): string | undefined {
  const above: string[] = [];
  for (let directory = dirname(resolve(path)); ; directory = dirname(directory)) {
    above.unshift(directory);
    if (dirname(directory) === directory) break;
  }
  return above.find((directory) => {
    const stat = statSync(directory, { throwIfNoEntry: false });
    if (!stat) return false;
    const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0;
    return ((stat.mode >> shift) & 1) === 0;
  });
}

function userNamed(name: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createUser(name: string): { uid: number; gid: number } {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]],
    ['adduser', ['-S', '-D', '-H', name]],
  ];
  for (const [file, args] of ways) {
    try {
      execFileSync(file, args, { stdio: 'ignore' });
    } catch {
      continue;
    }
    const user = userNamed(name);
    if (user) return user;
  }
  throw new StartError(
    'PostgreSQL may not run as root, and a system user "postgres" could not be created: start Marktrail as an ordinary user.',
  );
}
