import { NO_SCHOOL, schoolOf } from '../../events/store/port.ts';
import type { LogSource } from '../../events/transfer/log.ts';
import { LOCATIONS } from '../log/log-locations.ts';
import { transfer } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { withPool } from './with-pool.ts';

const words = (args: readonly string[], count: number, command: string, { usage }: Command): readonly string[] => {
  if (args.length !== count || args.some((arg) => arg.startsWith('--')))
    throw new StartError(`Usage: npm run marktrail -- ${command} ${usage}. A place: ${LOCATIONS}.`);
  return args;
};

/** Copies any log to any place, event by event, unchanged. */
export const copyTheLog: Command = {
  usage: 'FROM TO',
  about: 'Copies the log from one place to another, or resumes an interrupted copy. FROM and TO: here, postgres://..., esdb://..., FILE, -',
  async run(context) {
    const [from = '', to = ''] = words(context.args, 2, 'log copy', copyTheLog);
    await transfer(from, to, context);
  },
};

export const exportLog: Command = {
  usage: 'FILE',
  about: 'Writes the log of this installation to a file of JSON lines (-: standard output).',
  async run(context) {
    const [to = ''] = words(context.args, 1, 'log export', exportLog);
    await transfer('here', to, context);
  },
};

export const importLog: Command = {
  usage: 'FILE [--without-keys]',
  about: 'Imports an exported file (-: standard input) into the empty log of this installation, if the keys of its schools are here.',
  async run(context) {
    const args = context.args.filter((arg) => arg !== WITHOUT_KEYS);
    const [from = ''] = words(args, 1, 'log import', importLog);
    const fits = args.length < context.args.length ? undefined : (source: LogSource) => requireKeys(source, context);
    await transfer(from, 'here', context, fits);
  },
};

const WITHOUT_KEYS = '--without-keys';

/** A log alone is no installation: names in it are never read, and nobody can log in. @throws StartError */
const requireKeys = async (source: LogSource, context: CommandContext): Promise<void> => {
  await source.check?.();
  const schools = new Set<string>();
  for await (const portion of source.events()) for (const { stream } of portion) schools.add(schoolOf(stream));
  schools.delete(NO_SCHOOL);
  const missing = await withPool(await context.database(), async (pool) => {
    const { rows } = await pool.query(
      'select from unnest($1::uuid[]) as s (school) where not exists (select from keys.person_keys k where k.school = s.school)',
      [[...schools]],
    );
    return rows.length;
  });
  if (missing === 0) return;
  throw new StartError(
    `The keys of ${missing === 1 ? 'a school' : `${missing} schools`} in ${source.name} are not here (schemas keys and identity, master.key): no name could be read, and nobody could log in. ` +
      `A backup has all of it: npm run marktrail -- restore FILE. To import the log alone: ${WITHOUT_KEYS}. Nothing was changed.`,
  );
};
