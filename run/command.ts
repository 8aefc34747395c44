import type { Settings } from './settings.ts';

/** One command of the command line, such as `school create`. */
export interface Command {
  /** The arguments, for the help: `--name "Greenfield Academy"`; may be empty. */
  readonly usage: string;
  /** One line on what it does. */
  readonly about: string;
  /** Throws StartError for errors that the user can fix. */
  run(context: CommandContext): Promise<void>;
}

export interface CommandContext {
  /** The arguments after the name. */
  readonly args: readonly string[];
  readonly settings: Settings;
  /** Connection string of the owner of the migrated database. Starts the embedded server if none is running. `toRestore`: also where a restore was not finished. */
  database(purpose?: { readonly toRestore: boolean }): Promise<string>;
  /** Aborted by Ctrl-C. */
  readonly stopping: AbortSignal;
}
