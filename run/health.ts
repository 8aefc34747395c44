import type { Pool } from 'pg';
import type { Health } from '../api/http/health.ts';
import type { EventStore } from '../events/store/port.ts';
import type { Engine } from '../projections/engine/engine.ts';

export type Parts = { readonly pool: Pool; readonly store: EventStore; readonly engine: Engine; readonly projecting: boolean };

/**
 * What is wrong, in sentences, within some seconds.
 *
 * `down`: no request can be answered, because the database of read models and identities is away. `degraded`: people can read and sign in,
 * and something else is wrong: the log is away (nothing can be stored), or a read model has stopped (what it shows grows old).
 */
export const healthOf = async ({ pool, store, engine, projecting }: Parts): Promise<Health> => {
  const [database, log] = await Promise.allSettled([reachable(pool), store.head()]);
  const problems: string[] = [];
  if (database.status === 'rejected')
    problems.push(`The database cannot be reached, so nothing can be shown: ${sentence(database.reason)}.`);
  if (log.status === 'rejected') problems.push(`The log cannot be reached, so nothing can be stored: ${sentence(log.reason)}.`);
  const { log: reading, projections: models } = engine.status();
  if (projecting && log.status === 'fulfilled' && reading.error !== undefined) {
    problems.push(`Reading the log is interrupted: ${reading.error}`);
  }
  for (const { name, state, error } of models) {
    if (state === 'stopped') problems.push(`The read model ${name} has stopped: ${error ?? 'unknown reason'}`);
    if (state === 'retired' && error !== undefined) problems.push(`The read model ${name} is out of use here: ${error}`);
  }
  return {
    status: database.status === 'rejected' ? 'down' : problems.length === 0 ? 'ok' : 'degraded',
    problems,
    database: database.status === 'fulfilled',
    log: log.status === 'fulfilled',
    head: log.status === 'fulfilled' ? String(log.value) : null,
    ...(projecting ? { reading, projections: models } : {}),
  };
};

const ANSWER_MS = 4_000;

const reachable = async (pool: Pool): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  const asked = pool.query('select');
  try {
    await Promise.race([asked, promise]);
  } finally {
    clearTimeout(timer);
    asked.catch(() => undefined);
  }
};

const sentence = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentence).join(', ');
  return error instanceof Error ? error.message : String(error);
};
