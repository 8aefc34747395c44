import { openBackend } from '../backend.ts';
import { requireSameLog } from '../log/log-origin.ts';
import { readerUrlOf } from '../database/reader-log-in.ts';
import type { Command, CommandContext } from '../command.ts';
import type { DemoOptions } from '../demo/demo.ts';
import { demoSchool, maySetUpDemo } from '../demo/demo.ts';
import { demoWelcome } from '../demo/people.ts';
import { StartError } from '../start-error.ts';

/** What `npm start` does by default outside production; for installations with their own database. */
export const demo: Command = {
  usage: '',
  about: 'Builds the demo school in an empty log.',
  run: (context) => buildDemo(context),
};

export const buildDemo = async (
  { settings, database }: Pick<CommandContext, 'settings' | 'database'>,
  options: DemoOptions = {},
): Promise<void> => {
  const databaseUrl = await database();
  await requireSameLog(settings, databaseUrl);
  const backend = await openBackend({ ...settings, databaseUrl, readerDatabaseUrl: readerUrlOf(settings), tell: console.log });
  try {
    if (!(await maySetUpDemo(backend)))
      throw new StartError('The log is not empty, or not the first one here: the demo school needs a new one.');
    await demoSchool(backend, console.log, options);
    console.log(demoWelcome.join('\n'));
  } finally {
    await backend.close();
  }
};
