import { afterAll } from 'vitest';
import type { Client } from './client.ts';
import { openSchool, type RoleName, type School } from './school.ts';

/** For all tests of a file: a school, and those of its people who are signed in. */
export const schoolOfFile = async <Role extends RoleName>(
  ...signedIn: Role[]
): Promise<{ readonly school: School } & Record<Role, Client>> => {
  const school = await openSchool();
  afterAll(() => school.close());
  const clients = await Promise.all(signedIn.map(async (role) => [role, await school.as(role)] as const));
  return { school, ...(Object.fromEntries(clients) as Record<Role, Client>) };
};
