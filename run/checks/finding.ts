import { lockNamed, migration } from '../../events/store/postgres/migration.ts';

export const migrateChecks = migration(lockNamed('checks'), new URL('checks.sql', import.meta.url));

/** What was found out about one thing, as sentences for the operator: how it is, and what is wrong with it. */
export type Finding = { readonly fact?: string; readonly problem?: string };

/** 2026-11-22 06:55 UTC */
export const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
