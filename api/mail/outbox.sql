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

-- The school of the person that a mail is for, so that its admins see how their mails fare, and nobody else's. Null: nobody with an account.
create or replace function mail.school_of(about json) returns uuid language sql stable as $$
  select u."schoolId"::uuid from identity."user" u
   where u."accountId" = about ->> 'accountId' or (about ->> 'accountId' is null and u.email = about ->> 'email')
$$;
alter table mail.outbox add column if not exists school_id uuid;
update mail.outbox set school_id = mail.school_of(about) where about is not null and school_id is null;
create index if not exists outbox_given_up on mail.outbox (given_up_at) where given_up_at is not null;
