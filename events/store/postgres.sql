-- The event log in PostgreSQL: one table, written by two functions.
-- Idempotent: the whole file runs at each start (migrateLog in postgres.ts).

create schema if not exists log;

-- `json` keeps its text byte for byte; `jsonb` would reorder keys.
create table if not exists log.events (
  position bigint not null primary key,
  stream   text   not null collate "C",
  revision bigint not null,
  id       uuid   not null unique,
  type     text   not null,
  data     json   not null,
  metadata json   not null,
  unique (stream, revision)
);

-- One append. Ids are checked before the revision, so that a repeat gets its first answer whatever has happened since.
-- Event number n of an append belongs at revision expected + n, because `none` is -1 and numbers start at 1.
-- Only called by log.append, under its lock.
create or replace function log.append_alone(
  to_stream text, expected bigint, new_ids uuid[], new_types text[], new_data json[], new_metadata json[]
) returns table (outcome text, revision bigint, "position" bigint) language plpgsql as $$
declare
  head bigint;
  actual bigint;
begin
  if exists (select from log.events e where e.id = any (new_ids)) then
    return query
    select case when whole then 'repeated' else 'id-taken' end, last_revision, last_position
      from (
        select count(*) = cardinality(new_ids)
               and bool_and(e.stream = to_stream)
               and min(e.revision - n.number) = max(e.revision - n.number)
               and expected in (-2, min(e.revision - n.number)) as whole,
               max(e.revision) as last_revision,
               max(e.position) as last_position
          from unnest(new_ids) with ordinality as n (id, number) join log.events e on e.id = n.id
      ) as found;
    return;
  end if;

  actual := coalesce((select e.revision from log.events e where e.stream = to_stream order by e.revision desc limit 1), -1);
  if expected not in (-2, actual) then
    return query values ('wrong-revision', actual, null::bigint);
    return;
  end if;

  head := coalesce((select e.position from log.events e order by e.position desc limit 1), 0);
  for n in 1 .. cardinality(new_ids) loop
    insert into log.events (position, stream, revision, id, type, data, metadata)
    values (head + n, to_stream, actual + n, new_ids[n], new_types[n], new_data[n], new_metadata[n]);
  end loop;
  return query values ('written', actual + cardinality(new_ids), head + cardinality(new_ids));
end $$;

-- Appends a group, each to a stream of its own, each with a result of its own in the order given.
--   to_streams, expected, firsts   one per append; expected is a revision, -1 for none, -2 for any; firsts: the place of its first event, from 1
--   new_*                          one per event, append after append
--   outcome                        written | repeated | wrong-revision (revision is the actual one, -1 for none) | id-taken
--
-- Why readers never miss an event: the lock is taken before anything is read and held until the commit is visible, and positions continue from
-- the highest committed one. So positions are assigned in commit order, and a reader that has seen position n will never see a new event at or
-- below n. This needs a fresh snapshot after taking the lock, hence READ COMMITTED.
-- (An append refused within a group leaves its positions unused for good.)
create or replace function log.append(
  to_streams text[], expected bigint[], firsts int[], new_ids uuid[], new_types text[], new_data json[], new_metadata json[]
) returns table (outcome text, revision bigint, "position" bigint) language plpgsql as $$
declare
  first int;
  last int;
begin
  perform pg_advisory_xact_lock(1835102827);

  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'log.append needs read committed, not %', current_setting('transaction_isolation');
  end if;

  -- The fastest way for a single append. In a group nearly always every id is new, and one statement writes all of it.
  if cardinality(to_streams) = 1 then
    return query select * from log.append_alone(to_streams[1], expected[1], new_ids, new_types, new_data, new_metadata);
    return;
  end if;

  return query
  with asked as materialized (
    select a.*, coalesce((select e.revision from log.events e where e.stream = a.stream order by e.revision desc limit 1), -1) as actual
      from unnest(to_streams, expected, firsts) with ordinality as a (stream, expected, first, number)
     where not exists (select from log.events e where e.id = any (new_ids))
  ), written as (
    insert into log.events as w (position, stream, revision, id, type, data, metadata)
    select coalesce((select e.position from log.events e order by e.position desc limit 1), 0) + n.place,
           a.stream, a.actual + 1 + n.place - a.first, n.id, n.type, n.data, n.metadata
      from unnest(new_ids, new_types, new_data, new_metadata) with ordinality as n (id, type, data, metadata, place)
      join asked as a on a.number = width_bucket(n.place::int, firsts) and a.expected in (-2, a.actual)
    returning w.stream, w.revision, w.position
  )
  select case when max(w.position) is null then 'wrong-revision' else 'written' end, coalesce(max(w.revision), max(a.actual)), max(w.position)
    from asked as a left join written as w on w.stream = a.stream
   group by a.number
   order by a.number;

  if found then
    return;
  end if;

  -- An id is already in the log: one append after the other.
  for number in 1 .. cardinality(to_streams) loop
    first := firsts[number];
    last := coalesce(firsts[number + 1] - 1, cardinality(new_ids));
    return query select * from log.append_alone(to_streams[number], expected[number],
      new_ids[first:last], new_types[first:last], new_data[first:last], new_metadata[first:last]);
  end loop;
end $$;

-- Copies events of another log unchanged, with their ids and revisions, behind the event `after` (null: into an empty log).
-- All or none. The same lock as in log.append: positions are assigned in commit order here too.
create or replace function log.take(after uuid, of_streams text[], revisions bigint[], ids uuid[], types text[], new_data json[], new_metadata json[])
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1835102827);

  if (select e.id from log.events e order by e.position desc limit 1) is distinct from after then
    raise exception 'somebody else has written to the log' using errcode = 'MT001';
  end if;

  insert into log.events (position, stream, revision, id, type, data, metadata)
  select coalesce((select e.position from log.events e order by e.position desc limit 1), 0) + n.place,
         n.stream, n.revision, n.id, n.type, n.data, n.metadata
    from unnest(of_streams, revisions, ids, types, new_data, new_metadata) with ordinality as n (stream, revision, id, type, data, metadata, place);

  if exists (
    select from unnest(of_streams, revisions) as n (stream, revision)
     where n.revision <> 0 and not exists (select from log.events e where e.stream = n.stream and e.revision = n.revision - 1)
  ) then
    raise exception 'a stream has a gap' using errcode = 'MT002';
  end if;
end $$;
