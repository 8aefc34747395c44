import { AsOf, type AsOfOptions } from '../../projections/engine/as-of/as-of.ts';
import { projectionsOfAnyMoment } from '../../projections/all.ts';
import type { Ask } from '../../projections/engine/reader.ts';
import { schoolIndex } from '../../projections/history/school-index.ts';
import { openCodec } from './log.ts';
import type { School } from './school.ts';

/** A process that only answers queries as of earlier moments. */
export const openAsOf = (school: School, options: Partial<AsOfOptions> = {}): { asOf: AsOf; close(): Promise<void> } => {
  const { store, progress } = school.backend;
  const opened = openCodec(school.databaseUrl);
  const asOf = new AsOf({
    schemas: 2,
    keepMs: 60_000,
    turnMs: 60_000,
    idleMs: 600_000,
    databaseUrl: school.databaseUrl,
    store,
    decode: (recorded) => opened.codec.decode(recorded, (stream, from) => store.read(stream, from)),
    projections: projectionsOfAnyMoment,
    index: schoolIndex,
    upToDate: async () => progress.waitFor([schoolIndex.name], await store.head(), 30_000),
    forgettings: opened.settledForgettings,
    ...options,
  });
  return {
    asOf,
    async close() {
      await asOf.stop();
      await opened.close();
    },
  };
};

/** The present time on the server's clock, which is this process's; anything done after it resolves has a later time. */
export const moment = async (): Promise<string> => {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
  return new Date(now).toISOString();
};

export const schoolNameIn = async (ask: Ask): Promise<string | undefined> =>
  (await ask<{ name: string }>({ text: 'select name from schools' }))[0]?.name;
