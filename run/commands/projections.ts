import { WrongLog } from '../../events/store/port.ts';
import { projections } from '../../projections/all.ts';
import type { Comparison } from '../../projections/engine/building/compare.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { compare, rebuild, RebuildFailed, type RebuildOptions } from '../../projections/engine/rebuild.ts';
import { operator, recordSkip, skips } from '../../projections/engine/subscription/skips.ts';
import { buildStatuses, lagsAt, recordTrouble, type BuildStatus, type Lag } from '../../projections/engine/announcing/status.ts';
import { ledger } from '../../projections/ledger/ledger.ts';
import { openDecodedLog } from '../log/decoded-log.ts';
import { openLog } from '../log/log.ts';
import { forTheUser } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';
import { parseArguments, wrongUsage } from './arguments.ts';
import { asTable, type TableLine } from './as-table.ts';
import type { Command, CommandContext } from '../command.ts';

/** Prints the state of the read models. Works while the product is running, like all of these commands. */
export const projectionsStatus: Command = {
  usage: '',
  about: 'Prints the position, lag and error of each read model.',
  async run({ args, settings, database }) {
    if (args.length > 0) throw wrongUsage('projections status', projectionsStatus);
    const databaseUrl = await database();
    const store = await openLog({ ...settings, databaseUrl });
    try {
      const [builds, acts] = await withClient(databaseUrl, async (client) => [
        await buildStatuses(client),
        await skips(client).catch(() => []),
      ]);
      if (builds.length === 0) throw new StartError('There are no read models yet: start Marktrail first.');
      const lags = await lagsAt(
        store,
        await store.head(),
        builds.map(({ position }) => position),
      );
      console.log(asTable(builds.map((build) => lineOf(build, lags.get(build.position)))));
      for (const { projection, eventId, by, at, reason } of acts)
        console.log(`${projection} skips the event ${eventId}: ${reason} (${by}, ${at})`);
    } finally {
      await store.close();
    }
  },
};

export const projectionsRebuild: Command = {
  usage: '<name>|all [--compare]',
  about: 'Rebuilds a read model from the log while the old one is served; --compare also prints the rows that differ.',
  async run(context) {
    const { values, positionals } = parseArguments('projections rebuild', projectionsRebuild, {
      args: [...context.args],
      options: { compare: { type: 'boolean' } },
      allowPositionals: true,
    });
    const comparisons = await withRebuild(context, chosen(positionals), (options) =>
      rebuild(options, { compared: values.compare === true }),
    );
    console.log(`${positionals.join(', ')}: rebuilt.`);
    report(comparisons);
  },
};

export const projectionsCompare: Command = {
  usage: '<name>|all',
  about: 'Rebuilds a read model from the log, only to compare it row by row with the one that is served.',
  async run(context) {
    const { positionals } = parseArguments('projections compare', projectionsCompare, { args: [...context.args], allowPositionals: true });
    report(await withRebuild(context, chosen(positionals), compare));
  },
};

/** Every read model beside one that is filled from the log now: how many rows they have, and what differs. */
export const comparedWithTheLog = (context: CommandContext): Promise<Comparison[]> => withRebuild(context, projections, compare);

export const projectionsSkip: Command = {
  usage: '<name> <event id> --reason "why" [--by "who"]',
  about: 'Makes a read model skip the event at which it has stopped, now and in every rebuild. Recorded with who and why.',
  async run({ args, database }) {
    const { values, positionals } = parseArguments('projections skip', projectionsSkip, {
      args: [...args],
      options: { reason: { type: 'string' }, by: { type: 'string' } },
      allowPositionals: true,
    });
    const [name = '', eventId = ''] = positionals;
    const reason = (values.reason ?? '').trim();
    if (positionals.length !== 2 || reason === '') throw wrongUsage('projections skip', projectionsSkip);
    chosen([name]);
    if (name === ledger.name) throw new StartError(LEDGER_SKIPS_NOTHING);
    await withClient(await database(), async (client) => {
      const builds = (await buildStatuses(client)).filter((build) => build.name === name && build.stoppedAt !== null);
      const stopped = builds.filter(({ stoppedAt }) => stoppedAt === eventId.toLowerCase());
      if (stopped.length === 0) {
        throw new StartError(
          builds[0]
            ? `The read model ${name} has stopped at the event ${builds[0].stoppedAt}, not at ${eventId}.`
            : `The read model ${name} has not stopped at any event: there is nothing to skip.`,
        );
      }
      const by = (values.by ?? '').trim() || operator();
      await recordSkip(client, { projection: name, eventId: eventId.toLowerCase(), reason, by });
      // Clears the error, so that the projector retries at once.
      for (const build of stopped) await recordTrouble(client, 'read', build, null);
      console.log(`${name} skips the event ${eventId} from now on, in every rebuild too (${by}: ${reason}).`);
    });
  },
};

