import type { Pool } from 'pg';
import type { Health, ReadModelHealth } from '../api/http/health.ts';
import type { EventStore } from '../events/store/port.ts';
import { within } from '../events/store/within.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { Projection } from '../projections/engine/projection.ts';
import { skips } from '../projections/engine/skips.ts';
import { buildStandings, lagsAt, type BuildStanding } from '../projections/engine/standings.ts';

export type Parts = {
  readonly pool: Pool;
  readonly store: EventStore;
  /** what this program knows */
  readonly projections: readonly Projection[];
  /** Undefined: this process does not project. */
  readonly engine?: Engine;
};

/**
 * What is wrong, in sentences, within some seconds. The state of the read models is taken from the database, whichever process projects
 * them.
 *
 * `down`: no request can be answered, because the database of read models and identities is away. `degraded`: people can read and sign in,
 * but the log is away (nothing can be stored) or a read model has stopped (its data becomes outdated).
 */
export const healthOf = async ({ pool, store, projections, engine }: Parts): Promise<Health> => {
  const [database, log] = await Promise.allSettled([answered(buildStandings(pool)), store.head()]);
  const problems: string[] = [];
  if (database.status === 'rejected')
    problems.push(`The database cannot be reached, so nothing can be shown: ${sentence(database.reason)}.`);
  if (log.status === 'rejected') problems.push(`The log cannot be reached, so nothing can be stored: ${sentence(log.reason)}.`);
  const reading = engine?.status().log;
  if (log.status === 'fulfilled' && reading?.error !== undefined) problems.push(`Reading the log is interrupted: ${reading.error}`);

  const builds = database.status === 'fulfilled' ? database.value : [];
  for (const build of builds) problems.push(...troubleOf(build));
  if (database.status === 'fulfilled') problems.push(...projections.flatMap((projection) => misfit(projection, builds)));
  const head = log.status === 'fulfilled' ? log.value : undefined;
  const acts = builds.length === 0 ? [] : await answered(skips(pool)).catch(() => []);
  return {
    status: database.status === 'rejected' ? 'down' : problems.length === 0 ? 'ok' : 'degraded',
    problems,
    database: database.status === 'fulfilled',
    log: log.status === 'fulfilled',
    head: head === undefined ? null : String(head),
    ...(reading ? { reading } : {}),
    projections: head === undefined ? builds.map((build) => readModel(build)) : await withLags(store, head, builds),
    // Without the reason, which may be about people: `marktrail projections status` shows it.
    skipped: acts.map(({ projection, eventId, at }) => ({ projection, eventId, at })),
  };
};

const troubleOf = ({ name, state, error }: BuildStanding): string[] => {
  if (state === 'stopped') return [`The read model ${name} has stopped: ${error ?? 'unknown reason'}`];
  if (state === 'waiting') return [`No process updates the read model ${name}: start a projector.`];
  if (state === 'stale') return [`The read model ${name} still shows another log, and is being rebuilt.`];
  return [];
};

const misfit = ({ name, version }: Projection, builds: readonly BuildStanding[]): string[] => {
  const shown = builds.find((build) => build.name === name && build.serving);
  if (!shown) return [`The read model ${name} does not exist: start a projector.`];
  return shown.version === version
    ? []
    : [`The read model ${name} is served in version ${shown.version}, but this program needs version ${version}.`];
};

const withLags = async (store: EventStore, head: bigint, builds: readonly BuildStanding[]): Promise<ReadModelHealth[]> => {
  const positions = builds.map(({ position }) => position);
  const lags = await answered(lagsAt(store, head, positions)).catch(() => undefined);
  return builds.map((build) => {
    const lag = lags?.get(build.position);
    return { ...readModel(build), ...(lag ? { lag: lag.events, lagOrMore: lag.orMore, lagSeconds: lag.seconds } : {}) };
  });
};

const readModel = ({ name, version, generation, state, serving, position, error }: BuildStanding): ReadModelHealth => ({
  name,
  version,
  generation,
  state,
  serving,
  position: String(position),
  ...(error === null ? {} : { error }),
});

const ANSWER_MS = 4_000;

const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  within(ANSWER_MS, asked, () => new Error(`no answer within ${ANSWER_MS} ms`));

const sentence = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentence).join(', ');
  return error instanceof Error ? error.message : String(error);
};
