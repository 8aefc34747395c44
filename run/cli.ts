import { commands } from './commands.ts';
import { reachDatabase } from './database/database.ts';
import { type Lifecycle, runUntilStopped } from './lifecycle.ts';
import { requireEventStore } from './log/log.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';

/** As in shells, 128 plus the number of SIGINT, so that no script takes a partial copy for a complete one. */
const INTERRUPTED = 130;

/** `npm run marktrail -- <command> [arguments]` */
const command = async (lifecycle: Lifecycle): Promise<void> => {
  const words = process.argv.slice(2);
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0]!)) {
    console.log(await help());
    return void lifecycle.end(0);
  }
  const name = [words.slice(0, 2).join(' '), words[0]!].find((candidate) => Object.hasOwn(commands, candidate));
  if (name === undefined) throw new StartError(`There is no command "${words.join(' ')}": npm run marktrail -- help lists them.`);
  const settings = readSettings(process.env);
  const chosen = await commands[name]!();
  await chosen.run({
    args: words.slice(name.split(' ').length),
    settings,
    async database(purpose) {
      await requireEventStore(settings, console.log);
      return await reachDatabase(settings, lifecycle, purpose);
    },
    stopping: lifecycle.stopping,
  });
  void lifecycle.end(0);
};

runUntilStopped(command, { interrupted: INTERRUPTED, failed: 'The command failed' });

async function help(): Promise<string> {
  const all = Object.entries(commands).map(async ([name, load]) => [name, await load()] as const);
  const lines = (await Promise.all(all)).map(([name, { usage, about }]) => `  ${`${name} ${usage}`.trim()}\n      ${about}`);
  return ['Usage: npm run marktrail -- <command>', '', ...lines, '  help\n      This list.'].join('\n');
}
