/**
 * The first step of every npm script: `node run/bootstrap.mjs <file.ts> [arguments]`.
 *
 * It runs on the machine's own Node (18 or newer) and on a fresh clone, so it is plain JavaScript and imports nothing
 * but Node. It installs the packages if they are missing or differ from package-lock.json, then continues with the
 * Node that came with them. With `--command` before the file it prints how to continue, for run/start.sh.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * By default Node lets garbage grow with the memory of the machine: to 370 MB where 200 are enough. 512 MB is for the largest upload,
 * and never reached in a school's daily work. --expose-gc: see run/http/at-rest.ts. DEP0123: gRPC uses an IP address as the TLS server name
 * if it has no other.
 */
const options = ['--disable-warning=ExperimentalWarning', '--disable-warning=DEP0123', '--max-old-space-size=512', '--expose-gc'];
/**
 * Searches what it keeps (50 MB, in a rebuild 30) for garbage when as much has come: by default it would after a third of that, which costs a
 * save a tenth.
 */
const growth = '--heap-growing-percent=100';
/** In MB, for young objects. A rebuild, which ends with its work, takes a tenth less processor time with more, for 60 MB of memory. */
const semiSpace = (script, args) => `--max-semi-space-size=${script === 'run/cli.ts' && args[0] === 'projections' ? 32 : 8}`;

/**
 * glibc keeps what it has once taken, for each thread by itself: of the 19 MB with which a password is checked, up to 130 MB stayed. To give
 * them back each time would make the check half as long again; so the threads share two places.
 */
const memory = { MALLOC_ARENA_MAX: '2' };

const isAsked = process.argv[2] === '--command';
const [script, ...args] = process.argv.slice(isAsked ? 3 : 2);
if (!script) fail('Usage: node run/bootstrap.mjs [--command] <script> [arguments]');
if (!isInstalled()) install();
if (isAsked) printCommand();
else runScript();

/** npm writes its own lock file into node_modules when all is done: that is what is there. */
function isInstalled() {
  if (!existsSync(ownNode)) return false;
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(modules, '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || (present[path] ? present[path].version === version : optional),
  );
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Development packages too, whatever NODE_ENV says: the apps are built here. */
function install() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 18) fail(`Marktrail needs Node 18 or newer to install itself, this is ${process.version}.`);
  // What is printed with --command is a command.
  (isAsked ? console.error : console.log)('Installing ... (first start only)');
  const npm = spawnSync(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, PATH: withoutOwnPrograms(process.env.PATH ?? '') },
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (npm.error) fail(`npm could not be started (${npm.error.message}): Marktrail needs npm 9 or newer.`);
  if (npm.status !== 0) fail(`${npm.stdout}${npm.stderr}\nThe packages could not be installed: see above.`);
  if (!existsSync(ownNode)) {
    fail(
      `${npm.stdout}${npm.stderr}\nnpm installed the packages without running their install scripts: allow them for this project, then start again.`,
    );
  }
}

/** npm replaces node_modules, so none of its programs may be running meanwhile. */
function withoutOwnPrograms(path) {
  return path
    .split(delimiter)
    .filter((directory) => !directory.startsWith(modules))
    .join(delimiter);
}

/** With cached bytecode, later starts load the sources in half the time. */
function environment() {
  return {
    NODE_COMPILE_CACHE: join(modules, '.cache', 'node'),
    ...memory,
    ...process.env,
    PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  };
}

function parameters() {
  return [...options, growth, semiSpace(script, args), join(root, script), ...args];
}

/** For a POSIX shell: only what it does not have in its environment already. */
function printCommand() {
  const added = Object.entries(environment()).filter(([name, value]) => process.env[name] !== value);
  const words = ['env', ...added.map(([name, value]) => `${name}=${value}`), ownNode, ...parameters()];
  console.log(words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '));
}

/**
 * Runs the script and ends with its exit code or signal. Signals are passed on. If this process is killed, the script
 * notices by the closed channel; if npm or the shell in between is killed, this process notices.
 */
function runScript() {
  const child = spawn(ownNode, parameters(), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment() });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const starters = processesAbove();
  const watch = setInterval(() => {
    if (!starters.every(isAlive)) child.kill('SIGTERM');
  }, 200);
  child.on('error', (error) => fail(`${ownNode} does not run: ${error.message}`));
  child.on('exit', (code, signal) => {
    clearInterval(watch);
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code ?? 1);
    }
  });
}

/** npm, and the shell that may be between it and this process. Without npm nothing is watched: the product may outlive its terminal. */
function processesAbove() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return [];
  const parent = process.ppid;
  const { name, above } = describe(parent);
  return /sh$/.test(name) && above > 1 ? [parent, above] : [parent];
}

function describe(pid) {
  try {
    const [, name, above] =
      process.platform === 'linux'
        ? /\((.*)\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
        : /(\S+)\s+(\d+)/.exec(spawnSync('ps', ['-o', 'comm=,ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
    return { name, above: Number(above) };
  } catch {
    return { name: '', above: 0 };
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
