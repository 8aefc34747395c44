import pg from 'pg';
import { Passwords } from '../../api/auth/password/password-hash.ts';

/**
 * With the least that argon2 can do: some microseconds instead of 30 ms of a processor. What the product itself stores is
 * tests/domain/accounts/passwords.test.ts's concern, and of each account that a process of the product opens.
 */
export const cheapPasswords = new Passwords({ memory: 8, passes: 1, parallelism: 1 });

/** Everybody in the database, which a process of the product has filled, has this password, as before, but as a hash that is checked at once. */
export const makeLogInsCheap = async (databaseUrl: string, password: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const hash = await cheapPasswords.hash(password);
    await client.query('update identity.account set password = $1 where password is not null', [hash]);
  } finally {
    await client.end();
  }
};
