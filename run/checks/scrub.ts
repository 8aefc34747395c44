import type pg from 'pg';
import { StoreUnavailable } from '../../events/store/port.ts';
import { isDamage } from '../../events/store/postgres/away.ts';
import { projections } from '../../projections/all.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { compare, rebuild, RebuildFailed, type RebuildOptions } from '../../projections/engine/rebuild.ts';
import { pagesAfter } from '../../projections/engine/subscription/batch.ts';
import type { DecodedLog } from '../log/decoded-log.ts';
import { verifyOwnLog } from '../log/own-log.ts';
import type { Settings } from '../settings.ts';
import { LEAST, roomIn } from './disk.ts';
import { minuteOf } from './finding.ts';
import { amcheckIn, damagedIndexes, damagedPages, type DamagedPages, hasChecksums } from './pages.ts';
import type { Rest } from './rest.ts';

/** As sentences for the operator. `notes`: what was mended, and what could not be checked. */
export type Found = { readonly problems: readonly string[]; readonly notes: readonly string[] };

export type ScrubOptions = {
  readonly settings: Pick<Settings, 'dataDir' | 'signingKey' | 'headsFile' | 'eventStoreUrl'>;
  readonly databaseUrl: string;
  readonly log: DecodedLog;
  /** The owner's. */
  readonly client: pg.Client;
  readonly rest: Rest;
  readonly stopping: AbortSignal;
};

/** What is checked of all that is stored, and how, in this order. */
export const scrubs: Readonly<Record<string, (options: ScrubOptions) => Promise<Found>>> = {
  'the pages of the database': (options) => checkPages(options),
  'its indexes': (options) => checkIndexes(options),
  'the log': (options) => checkLog(options),
  'the read models': (options) => checkReadModels(options),
};

const checkPages = async (options: ScrubOptions): Promise<Found> => {
  const { client, rest } = options;
  const amcheck = await amcheckIn(client);
  const damaged = await damagedPages(client, amcheck, rest);
  const ofModels = projections.filter((one) => damaged.some(({ table }) => isOf(one, table)));
  const mended = await rebuilt(options, ofModels, () => 'had damaged pages');
  const others = damaged.filter(({ table }) => !ofModels.some((one) => isOf(one, table)));
  const problems: string[] = [];
  for (const pages of others) problems.push(pages.table === 'log.events' ? await damagedEvents(client, pages) : damagedTable(pages));
  return {
    problems: [...problems, ...mended.problems],
    notes: [...mended.notes, ...((await hasChecksums(client)) ? [] : [NO_CHECKSUMS])],
  };
};

const NO_CHECKSUMS = 'The pages of this PostgreSQL have no checksums, so that damage to them is hardly noticed: see pg_checksums.';

const isOf = ({ tables }: Projection, name: string): boolean => {
  const [, table] = /^read\.(.+?)_v\d+(?:_g\d+)?$/.exec(name) ?? [];
  return Object.values(tables).some((one) => one.name === table);
};

const pagesText = ({ table, from, to }: DamagedPages): string =>
  from === to ? `Page ${from} of ${table}` : `Pages ${from} to ${to} of ${table}`;

const damagedTable = (pages: DamagedPages): string => `${pagesText(pages)} cannot be read. ${RESTORE}`;

const RESTORE = 'Look at the disk, and restore the last backup: docs/operations.md, "Damage".';

/** Events lie in the order in which they were stored: those between the pages around are lost. */
const damagedEvents = async (client: pg.Client, pages: DamagedPages): Promise<string> => {
  const at = async (page: number, which: 'min' | 'max'): Promise<string | undefined> =>
    (
      await client.query<{ position: string | null }>(
        // Without "offset 0" the index would lead to the damaged pages.
        `select ${which}(position) as position
           from (select position from log.events where ctid >= '(${page},0)' and ctid < '(${page + 1},0)' offset 0) as of_page`,
      )
    ).rows[0]?.position ?? undefined;
  const before = pages.from === 0 ? '0' : await at(pages.from - 1, 'max');
  const after = await at(pages.to + 1, 'min');
  const first = Number(before ?? 0) + 1;
  const last = after === undefined ? undefined : Number(after) - 1;
  const { rows } = await client.query<{ at: Date }>(
    'select at from operations.backups where bytes is not null and events >= $1 order by at desc limit 1',
    [last ?? first],
  );
  const events = last === undefined ? `from ${first} on` : last === first ? `${first}` : `${first} to ${last}`;
  const kept = rows[0]
    ? `The backup of ${minuteOf(rows[0].at)} would bring them back.`
    : 'No backup of this installation is known to have them.';
  return `${pagesText(pages)} cannot be read, so the log lacks its events ${events}. ${kept} ${RESTORE}`;
};

