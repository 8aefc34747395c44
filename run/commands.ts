import type { Command } from './commands/command.ts';
import { demo } from './commands/demo.ts';
import { createSchool } from './commands/school-create.ts';

/** By name, in the order in which they are listed. */
export const commands: Readonly<Record<string, Command>> = { 'school create': createSchool, demo };
