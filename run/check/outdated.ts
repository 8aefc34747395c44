import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '../apps.ts';
import { asTable } from '../commands/as-table.ts';
import { ageOf, advisoriesIn, type Package, tableLine } from './packages.ts';

/**
 * `npm run outdated`: the installed and the newest version of the packages in package.json, and how old both are; then the known weaknesses of
 * all installed packages, if the registry reports them. Not part of `npm run check`, because the result changes by itself.
 */
const declared = z.record(z.string(), z.string());
const wanted = z
  .object({ dependencies: declared, devDependencies: declared })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const published = z.object({ version: z.string(), time: declared });

/** npm's own client knows the registry, its log-in and its proxies. Returns its JSON, also if it fails. */
const npm = async (...args: readonly string[]): Promise<unknown> => {
  const { stdout } = await promisify(execFile)('npm', [...args, '--json'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  }).catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
  return stdout.trim() === '' ? undefined : JSON.parse(stdout);
};

const AT_ONCE = 4;

const packages: Package[] = [];
const names = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = names.pop(); next; next = names.pop()) {
      const [name, installed] = next;
      const latest = published.safeParse(await npm('view', name, 'version', 'time')).data;
      packages.push({ name, installed, newest: latest?.version, time: latest?.time ?? {}, isShipped: name in wanted.dependencies });
    }
  }),
);

const now = Date.now();
const sorted = packages.toSorted((one, other) => ageOf(other, now) - ageOf(one, now) || one.name.localeCompare(other.name));
console.log(asTable(sorted.map((one) => tableLine(one, now))));
console.log(['', ...advisoriesIn(await npm('audit'))].join('\n'));
