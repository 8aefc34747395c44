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

-- Somebody waits for its link: it goes before others.
alter table mail.outbox add column if not exists urgent boolean not null default false;
-- What goes to one person as one mail: once one with this word was sent, the next waits for an hour, and what is ordered meanwhile joins it.
alter table mail.outbox add column if not exists together text;
create index if not exists outbox_together on mail.outbox (together, sent_at) where together is not null;

-- When a mail of the school was last taken to be sent: the turns go round the schools. Those of no school are one of them.
create table if not exists mail.turns (school_id uuid primary key, at timestamptz not null);

create or replace view mail.waiting as
select o.id, o.school_id, o.together, o.urgent, greatest(o.next_at, (
         select max(case when s.sent_at is null then s.next_at else s.sent_at + interval '1 hour' end)
           from mail.outbox s
          where s.together = o.together and s.id <> o.id
            and (s.sent_at > now() - interval '1 hour' or (s.about is not null and s.attempts > 0)))) as due
  from mail.outbox o where o.about is not null;

-- Takes the next mail, with all that goes together with it; nobody else takes them for so long. The lock lets one process choose at a time, so
-- that none takes part of what another is taking.
create or replace function mail.take(for_so_long interval) returns setof mail.outbox language plpgsql as $$
declare
  next_mail record;
  of_no_school constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  perform pg_advisory_xact_lock(hashtextextended('mail.take', 0));
  select w.id, w.together, coalesce(w.school_id, of_no_school) as school_id into next_mail
    from mail.waiting w left join mail.turns t on t.school_id = coalesce(w.school_id, of_no_school)
   where w.due <= clock_timestamp()
   order by w.urgent desc, t.at nulls first, w.due, w.id limit 1;
  if not found then return; end if;
  insert into mail.turns values (next_mail.school_id, clock_timestamp()) on conflict (school_id) do update set at = excluded.at;
  return query
  update mail.outbox o set attempts = o.attempts + 1, next_at = clock_timestamp() + for_so_long
   where o.about is not null and (o.id = next_mail.id or (o.together = next_mail.together and o.next_at <= clock_timestamp()))
  returning o.*;
end $$;
