-- Keys of people and schools, wrapped by the master key. They are neither log nor projection: without them all names are lost.

create schema if not exists keys;

-- Which master key wraps them: one row, written when the first process opens the keys.
create table if not exists keys.master_key (
  only_row boolean primary key default true check (only_row),
  fingerprint bytea not null
);

create table if not exists keys.school_keys (
  school uuid primary key,
  wrapped_key bytea not null
);

-- Rows are never deleted. A forgotten person keeps a row without a key: that, and only that, reads as forgotten.
create table if not exists keys.person_keys (
  person uuid primary key,
  school uuid,
  wrapped_key bytea,
  forgotten_at timestamptz,
  -- assigned under the lock of keys.forgettings, so numbers become visible in order: reading those above the last one seen misses
  -- none
  forgetting bigint unique,
  check ((wrapped_key is null) = (forgotten_at is not null)),
  check ((wrapped_key is null) = (forgetting is not null)),
  -- without a school: forgotten before any key was made
  check (school is not null or wrapped_key is null)
);

-- The old version of a forgotten row keeps the key on disk until a vacuum, so make that run soon.
alter table keys.person_keys set (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);

create table if not exists keys.forgettings (
  only_row boolean primary key default true check (only_row),
  number bigint not null
);
insert into keys.forgettings (number) values (0) on conflict do nothing;

-- The tombstone. Forgetting somebody twice changes nothing.
create or replace function keys.forget(forgotten uuid) returns void language sql as $$
  with counted as (
    update keys.forgettings set number = number + 1 returning number
  )
  insert into keys.person_keys as k (person, forgotten_at, forgetting)
  select forgotten, now(), number from counted
  on conflict (person) do update
    set wrapped_key = null, forgotten_at = excluded.forgotten_at, forgetting = excluded.forgetting
    where k.wrapped_key is not null;
$$;
