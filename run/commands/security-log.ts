import { listEntries } from '../../api/security/security-log.ts';
import { findSchool } from './person-find.ts';
import { wrongUsage } from './arguments.ts';
import { asTable } from './as-table.ts';
import type { Command } from '../command.ts';
import { withPool } from './with-pool.ts';

/** Includes entries of no school, such as failed log-ins without an account. */
export const securityLog: Command = {
  usage: '[school]',
  about:
    'Prints the newest 200 entries of the security log, oldest first: log-ins, refusals, limits, changes of rights, exports, forgettings.',
  async run({ args: [school, ...more], database }) {
    if (more.length > 0) throw wrongUsage('security log', securityLog);
    const databaseUrl = await database();
    const schoolId = school === undefined ? undefined : await findSchool(databaseUrl, school);
    const entries = await withPool(databaseUrl, (pool) => listEntries(pool, { schoolId }));
    if (entries.length === 0) return console.log('There are no entries.');
    console.log(
      asTable(
        entries.toReversed().map(({ at, kind, accountId, aboutId, name, network, count }) => ({
          at,
          what: kind,
          times: String(count),
          account: accountId ?? '',
          about: aboutId ?? '',
          name: name ?? '',
          network: network ?? '',
        })),
      ),
    );
  },
};
