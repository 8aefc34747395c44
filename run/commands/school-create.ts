import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openSchool } from '../../api/contract/structure.ts';
import { asker, systemActor } from '../asker.ts';
import { openBackend } from '../backend.ts';
import type { Command } from './command.ts';
import { StartError } from '../start-error.ts';

/** A school with its first admin, who makes everything else in the product. */
export const createSchool: Command = {
  usage: '--name "Greenfield Academy" --admin "Ada Nwosu" --email ada@greenfield.example',
  about: 'Opens a school and its first admin account; prints a password for the first log-in.',
  async run({ args, settings, database }) {
    const { name, admin, email } = optionsIn(args);
    const backend = await openBackend({ ...settings, databaseUrl: await database(), tell: console.log });
    try {
      const ask = asker(backend.accounts, systemActor(randomUUID()));
      const password = randomBytes(12).toString('base64url');
      // The account first: an e-mail address that is taken must not leave a school without an admin.
      await ask('first admin', 'OpenStaffAccount', { name: admin, email, password, role: 'admin' });
      await ask('school', 'OpenSchool', { name });
      console.log(
        [`${name} is open. Its admin logs in at ${settings.publicUrl} with`, `  e-mail    ${email}`, `  password  ${password}`].join('\n'),
      );
    } finally {
      await backend.close();
    }
  },
};

const optionsIn = (args: readonly string[]): { name: string; admin: string; email: string } => {
  const options = { name: { type: 'string' }, admin: { type: 'string' }, email: { type: 'string' } } as const;
  try {
    const { name, admin, email } = parseArgs({ args: [...args], options }).values;
    if (admin && email && openSchool.safeParse({ name }).success) return { name: name ?? '', admin, email };
  } catch {
    // An option that there is not: the same answer.
  }
  throw new StartError(`Usage: npm run marktrail -- school create ${createSchool.usage}`);
};
