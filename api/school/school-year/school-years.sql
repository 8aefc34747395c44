-- Plans of new school years that wait for their day, one of each subject. Neither log nor read model.
create schema if not exists operations;

create table if not exists operations.school_years (
  school_id uuid not null,
  subject_id uuid not null,
  version int not null,
  at timestamptz not null default now(),
  day date not null,
  -- its author and the plan, which may name students: sealed under a key of the school's
  plan bytea not null,
  -- why it was not carried out on its day; it waits for somebody
  trouble text,
  -- of whoever carries it out now: the key of the request, its job, and since when
  key text,
  job_id uuid,
  begun_at timestamptz,
  primary key (school_id, subject_id)
);
