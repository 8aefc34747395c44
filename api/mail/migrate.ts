import { lockNamed, migration } from '../../events/store/postgres/migration.ts';

export const migrateMail = migration(lockNamed('mail'), new URL('outbox.sql', import.meta.url));
