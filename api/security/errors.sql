-- Errors in browsers and on the server, by a number that a user can tell an admin. Neither log nor read model.
create schema if not exists support;

create table if not exists support.errors (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- null: nobody was signed in
  school_id uuid,
  account_id uuid,
  role text,
  message text not null,
  file text,
  line int,
  status int,
  status_text text
);
create index if not exists errors_school on support.errors (school_id, id);
create index if not exists errors_at on support.errors (at);
