import type { Settings } from '../settings.ts';

/** One command of the command line, such as `school create`. */
export interface Command {
  /** What follows the name, for the list: `--name "Greenfield Academy"`. Empty when nothing does. */
  readonly usage: string;
  /** One line on what it does. */
  readonly about: string;
  /** Throws StartError for what its user can put right. */
  run(context: CommandContext): Promise<void>;
}

export interface CommandContext {
  /** What followed the name. */
  readonly args: readonly string[];
  readonly settings: Settings;
  /** Connection string of the owner; migrated. The embedded server is started for it where none runs. */
  database(): Promise<string>;
  /** Aborted by Ctrl-C. */
  readonly stopping: AbortSignal;
}
