import { checkAll, connection } from '../checks/schedule.ts';
import { atOnce } from '../checks/rest.ts';
import type { Command } from '../command.ts';
import { forTheUser } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';
import { wrongUsage } from './arguments.ts';

/** Everything that is stored, as at night, but at once. */
export const check: Command = {
  usage: '',
  about: 'Checks what is stored, as Marktrail does at night: pages and indexes of the database, the log, the read models.',
  async run({ args, settings, database, stopping }) {
    if (args.length > 0) throw wrongUsage('check', check);
    const databaseUrl = await database();
    const problems: string[] = [];
    const checking = { settings, databaseUrl, tell: console.log };
    const isDone = await forTheUser(() =>
      withClient(connection(databaseUrl), async (client) => {
        const done = await checkAll(client, checking, stopping, undefined, atOnce(stopping));
        const { rows } = await client.query<{ problem: string }>('select unnest(problems) as problem from operations.checks');
        problems.push(...rows.map(({ problem }) => problem));
        return done;
      }),
    );
    if (!isDone) throw new StartError('What is stored is being checked already: /api/health says what was found.');
    if (problems.length > 0) throw new StartError('What is stored is not as it should be: see above.');
    console.log('What is stored is as it should be.');
  },
};
