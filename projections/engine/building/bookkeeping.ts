import { READER_ROLE } from '../reader-role.ts';

/**
 * The engine's own tables.
 *
 * `version`: the builds with tables here, the shape of these tables, and which build the views show. `stale`: built from another log than
 * this one. `shadow`: built only for a comparison, never served. `reason`: why it was started. `trouble`: the error that stopped it, and at
 * which event. `indexed`: it has all its indexes (late-indexes.ts).
 *
 * `checkpoint`: the last event that a build has applied, by position and id. `partition` is always 'all', and would allow splitting a
 * projection.
 *
 * `lease`: which process works on a build, and until when its last heartbeat counts. Unlogged: after a crash of PostgreSQL no lease is
 * valid.
 *
 * A change of `version` is notified to the projectors. (Within the transaction: if nobody took notifications for so long that the queue is full, nothing
 * could be rebuilt either.)
 *
 * Repeatable. An index that exists is not locked: `create index if not exists` would take locks that running projectors hold in another
 * order.
 */
export const engineTables = (schema: string): string => `
  create schema if not exists ${schema};
  grant usage on schema ${schema} to ${READER_ROLE};
  create table if not exists ${schema}.version (
    projection text not null,
    version int4 not null,
    generation int4 not null default 0,
    serving bool not null,
    stale bool not null default false,
    shadow bool not null default false,
    indexed bool not null default true,
    reason text,
    trouble text,
    trouble_event uuid,
    begun_at timestamptz not null default now(),
    tables text[] not null,
    shape text not null,
    primary key (projection, version, generation)
  );
  create table if not exists ${schema}.checkpoint (
    projection text not null,
    version int4 not null,
    generation int4 not null default 0,
    partition text not null default 'all',
    position int8 not null default 0,
    event_id uuid,
    primary key (projection, version, generation, partition)
  );
  do $$ begin
    if not exists (select from pg_class where relnamespace = '${schema}'::regnamespace and relname = 'one_version_serves') then
      create unique index one_version_serves on ${schema}.version (projection) where serving;
    end if;
    if not exists (select from pg_trigger where tgrelid = '${schema}.version'::regclass and tgname = 'tell_projectors') then
      create or replace function ${schema}.tell_projectors() returns trigger language plpgsql as $tell$
      begin
        perform pg_notify('${BUILDS_CHANNEL}', '');
        return null;
      end $tell$;
      create trigger tell_projectors after insert or update or delete on ${schema}.version
        for each statement execute function ${schema}.tell_projectors();
    end if;
  end $$;
  create unlogged table if not exists ${schema}.lease (
    projection text not null,
    version int4 not null,
    generation int4 not null,
    holder uuid not null,
    until timestamptz not null,
    primary key (projection, version, generation)
  );`;

/** Projectors listen to it. */
export const BUILDS_CHANNEL = 'marktrail_builds';

/** Reserved: no table of a read model may have these names. */
export const ENGINE_TABLES: readonly string[] = ['version', 'checkpoint', 'lease'];

/**
 * Operators' decisions about events, and the comparisons and rebuilds that were begun from a page. Outside the schema of the read models, so that they survive every rebuild and apply to it.
 */
export const OPERATOR_TABLES = `
  create schema if not exists operations;
  create table if not exists operations.skipped_event (
    projection text not null,
    event_id uuid not null,
    reason text not null,
    by text not null,
    at timestamptz not null default now(),
    primary key (projection, event_id)
  );
  create table if not exists operations.read_model_work (
    number int8 primary key generated always as identity,
    kind text not null,
    model text,
    school_id uuid not null,
    account_id uuid not null,
    begun_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    ended_at timestamptz,
    done int4 not null default 0,
    total int4 not null default 0,
    result jsonb,
    trouble text
  );`;
