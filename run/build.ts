import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { apps, fingerprint, outputOf, pageFileOf, root, stampOf, staleApps, WELCOME_PAGE, type App } from './apps.ts';
import { chunksOf, firstModules, headOf } from './first-files.ts';
import { lockWithin, tryLock, type Lock } from './database/data-dir-lock.ts';

/**
 * `npm run build`: builds the browser apps into dist/{folder}; with `--stale` only those whose sources have changed. Simultaneous builds,
 * such as two first starts of one clone, take turns, and the second finds nothing stale.
 */
process.env['NODE_ENV'] = 'production';
/** Where the bundler says which file holds which module; nobody is served it. */
const MANIFEST = 'manifest.json';
const turn = await ownTurn();
try {
  await Promise.all((process.argv.includes('--stale') ? staleApps() : apps).map(buildApp));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
} finally {
  turn?.release();
}

async function ownTurn(): Promise<Lock | undefined> {
  const file = join(root, 'dist/lock');
  mkdirSync(dirname(file), { recursive: true });
  const lock = tryLock(file);
  if (lock) return lock;
  console.log('The apps are being built by another start: waiting for it ...');
  return lockWithin(Infinity, file);
}

/** Builds into another directory and renames it, so that a running server sees either the old or the new files. */
async function buildApp(app: App): Promise<void> {
  const output = outputOf(app);
  const aside = `${output}.new`;
  const made = fingerprint(app);
  const began = Date.now();
  await build({
    root: join(root, app.folder),
    configFile: join(root, app.folder, 'vite.config.ts'),
    base: `/${app.folder}/`,
    logLevel: 'warn',
    build: {
      outDir: aside,
      emptyOutDir: true,
      reportCompressedSize: false,
      manifest: MANIFEST,
      rolldownOptions: { output: { codeSplitting: { groups: chunksOf(join(root, app.folder), app.folder) } } },
    },
  });
  writePages(app, aside);
  if (app.welcome !== undefined) await writeWelcome(app, app.welcome, aside);
  compress(aside);
  rmSync(output, { recursive: true, force: true });
  renameSync(aside, output);
  writeFileSync(stampOf(app), made);
  console.log(`Built ${app.folder} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** For each page that needs more than the entry: the app's page with that in its head. */
function writePages({ folder }: App, output: string): void {
  const manifest = join(output, MANIFEST);
  const page = readFileSync(join(output, 'index.html'), 'utf8');
  for (const [path, modules] of Object.entries(firstModules[folder])) {
    const lines = headOf(folder, modules, manifest).filter(({ file }) => !page.includes(`"${file}"`));
    const file = join(output, pageFileOf(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      page.replace('  </head>', () => [...lines.map(({ line }) => `    ${line}`), '  </head>'].join('\n')),
    );
  }
  rmSync(manifest);
}

/** Pre-renders the app's page: the same components, rendered here and hydrated in the browser. */
async function writeWelcome(app: App, entry: string, output: string): Promise<void> {
  const rendering = `${output}.rendering`;
  await build({
    root: join(root, app.folder),
    configFile: join(root, app.folder, 'vite.config.ts'),
    base: `/${app.folder}/`,
    logLevel: 'warn',
    build: { ssr: entry, outDir: rendering, emptyOutDir: true, copyPublicDir: false },
  });
  const file = join(rendering, `${parse(entry).name}.js`);
  const { welcomePage } = (await import(pathToFileURL(file).href)) as { welcomePage: () => string };
  const page = readFileSync(join(output, 'index.html'), 'utf8');
  const empty = '<div id="root"></div>';
  if (!page.includes(empty)) throw new Error(`${app.folder}/index.html has no room for its content: ${empty}`);
  writeFileSync(
    join(output, WELCOME_PAGE),
    page.replace(empty, () => `<div id="root">${welcomePage()}</div>`),
  );
  rmSync(rendering, { recursive: true });
}

/** Compresses files at build time instead of at each request. */
function compress(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|html|svg|json|map|txt)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length < 1024) continue;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
  }
}
