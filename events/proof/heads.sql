-- Signed heads of the schools' trees. Outside the read models: a rebuild does not touch them, it has to reproduce them.
-- Idempotent: whoever starts the product runs the whole file (migrateHeads in heads.ts).

create schema if not exists proof;

create table if not exists proof.heads (
  -- drawn under a lock: whoever has seen number n has seen all below it
  number     bigint not null primary key,
  school_id  uuid   not null,
  size       int    not null check (size > 0),
  root       text   not null,
  -- as it was signed
  at         text   not null,
  key_id     text   not null,
  public_key text   not null,
  signature  text   not null,
  unique (school_id, size, key_id)
);

-- Whoever owns the table can still take this trigger away; the heads that were exported before then tell.
create or replace function proof.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'signed heads are neither changed nor removed';
end $$;
create or replace trigger append_only before update or delete on proof.heads for each row execute function proof.refuse();
create or replace trigger never_emptied before truncate on proof.heads for each statement execute function proof.refuse();