const LEDGER_SKIPS_NOTHING =
  'The read model ledger skips no event, because its signed heads prove that none is missing. ' +
  'To find the change: npm run marktrail -- log verify. To continue after a restore: npm run marktrail -- log accept --reason "why".';

const chosen = (names: readonly string[]): readonly Projection[] => {
  const models = projections.map(({ name }) => name);
  const unknown = names.find((name) => name !== 'all' && !models.includes(name));
  if (unknown !== undefined || names.length === 0)
    throw new StartError(`There is no read model "${unknown ?? ''}". There are: ${models.join(', ')}; or all.`);
  return names.includes('all') ? projections : projections.filter(({ name }) => names.includes(name));
};

const withRebuild = async (
  { settings, database, stopping }: CommandContext,
  wanted: readonly Projection[],
  work: (options: RebuildOptions) => Promise<Comparison[]>,
): Promise<Comparison[]> => {
  const databaseUrl = await database();
  const log = await openDecodedLog({ ...settings, databaseUrl });
  let next = performance.now() + 1_000;
  const options: RebuildOptions = {
    databaseUrl,
    store: log.store,
    decode: log.decode,
    projections: wanted,
    progress: new Progress({ databaseUrl }),
    signal: stopping,
    tell: console.error,
    onProgress({ fraction, events }) {
      if (performance.now() < next) return;
      next = performance.now() + 1_000;
      console.log(`${Math.round(fraction * 100)} %, ${events} events`);
    },
  };
  try {
    await log.store.recognise();
    return await forTheUser(() => work(options), 'The served read models are unchanged.');
  } catch (error) {
    throw error instanceof RebuildFailed || error instanceof WrongLog ? new StartError(error.message) : error;
  } finally {
    await log.close();
  }
};

/** @throws StartError if something differs: exit code 1 */
const report = (comparisons: readonly Comparison[]): void => {
  if (comparisons.length === 0) return;
  console.log(
    asTable(
      comparisons.map(({ table, rows, differences }) => ({
        table,
        rows: String(rows.shown),
        rebuilt: String(rows.rebuilt),
        differences: String(differences),
      })),
    ),
  );
  const examples = comparisons.flatMap(({ table, examples: some }) => some.map((example) => ({ table, ...example })));
  for (const { table, key, what, columns } of examples.slice(0, MOST_EXAMPLES))
    console.log(`${table}: ${what}${columns.length > 0 ? ` in ${columns.join(', ')}` : ''}: ${key}`);
  const differences = comparisons.reduce((sum, comparison) => sum + comparison.differences, 0);
  if (differences > 0)
    throw new StartError(`${differences === 1 ? 'One row is' : `${differences} rows are`} different from the log: see above.`);
};
const MOST_EXAMPLES = 20;

const lineOf = ({ name, version, generation, state, position, error, reason }: BuildStatus, lag: Lag | undefined): TableLine => ({
  'read model': name,
  version: generation === 0 ? String(version) : `${version}.${generation}`,
  state,
  position: String(position),
  'behind by': lag === undefined ? '' : `${lag.events}${lag.orMore ? '+' : ''} events, ${lag.seconds} s`,
  trouble: error ?? (state === 'filling' || state === 'stale' ? (reason ?? '') : ''),
});
