import type { Command } from './commands/command.ts';
import { demo } from './commands/demo.ts';
import { acceptTheLog } from './commands/log-accept.ts';
import { copyTheLog, exportLog, importLog } from './commands/log-copy.ts';
import { listHeads, verifyTheLog } from './commands/log-verify.ts';
import { projectionsCompare, projectionsRebuild, projectionsSkip, projectionsStatus } from './commands/projections.ts';
import { exportPerson, forgetPerson } from './commands/person.ts';
import { createSchool } from './commands/school-create.ts';
import { securityLog } from './commands/security-log.ts';

/** By name, in the order in which they are listed. */
export const commands: Readonly<Record<string, Command>> = {
  'school create': createSchool,
  'person forget': forgetPerson,
  'person export': exportPerson,
  demo,
  'log copy': copyTheLog,
  'log export': exportLog,
  'log import': importLog,
  'log verify': verifyTheLog,
  'log heads': listHeads,
  'log accept': acceptTheLog,
  'security log': securityLog,
  'projections status': projectionsStatus,
  'projections rebuild': projectionsRebuild,
  'projections compare': projectionsCompare,
  'projections skip': projectionsSkip,
};
