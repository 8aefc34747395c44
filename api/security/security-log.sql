-- What happened to the walls: log-ins, refusals, limits that were hit, changes of rights, hand-outs, forgettings. Ids only: neither names nor
-- addresses. Neither log nor read model.
create schema if not exists support;

create table if not exists support.security_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  -- null: nobody that is known
  school_id uuid,
  account_id uuid,
  -- the account or student that it was done to
  about_id uuid,
  -- of the command, query, address or limit
  name text,
  command_id uuid,
  -- an HMAC
  network text,
  -- how often the same happened since the entry before
  count int not null default 1
);
create index if not exists security_log_school on support.security_log (school_id, id);
create index if not exists security_log_at on support.security_log (at);

-- Only appended to; entries go when they are too old. For how many days they are kept the sweep says: it knows the setting.
create or replace function support.keep_security_log() returns trigger language plpgsql as $$
declare
  kept int := coalesce(nullif(current_setting('support.kept_days', true), ''), '400');
begin
  if tg_op = 'DELETE' and old.at < now() - make_interval(days => kept) then return old; end if;
  raise exception 'entries of the security log stay as they are for % days', kept;
end $$;
create or replace trigger keep_entries before update or delete on support.security_log for each row execute function support.keep_security_log();
create or replace trigger keep_all before truncate on support.security_log for each statement execute function support.keep_security_log();
