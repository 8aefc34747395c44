import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppName } from '../ui/pages.ts';
import { pageAt, pages } from '../ui/pages.ts';

/** One of the browser apps: a folder with an index.html and a vite.config.ts. Its assets live under `/{folder}/`. */
export interface App {
  readonly folder: AppName;
  /** The module whose `welcomePage` renders the content of `/` for visitors without a session. */
  readonly welcome?: string;
  /** Its pages. Any other address is answered with 404, and the app offers a link home. */
  readonly pages: readonly string[];
}

export const root = fileURLToPath(new URL('..', import.meta.url));

const app = (folder: AppName, welcome?: string): App => ({
  folder,
  pages: pages.filter(({ app: name }) => name === folder).map(({ path }) => path),
  ...(welcome === undefined ? {} : { welcome }),
});

const all: readonly App[] = [app('admin-ui'), app('staff-ui'), app('student-ui', 'prerender.tsx')];

/** The apps that exist. */
export const apps: readonly App[] = all.filter(({ folder }) => existsSync(join(root, folder, 'index.html')));

/** The app that answers the path; undefined only if there is no app at all. */
export function appAt(path: string): App | undefined {
  const { app: name } = pageAt(path);
  return apps.find(({ folder }) => folder === name) ?? apps.at(-1);
}

/** Whether there is such a page. Decides the status of the answer, whose content is the app in either case. */
export function isPage(path: string): boolean {
  const page = path.replace(/(?<=.)\/$/, '').toLowerCase();
  return appAt(page)?.pages.includes(page) ?? false;
}

export const outputOf = (app: App) => join(root, 'dist', app.folder);
/** The page of `/` for visitors without a session, next to the app's index.html. */
export const WELCOME_PAGE = 'welcome.html';
/** The page of an address that needs more files than the entry's. */
export const pageFileOf = (path: string): string => `pages${path}.html`;
export const stampOf = (app: App) => join(root, 'dist', `${app.folder}.stamp`);

/** The apps whose sources have changed since they were built. */
export function staleApps(): App[] {
  return apps.filter((app) => !existsSync(stampOf(app)) || readFileSync(stampOf(app), 'utf8') !== fingerprint(app));
}

/** A hash of everything that goes into an app: its sources, the shared ones, the contracts, the tools. */
export function fingerprint(app: App): string {
  const hash = createHash('sha256');
  const sources = [app.folder, 'ui', 'api/contract', 'package.json', 'package-lock.json', 'run/build.ts', 'run/first-files.ts'].flatMap(
    (source) => filesIn(join(root, source)),
  );
  const contracts = filesIn(join(root, 'api')).filter((file) => /\.(contract|formula)\.ts$/u.test(file));
  for (const file of [...sources, ...contracts]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}
