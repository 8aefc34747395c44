-- From which log the read models of this database were filled, and which log an operator has accepted in its place. Rows are only added.
create schema if not exists operations;

create table if not exists operations.log_origin (
  number bigint generated always as identity primary key,
  at timestamptz not null default now(),
  place text not null,
  -- the newest event that the read models knew and that the accepted log does not hold
  missing uuid,
  by text,
  reason text
);
