import { randomUUID } from 'node:crypto';
import { openBackend, type Backend } from '../backend.ts';
import { readerUrlOf } from '../database/reader-log-in.ts';
import { systemActor } from '../../api/actor.ts';
import { commandClient } from '../command-client.ts';
import { aboutPerson } from './person-about.ts';
import { findPerson, findSchool, type Person } from './person-find.ts';
import { StartError } from '../start-error.ts';
import type { Command, CommandContext } from '../command.ts';

const WHO = '<school> <StudentID | e-mail | id>';

/** Irrevocable: see docs/personal-data.md. */
export const forgetPerson: Command = {
  usage: WHO,
  about: 'Forgets a student or a member of staff for ever: nobody can read any more who it was. Marks stay and count.',
  async run(context) {
    await withPerson(context, async ({ bus }, schoolId, person) => {
      const ask = commandClient(bus, systemActor(schoolId));
      if (person.kind === 'student') await ask(`forget ${person.studentId}`, 'ForgetStudent', { studentId: person.studentId });
      else await ask(`forget ${person.accountId}`, 'ForgetStaffAccount', { accountId: person.accountId });
      console.log(
        [
          `Forgotten: the ${person.kind === 'student' ? `student ${person.studentId}` : `account ${person.accountId}`}.`,
          `It is recorded in ${context.settings.forgettingsFile}: keep that file with your backups, so that a restored one forgets again.`,
        ].join('\n'),
      );
    });
  },
};

/** Everything that is kept about a person, for their right of access. */
export const exportPerson: Command = {
  usage: WHO,
  about: 'Prints as JSON everything that is kept about a student or a member of staff.',
  async run(context) {
    await withPerson(context, async (backend, schoolId, person) => {
      const about = person.kind === 'student' ? person.studentId : person.accountId;
      const actor = systemActor(schoolId);
      const whose = person.kind === 'student' ? { studentId: about } : { accountId: about };
      // In the record before it is printed, as any other hand-out.
      const record = commandClient(backend.bus, actor);
      await record(`export ${about} ${randomUUID()}`, 'RecordHandOut', { what: 'stored data', as: 'file', ...whose });
      backend.auth.security.note({ kind: 'export', actor, about, name: 'person export' });
      console.log(JSON.stringify(await aboutPerson(backend, schoolId, person), null, 2));
    });
  },
};

const withPerson = async (
  { args, settings, database }: CommandContext,
  work: (backend: Backend, schoolId: string, person: Person) => Promise<void>,
): Promise<void> => {
  const [school, who, ...more] = args;
  if (school === undefined || who === undefined || more.length > 0)
    throw new StartError(`Two arguments are needed: ${WHO}. Quote names with spaces.`);
  const databaseUrl = await database();
  const backend = await openBackend({ ...settings, databaseUrl, readerDatabaseUrl: readerUrlOf(settings), tell: console.error });
  try {
    const schoolId = await findSchool(databaseUrl, school);
    await work(backend, schoolId, await findPerson(backend, schoolId, who));
  } finally {
    await backend.close();
  }
};
