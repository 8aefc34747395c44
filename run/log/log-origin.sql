-- The log from which the read models of this database were filled, and logs that an operator has accepted instead. Append-only: the last
-- row holds.
create schema if not exists operations;

create table if not exists operations.log_origin (
  number bigint generated always as identity primary key,
  at timestamptz not null default now(),
  place text not null,
  -- the newest event of the read models that is missing in the accepted log
  missing uuid,
  by text,
  reason text
);

-- the identity of the log; null: it has none yet
alter table operations.log_origin add column if not exists log_id uuid;
-- with an accepted log: the last events of all read models that are missing in it
alter table operations.log_origin add column if not exists given_up uuid[];
