import type { Settings } from './settings.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openSigningKey } from '../events/proof/head.ts';
import { projections } from '../projections/all.ts';
import { Engine } from '../projections/engine/engine.ts';
import type { Progress } from '../projections/engine/progress.ts';
import { ReadModelsDoNotFit } from '../projections/engine/schema.ts';
import { buildStandings } from '../projections/engine/standings.ts';
import { ledger } from '../projections/ledger/ledger.ts';
import { headSigner, type HeadSigner } from '../projections/ledger/signer.ts';
import type { DecodedLog } from './decoded-log.ts';

/** The projecting part of this process. */
export type Projector = { readonly engine: Engine; close(): Promise<void> };

export type ProjectorOptions = Pick<Settings, 'dataDir' | 'signingKey' | 'headsFile'> & {
  readonly databaseUrl: string;
  readonly log: DecodedLog;
  readonly progress: Progress;
  /** Prints a line on the console about something that takes time. */
  readonly tell: (line: string) => void;
};

/** `ready` is fulfilled when every read model has reached the head of the log: they must not be queried before. */
export const openProjector = (options: ProjectorOptions): Projector & { readonly ready: Promise<void> } => {
  const { databaseUrl, log, progress, tell } = options;
  const engine = new Engine({
    databaseUrl,
    store: log.store,
    progress,
    projections,
    decode: log.decode,
    recognise: log.store.recognise,
    tell,
  });
  const watching = tellStops(engine, tell);
  let signer: HeadSigner | undefined;
  let closed = false;
  const start = async (): Promise<void> => {
    await engine.catchUp({ onProgress: rebuildTeller(tell) });
    if (closed) return;
    engine.start();
    signer = await startSigner(options);
  };
  const ready = start();
  return {
    engine,
    ready,
    async close() {
      closed = true;
      clearInterval(watching);
      await engine.stop();
      await ready.catch(() => undefined);
      await signer?.close();
    },
  };
};

/**
 * Waits until other processes serve every read model in this program's version; otherwise queries would find missing or different tables.
 * Prints what it waits for.
 *
 * @throws ReadModelsDoNotFit if a newer Marktrail has created them
 */
export const untilShown = async (
  pool: pg.Pool,
  { tell, stopping }: { readonly tell: (line: string) => void; readonly stopping: AbortSignal },
): Promise<void> => {
  for (let round = 0; !stopping.aborted; round++) {
    const builds = await buildStandings(pool).catch(() => []);
    const missing = projections.filter(({ name, version }) => {
      const shown = builds.find((build) => build.name === name && build.serving);
      if (shown && shown.version > version)
        throw new ReadModelsDoNotFit(
          `The read model "${name}" was made by a newer Marktrail (version ${shown.version}; this one has ${version}).`,
        );
      return shown?.version !== version || shown.state === 'stale';
    });
    if (missing.length === 0) return;
    if (round % 20 === 2) tell(`Waiting for a projector (ROLE=projector) to fill: ${missing.map(({ name }) => name).join(', ')}.`);
    await delay(250, undefined, { signal: stopping }).catch(() => undefined);
  }
  stopping.throwIfAborted();
};

/** Prints once why a read model has stopped, and when it continues. /api/health is public and says only that it has stopped. */
const tellStops = (engine: Pick<Engine, 'status'>, tell: (line: string) => void): NodeJS.Timeout => {
  let known = new Map<string, string>();
  const look = (): void => {
    const stopped = new Map<string, string>(
      engine
        .status()
        .projections.flatMap(({ name, version, generation, state, error = 'unknown reason' }) =>
          state === 'stopped' ? [[`${name} ${version}.${generation}`, error] as const] : [],
        ),
    );
    for (const [build, error] of stopped) if (known.get(build) !== error) tell(`The read model ${build} has stopped: ${error}`);
    for (const build of known.keys()) if (!stopped.has(build)) tell(`The read model ${build} continues.`);
    known = stopped;
  };
  return setInterval(look, STOPS_MS).unref();
};
const STOPS_MS = 1_000;

/** Signs the ledger's heads as it grows. */
const startSigner = async ({ log: { pool }, progress, dataDir, signingKey, headsFile, tell }: ProjectorOptions): Promise<HeadSigner> => {
  const signer = headSigner({ pool, key: await openSigningKey(dataDir, signingKey), file: headsFile, tell });
  progress.onCommitted(({ positions }) => {
    if (positions.has(ledger.name)) signer.grown();
  });
  signer.grown();
  return signer;
};

/** Prints the progress of filling read models, if it takes longer than a moment. */
const rebuildTeller = (tell: (line: string) => void): ((progress: { fraction: number; trouble?: string }) => void) => {
  let next = performance.now() + 2_000;
  return ({ fraction, trouble }) => {
    if (performance.now() < next) return;
    next = performance.now() + 2_000;
    tell(trouble ?? `Filling the read models: ${Math.round(fraction * 100)} %`);
  };
};
