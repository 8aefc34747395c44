import type { Settings } from './settings.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { BACKOFF } from '../events/async/backoff.ts';
import { findSigningKey, openSigningKey } from '../events/proof/head.ts';
import { hasHeads } from '../events/proof/heads.ts';
import { projections } from '../projections/all.ts';
import { Engine } from '../projections/engine/engine.ts';
import type { Progress } from '../projections/engine/announcing/progress.ts';
import { ReadModelsDoNotFit } from '../projections/engine/building/schema.ts';
import { buildStatuses } from '../projections/engine/announcing/status.ts';
import { ledger } from '../projections/ledger/ledger.ts';
import { headSigner, type HeadSigner } from '../projections/ledger/signer.ts';
import type { DecodedLog } from './log/decoded-log.ts';

/** The projecting part of this process. */
export type Projector = {
  readonly engine: Engine;
  /** Further sentences for the operator, besides the state of the read models. */
  concerns(): readonly string[];
  close(): Promise<void>;
};

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
    retry: { ...BACKOFF, pause: (ms, signal) => log.store.recovery.raised(ms, signal) },
    tell,
  });
  const closing = new AbortController();
  void tellStops(engine, tell, closing.signal);
  let signer: HeadSigner | undefined;
  let isKeyMissing = false;
  let retry: NodeJS.Timeout | undefined;
  const sign = async (): Promise<void> => {
    signer = await startSigner(options);
    if (closing.signal.aborted || signer) {
      isKeyMissing = false;
      return;
    }
    if (!isKeyMissing) tell(KEY_MISSING);
    isKeyMissing = true;
    // Once the key's file is restored, signing begins without a restart.
    retry = setTimeout(() => void sign().catch((error: unknown) => tell(String(error))), KEY_MS).unref();
  };
  const start = async (): Promise<void> => {
    await engine.catchUp({ onProgress: rebuildTeller(tell) });
    if (closing.signal.aborted) return;
    engine.start();
    await sign();
  };
  const ready = start();
  return {
    engine,
    ready,
    concerns: () => [...(isKeyMissing ? [KEY_MISSING] : []), ...(signer?.isInTrouble() === true ? [NOT_SIGNED] : [])],
    async close() {
      closing.abort();
      clearTimeout(retry);
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
    const builds = await buildStatuses(pool).catch(() => []);
    const missing = projections.filter(({ name, version }) => {
      const served = builds.find((build) => build.name === name && build.serving);
      if (served && served.version > version)
        throw new ReadModelsDoNotFit(
          `The read model "${name}" was made by a newer Marktrail (version ${served.version}; this one has ${version}).`,
        );
      return served?.version !== version || served.state === 'stale';
    });
    if (missing.length === 0) return;
    if (round % 20 === 2) tell(`Waiting for a projector (ROLE=projector) to fill: ${missing.map(({ name }) => name).join(', ')}.`);
    await delay(250, undefined, { signal: stopping }).catch(() => undefined);
  }
  stopping.throwIfAborted();
};

/** Prints once why a read model has stopped, and when it continues. /api/health is public and says only that it has stopped. */
const tellStops = async (engine: Pick<Engine, 'status' | 'changed'>, tell: (line: string) => void, closing: AbortSignal): Promise<void> => {
  let reported = new Map<string, string>();
  const look = (): void => {
    const stopped = new Map<string, string>(
      engine
        .status()
        .projections.flatMap(({ name, version, generation, state, error = 'unknown reason' }) =>
          state === 'stopped' ? [[`${name} ${version}.${generation}`, error] as const] : [],
        ),
    );
    for (const [build, error] of stopped) if (reported.get(build) !== error) tell(`The read model ${build} has stopped: ${error}`);
    for (const build of reported.keys()) if (!stopped.has(build)) tell(`The read model ${build} continues.`);
    reported = stopped;
  };
  for (; !closing.aborted; await engine.changed(closing)) look();
};

/**
 * Signs the ledger's heads as it grows. Undefined: the key of earlier heads is missing. A new one would hide that, and nobody who checks
 * the log elsewhere would trust it.
 */
const startSigner = async (options: ProjectorOptions): Promise<HeadSigner | undefined> => {
  const { log, progress, dataDir, signingKey, headsFile, tell } = options;
  const { pool } = log;
  const found = await findSigningKey(dataDir, signingKey);
  if (!found && (await hasHeads(pool))) return undefined;
  const signer = headSigner({ pool, key: found ?? (await openSigningKey(dataDir)), file: headsFile, tell });
  progress.onCommitted(({ positions }) => {
    if (positions.has(ledger.name)) signer.grown();
  });
  signer.grown();
  return signer;
};

const KEY_MISSING =
  'The signing key of the log is missing (SIGNING_KEY, or signing.key in DATA_DIR), so what is stored now is not signed. ' +
  'Restore it; or, if it is lost: npm run marktrail -- log accept --new-key --reason "why"';
const NOT_SIGNED = 'The log cannot be signed at the moment, and this is tried again. The error is on the console of the server.';
const KEY_MS = 10_000;

/** Prints the progress of filling read models, if it takes longer than a moment. */
const rebuildTeller = (tell: (line: string) => void): ((progress: { fraction: number; trouble?: string }) => void) => {
  let next = performance.now() + 2_000;
  return ({ fraction, trouble }) => {
    if (performance.now() < next) return;
    next = performance.now() + 2_000;
    tell(trouble ?? `Filling the read models: ${Math.round(fraction * 100)} %`);
  };
};
