import { LOCATIONS } from '../log/log-locations.ts';
import { transfer } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import type { Command } from '../command.ts';

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
  usage: 'FILE',
  about: 'Imports an exported file (-: standard input) into the empty log of this installation.',
  async run(context) {
    const [from = ''] = words(context.args, 1, 'log import', importLog);
    await transfer(from, 'here', context);
  },
};