const checkIndexes = async ({ client, rest }: ScrubOptions): Promise<Found> => {
  const amcheck = await amcheckIn(client);
  if (amcheck === undefined) return { problems: [], notes: [NO_AMCHECK] };
  const problems: string[] = [];
  const notes: string[] = [];
  for (const index of await damagedIndexes(client, amcheck, rest)) {
    const error = await client.query(`reindex index concurrently ${index}`).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) notes.push(`The index ${index} was damaged, and was made anew at ${minuteOf(new Date())}.`);
    else problems.push(`The index ${index} is damaged, and cannot be made anew. ${RESTORE}`);
  }
  return { problems, notes };
};

const NO_AMCHECK =
  'Indexes are not checked: this PostgreSQL has no amcheck, or it is not allowed here (docs/operations.md, "Checks at night").';

export const checkLog = async ({ log, settings, rest }: ScrubOptions): Promise<Found> => {
  const events = async function* () {
    for await (const page of pagesAfter(log.store, 0n)) {
      yield page;
      await rest();
    }
  };
  try {
    const { findings } = await verifyOwnLog(log.pool, events, { settings });
    return { problems: findings.length === 0 ? [] : [NOT_THE_LOG], notes: [] };
  } catch (error) {
    // The pages are named.
    if (isDamage(error)) return { problems: [], notes: ['The log was not compared with its signed heads: it cannot be read to its end.'] };
    throw error;
  }
};

const NOT_THE_LOG = 'The log does not match its signed heads. For what differs: npm run marktrail -- log verify';

const checkReadModels = async (options: ScrubOptions): Promise<Found> => {
  const { client, settings, databaseUrl, rest } = options;
  const room = await roomIn(client, { dataDir: settings.dataDir, databaseUrl }).catch(() => undefined);
  if (room?.isHere === true && room.free < LEAST + room.database)
    return { problems: [], notes: ['The read models were not compared with the log: there is no room for a copy of them.'] };
  const rebuilding = rebuildOptions(options);
  const damaged = new Map<Projection, string>();
  const notes: string[] = [];
  for (const one of projections) {
    try {
      const decode: RebuildOptions['decode'] = async (events) => {
        await rest();
        return rebuilding.decode(events);
      };
      const differing = (await compare({ ...rebuilding, decode, projections: [one] })).reduce(
        (sum, { differences }) => sum + differences,
        0,
      );
      if (differing > 0) damaged.set(one, `differed from the log in ${differing} ${differing === 1 ? 'row' : 'rows'}`);
    } catch (error) {
      options.stopping.throwIfAborted();
      if (isDamage(error) && !(error instanceof StoreUnavailable)) damaged.set(one, 'could not be read');
      else if (isDamage(error) || error instanceof RebuildFailed) notes.push(`The read model ${one.name} was not compared with the log.`);
      else throw error;
    }
    await rest('whole');
  }
  const mended = await rebuilt(options, [...damaged.keys()], (one) => damaged.get(one) ?? '');
  return { problems: mended.problems, notes: [...notes, ...mended.notes] };
};

const rebuildOptions = ({ databaseUrl, log, stopping }: ScrubOptions): Omit<RebuildOptions, 'projections'> => ({
  databaseUrl,
  store: log.store,
  decode: log.decode,
  progress: new Progress({ databaseUrl }),
  signal: stopping,
});

/** At once: until then people see what is wrong. */
const rebuilt = async (options: ScrubOptions, models: readonly Projection[], why: (model: Projection) => string): Promise<Found> => {
  const problems: string[] = [];
  const notes: string[] = [];
  for (const one of models) {
    const said = `The read model ${one.name} ${why(one)}`;
    try {
      await rebuild({ ...rebuildOptions(options), projections: [one] });
      notes.push(`${said}, and was rebuilt from the log at ${minuteOf(new Date())}.`);
    } catch (error) {
      options.stopping.throwIfAborted();
      if (!(error instanceof RebuildFailed) && !isDamage(error)) throw error;
      problems.push(`${said}, and cannot be rebuilt from the log. For why: npm run marktrail -- projections rebuild ${one.name}`);
    }
  }
  return { problems, notes };
};
