-- What was last checked of this installation, and what was found: a row for each check.
create schema if not exists operations;

create table if not exists operations.checks (
  what text primary key,
  -- when it was last done to its end
  at timestamptz not null,
  -- as sentences for the operator
  problems text[] not null default '{}',
  notes text[] not null default '{}'
);
