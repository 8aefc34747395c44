import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { accountName, email, schoolName } from '../../api/contract/fields.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import { systemActor } from '../../api/actor.ts';
import { commandClient } from '../command-client.ts';
import type { Backend } from '../backend.ts';
import { openBackend } from '../backend.ts';
import { requireSameLog } from '../log/log-origin.ts';
import { readerUrlOf } from '../database/reader-log-in.ts';
import { parseArguments, wrongUsage } from './arguments.ts';
import type { Command } from '../command.ts';
import { StartError } from '../start-error.ts';

/** A school with its first admin, who sets up everything else in the product. */
export const createSchool: Command = {
  usage: '--name "Greenfield Academy" --admin "Ada Nwosu" --email ada@greenfield.example',
  about: 'Opens a school and its first admin account; prints a password for the first log-in.',
  async run({ args, settings, database }) {
    const { name, admin, email } = optionsIn(args);
    const databaseUrl = await database();
    await requireSameLog(settings, databaseUrl);
    const backend = await openBackend({ ...settings, databaseUrl, readerDatabaseUrl: readerUrlOf(settings), tell: console.log });
    try {
      const password = await openSchoolWith(backend, { name, admin, email });
      console.log(
        [`${name} is open. Its admin logs in at ${settings.publicUrl} with`, `  e-mail    ${email}`, `  password  ${password}`].join('\n'),
      );
    } finally {
      await backend.close();
    }
  },
};

/**
 * Returns a password for the first log-in. It takes two commands; after an interruption between them, calling it again continues, because
 * the school's id is derived from the address. @throws StartError
 */
export const openSchoolWith = async (
  { bus, auth, readAs }: Pick<Backend, 'bus' | 'auth' | 'readAs'>,
  { name, admin, email }: { readonly name: string; readonly admin: string; readonly email: string },
): Promise<string> => {
  const begun = uuidv5(email.toLowerCase(), SCHOOLS);
  const [open] = await readAs(begun, (query) => query(`select school_id from schools where school_id = $1`));
  const schoolId = open ? randomUUID() : begun;
  const ask = commandClient(bus, systemActor(schoolId));
  const password = randomBytes(12).toString('base64url');
  const [account] = await readAs(schoolId, (query) =>
    query<{ accountId: string }>(`select account_id as "accountId" from accounts where school_id = $1 and not closed`),
  );
  const owner = account ? undefined : await auth.credentials.byEmail(email);
  if (owner && owner.schoolId !== schoolId)
    throw new StartError(`Nothing was opened: the e-mail address ${email} is already in use. Choose another one for the admin.`);
  // The account first: an e-mail address that is taken must not leave a school without an admin.
  const { accountId = '' } = account ?? (await ask('first admin', 'OpenStaffAccount', { name: admin, email, password, role: 'admin' }));
  await auth.credentials.setPassword(accountId, password, { proved: false });
  await ask('school', 'OpenSchool', { name });
  return password;
};

/** The namespace in which school ids are derived from the admin's address. */
const SCHOOLS = '0b6f3a52-7f0e-4b53-9d2c-6a3a1f7b8c41';

const newSchool = z.object({ name: schoolName, admin: accountName, email });

const optionsIn = (args: readonly string[]): z.output<typeof newSchool> => {
  const { values } = parseArguments('school create', createSchool, {
    args: [...args],
    options: { name: { type: 'string' }, admin: { type: 'string' }, email: { type: 'string' } },
  });
  const typed = newSchool.safeParse(values);
  if (typed.success) return typed.data;
  const wrong = new Set(typed.error.issues.map(({ path }) => `--${path.join('.')}`));
  throw new StartError(`Invalid: ${[...wrong].join(', ')}. ${wrongUsage('school create', createSchool).message}`);
};
