import { makeBackup } from '../backup/backup.ts';
import type { Command } from '../command.ts';
import { forTheUser, megabytes } from '../log/transfer.ts';
import { parseArguments, wrongUsage } from './arguments.ts';

/** Everything of an installation in one file, while it runs. */
export const backup: Command = {
  usage: 'FILE',
  about: 'Writes all of this installation to one file, while it runs, and reads it back. With BACKUP_PASSPHRASE its keys are in it too.',
  async run({ args, settings, database, stopping }) {
    const { positionals } = parseArguments('backup', backup, { args: [...args], allowPositionals: true });
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw wrongUsage('backup', backup);
    const databaseUrl = await database();
    const { bytes, manifest } = await forTheUser(
      () => makeBackup({ settings, databaseUrl, path, stopping, onProgress: megabytes('read') }),
      'Run the same command again.',
    );
    console.log(
      `${path} holds all of ${manifest.at}, with ${manifest.events} events, in ${Math.ceil(bytes / 1_000_000)} MB, and was read back.`,
    );
    if (manifest.keys === null)
      console.log('The keys are not in it: keep master.key and signing.key in another place, or set BACKUP_PASSPHRASE.');
  },
};
