-- What is checked of this installation, and what was found last: a row for each check.
create schema if not exists operations;

create table if not exists operations.checks (
  what text primary key,
  since timestamptz not null default now(),
  -- when it was last done to its end; null: never
  at timestamptz,
  -- as sentences for the operator
  problems text[] not null default '{}',
  notes text[] not null default '{}'
);
