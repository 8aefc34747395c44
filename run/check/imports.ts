import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../apps.ts';

/** What each file imports: paths from the top of the repository; Node's own modules as `node:name`, packages as `npm:name`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

const folders = ['events', 'api', 'projections', 'ui', 'staff-ui', 'student-ui', 'admin-ui', 'run', 'bench', 'tests'];

/** What the files of this repository import, which of it are more than types, and which imports lead nowhere or to a package that package.json lacks. */
export function readImports(): { imports: Imports; values: Imports; unresolved: string[] } {
  const packages = packagesWanted();
  const unresolved: string[] = [];
  const imports = new Map<string, string[]>();
  const values = new Map<string, string[]>();
  for (const file of folders.flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs)$/))) {
    const targets = specifiersOf(file).map((specifier) => {
      const target = resolve(file, specifier);
      const isThere = target.startsWith('npm:')
        ? packages.has(target.slice(4))
        : target.startsWith('node:') || existsSync(join(root, target));
      if (!isThere) unresolved.push(`${file}: "${specifier}" leads nowhere`);
      return target;
    });
    imports.set(file, [...new Set(targets)]);
    values.set(file, [...new Set(valuesOf(file).map((specifier) => resolve(file, specifier)))]);
  }
  return { imports, values, unresolved };
}

/** The files of code of the repository: paths from its top. */
export const codeFiles = (): string[] => folders.flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs|css|sql)$/));

function filesIn(folder: string, kind: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.startsWith('tests/data/'));
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const { module } = parseSync(file, text);
  const dynamic = module.dynamicImports
    .map(({ moduleRequest }) => /^['"`]([^$'"`]+)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1])
    .filter((specifier) => specifier !== undefined);
  const reexported = module.staticExports
    .flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value))
    .filter((specifier) => specifier !== undefined);
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...reexported, ...dynamic];
}

/** What a file imports to run, not only for its types. */
function valuesOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  return module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
}

function resolve(file: string, specifier: string): string {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('#api/')) return `api/${plain.slice('#api/'.length)}.ts`;
  if (plain.startsWith('.')) return posix.join(dirname(file), plain);
  if (isBuiltin(plain)) return `node:${plain.replace(/^node:/, '')}`;
  return `npm:${plain
    .split('/')
    .slice(0, plain.startsWith('@') ? 2 : 1)
    .join('/')}`;
}

function packagesWanted(): Set<string> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  return new Set([...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]);
}
