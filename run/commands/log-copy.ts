import { PLACES } from '../log/places.ts';
import { transfer } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './command.ts';

const words = (args: readonly string[], count: number, command: string, { usage }: Command): readonly string[] => {
  if (args.length !== count || args.some((arg) => arg.startsWith('--')))
    throw new StartError(`Usage: npm run marktrail -- ${command} ${usage}. A place: ${PLACES}.`);
  return args;
};

/** Any log to any place, event by event as it is. */
export const copyTheLog: Command = {
  usage: 'FROM TO',
  about:
    'Copies the log from one place to another, or goes on with a copy that was interrupted. FROM and TO: here, postgres://..., esdb://..., FILE, -',
  async run(context) {
    const [from = '', to = ''] = words(context.args, 2, 'log copy', copyTheLog);
    await transfer(from, to, context);
  },
};

export const exportLog: Command = {
  usage: 'FILE',
  about: 'Writes the log of this installation into a file of JSON lines (-: the standard output).',
  async run(context) {
    const [to = ''] = words(context.args, 1, 'log export', exportLog);
    await transfer('here', to, context);
  },
};

export const importLog: Command = {
  usage: 'FILE',
  about: 'Takes an exported file (-: the standard input) into the empty log of this installation.',
  async run(context) {
    const [from = ''] = words(context.args, 1, 'log import', importLog);
    await transfer(from, 'here', context);
  },
};
