-- The backups of this installation, each read back after it was written; without size: it failed.
create schema if not exists operations;

create table if not exists operations.backups (
  number bigint generated always as identity primary key,
  -- when its content was read
  at timestamptz not null,
  verified_at timestamptz not null default now(),
  place text not null,
  bytes bigint,
  events bigint
);
