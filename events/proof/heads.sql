-- Signed heads of the schools' trees. Outside the read models, because a rebuild must reproduce them.
-- Idempotent: the whole file runs at each start (migrateHeads in heads.ts).

create schema if not exists proof;

create table if not exists proof.heads (
  -- assigned under a lock: when number n is visible, all numbers below it are too
  number     bigint not null primary key,
  school_id  uuid   not null,
  size       int    not null,
  root       text   not null,
  -- as it was signed
  at         text   not null,
  key_id     text   not null,
  public_key text   not null,
  signature  text   not null,
  -- set if this head accepts the log as it is: earlier heads stay valid up to `keeps` events, later ones are given up
  keeps      int,
  by         text,
  reason     text
);
-- A restored and accepted log reaches the same sizes again, and may be empty.
create index if not exists heads_by_school on proof.heads (school_id, size);

-- The heads that the log must match: those that no later acceptance has given up.
create or replace view proof.standing_heads as
  select h.* from proof.heads h
   where not exists (
     select from proof.heads act
      where act.school_id = h.school_id and act.number > h.number and h.size > act.keeps
   );

-- The table's owner can still remove these triggers; the heads exported before then reveal it.
create or replace function proof.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'signed heads are neither changed nor removed';
end $$;
create or replace trigger append_only before update or delete on proof.heads for each row execute function proof.refuse();
create or replace trigger never_emptied before truncate on proof.heads for each statement execute function proof.refuse();
