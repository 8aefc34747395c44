import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from '../start-error.ts';
import type { Command } from '../command.ts';

/**
 * What follows a command's name.
 *
 * @throws StartError with the command's usage for arguments that it does not have
 */
export const parseArguments = <const Config extends ParseArgsConfig>(
  name: string,
  command: Pick<Command, 'usage'>,
  config: Config,
): ReturnType<typeof parseArgs<Config>> => {
  try {
    return parseArgs(config);
  } catch {
    throw wrongUsage(name, command);
  }
};

export const wrongUsage = (name: string, { usage }: Pick<Command, 'usage'>): StartError =>
  new StartError(`Usage: npm run marktrail -- ${name} ${usage}`);
