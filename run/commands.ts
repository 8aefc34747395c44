import type { Command } from './command.ts';

/** By name, in the order in which they are listed. Loaded when needed: all of them take half a second of processor time. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  'school create': async () => (await import('./commands/school-create.ts')).createSchool,
  'person forget': async () => (await import('./commands/person.ts')).forgetPerson,
  'person export': async () => (await import('./commands/person.ts')).exportPerson,
  demo: async () => (await import('./commands/demo.ts')).demo,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  check: async () => (await import('./commands/check.ts')).check,
  'log copy': async () => (await import('./commands/log-copy.ts')).copyTheLog,
  'log export': async () => (await import('./commands/log-copy.ts')).exportLog,
  'log import': async () => (await import('./commands/log-copy.ts')).importLog,
  'log verify': async () => (await import('./commands/log-verify.ts')).verifyTheLog,
  'log heads': async () => (await import('./commands/log-verify.ts')).listHeads,
  'log accept': async () => (await import('./commands/log-accept.ts')).acceptTheLog,
  'security log': async () => (await import('./commands/security-log.ts')).securityLog,
  'projections status': async () => (await import('./commands/projections.ts')).projectionsStatus,
  'projections rebuild': async () => (await import('./commands/projections.ts')).projectionsRebuild,
  'projections compare': async () => (await import('./commands/projections.ts')).projectionsCompare,
  'projections skip': async () => (await import('./commands/projections.ts')).projectionsSkip,
};
