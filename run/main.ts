import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, staleApps } from './apps.ts';
import { startBackups } from './backup/schedule.ts';
import { openDataDir } from './database/data-dir.ts';
import { openDatabase } from './database/database.ts';
import { shrinkAtRest } from './http/at-rest.ts';
import { listen } from './http/http-server.ts';
import { runUntilStopped } from './lifecycle.ts';
import { requireSameLog } from './log/log-origin.ts';
import { requireEventStore, requireNoLogLeftBehind } from './log/log.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';

/** `npm start`: everything, in one process. `--without-apps`: dev.ts serves them instead. */
runUntilStopped(
  async (lifecycle) => {
    const wished = readSettings(process.env);
    await requireEventStore(wished, console.log);
    const dataDir = wished.databaseUrl === undefined ? await openDataDir(wished.dataDir) : undefined;
    if (dataDir) lifecycle.onEnd(() => dataDir.release());

    const http = await listen(wished);
    // Loading the product takes longer than all before together: while the database starts, and not for a start that is refused.
    const product = import('./http/compose.ts');
    const settings = wished.port === 0 ? readSettings({ ...process.env, PORT: String(http.port) }) : wished;
    lifecycle.onEnd(() => http.close());
    dataDir?.announce(settings.publicUrl);

    if (settings.role !== 'projector' && !process.argv.includes('--without-apps')) await buildStaleApps();
    lifecycle.stopping.throwIfAborted();
    const databaseUrl = await openDatabase(settings, lifecycle);
    await requireNoLogLeftBehind(settings, databaseUrl);
    await requireSameLog(settings, databaseUrl);
    lifecycle.stopping.throwIfAborted();
    const { compose } = await product;
    const marktrail = await compose(settings, databaseUrl, { progress: console.log, stopping: lifecycle.stopping });
    lifecycle.onEnd(() => marktrail.close());
    lifecycle.onEnd(() => http.close());
    http.answerWith(marktrail.fetch);
    lifecycle.onEnd(shrinkAtRest());
    // Loaded with the product.
    const { startChecks } = await import('./checks/schedule.ts');
    if (settings.role !== 'api') lifecycle.onEnd(startChecks({ settings, databaseUrl, tell: console.log }));
    const { backupDir } = settings;
    if (backupDir !== undefined && settings.role !== 'api')
      lifecycle.onEnd(startBackups({ settings: { ...settings, backupDir }, databaseUrl, tell: console.log }));

    console.log([`Marktrail is ready on ${settings.publicUrl}`, ...marktrail.welcome, 'Stop it with Ctrl-C.'].join('\n'));
  },
  { failed: 'Marktrail did not start' },
);

/** In a process of its own, to free its memory afterwards. */
async function buildStaleApps(): Promise<void> {
  const stale = staleApps();
  if (stale.length === 0) return;
  console.log(`Building ${stale.map(({ folder }) => folder).join(', ')} ...`);
  const child = spawn(process.execPath, [join(root, 'run/build.ts'), '--stale'], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new StartError('The apps could not be built: see above.');
}
