-- Acts of several commands that are under way: what is left of them is done by the next start. Neither log nor read model.
create schema if not exists operations;

create table if not exists operations.jobs (
  job_id uuid primary key,
  school_id uuid not null,
  at timestamptz not null default now(),
  -- who asked for it, and its steps: personal, so sealed under a key of the school's
  plan bytea not null,
  -- a step was refused: what was done is being taken back
  refused boolean not null default false
);
