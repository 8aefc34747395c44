-- Mail to send, and its outcome. Neither log nor read model: a replay sends nothing twice. A mail's data are removed when it was sent or given
-- up; its cause stays, so that it is never sent again. No link or other secret is ever stored here.
create schema if not exists mail;

create table if not exists mail.outbox (
  id uuid primary key,
  -- the event that this mail is about, such as 'invited <account> 1'
  cause text not null unique,
  kind text not null,
  -- null: sent, given up, or there was nobody to write to
  about json,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  trouble text
);
create index if not exists outbox_next on mail.outbox (next_at) where about is not null;
