import { lockNamed, migration } from '../../../events/store/postgres/migration.ts';

export const migrateIdentity = migration(
  lockNamed('identity'),
  new URL('identity.sql', import.meta.url),
  // Refers to tables of the first.
  new URL('auth.sql', import.meta.url),
);
