-- The event log in PostgreSQL: one table, one way in.
-- Idempotent: whoever starts the product runs the whole file (migrateLog in postgres.ts).

create schema if not exists log;

-- `json` keeps its text byte for byte; `jsonb` would re-order keys.
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

-- One append: the repeat of what stands in the log, or a write at the end of its stream. Only log.append calls this, under its lock.
create or replace function log.append_one(
  to_stream text, expected bigint, new_ids uuid[], new_types text[], new_data json[], new_metadata json[],
  out outcome text, out revision bigint, out "position" bigint
) language plpgsql as $$
declare
  known record;
begin
  -- Ids before the revision: a repeat is answered whatever has happened to the stream since.
  -- An event with the number n of the append belongs at revision expected + n, as `none` is -1 and numbers start at 1.
  select count(*) as events,
         bool_and(e.stream = to_stream) as here,
         min(e.revision - n.number) as before,
         min(e.revision - n.number) = max(e.revision - n.number) as in_order,
         max(e.revision) as revision,
         max(e.position) as "position"
    into known
    from unnest(new_ids) with ordinality as n (id, number) join log.events e on e.id = n.id;

  if known.events > 0 then
    if known.events = cardinality(new_ids) and known.here and known.in_order and expected in (-2, known.before) then
      outcome := 'repeated'; revision := known.revision; "position" := known."position";
    else
      outcome := 'id-taken';
    end if;
    return;
  end if;

  revision := coalesce((select e.revision from log.events e where e.stream = to_stream order by e.revision desc limit 1), -1);
  if expected not in (-2, revision) then
    outcome := 'wrong-revision';
    return;
  end if;

  "position" := coalesce((select e.position from log.events e order by e.position desc limit 1), 0);
  insert into log.events (position, stream, revision, id, type, data, metadata)
  select append_one."position" + n.number, to_stream, append_one.revision + n.number, n.id, n.type, n.data, n.metadata
    from unnest(new_ids, new_types, new_data, new_metadata) with ordinality as n (id, type, data, metadata, number);
  outcome := 'written'; revision := revision + cardinality(new_ids); "position" := "position" + cardinality(new_ids);
end $$;

-- A group of appends to streams that differ, each with a result of its own, in the order given.
--   to_streams, expected     one per append; expected is a revision, -1 for none, -2 for any
--   appends                  per event: the number of its append, from 1, rising
--   outcome                  written | repeated | wrong-revision (revision: the actual one, -1 for none) | id-taken
--
-- Why nobody ever misses an event: the lock is taken before anything is read and is held until after the commit is visible, and a position
-- is one more than the highest committed one. So positions are drawn in commit order, and a reader that has seen position n will never
-- see a new event at or below n. That needs a fresh snapshot after the lock, hence READ COMMITTED.
create or replace function log.append(
  to_streams text[], expected bigint[], appends int[], new_ids uuid[], new_types text[], new_data json[], new_metadata json[]
) returns table (outcome text, revision bigint, "position" bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1835102827);

  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'log.append needs read committed, not %', current_setting('transaction_isolation');
  end if;

  -- The hot path has one append; a group with a repeat in it is rare. Both go one by one, everything else as one set.
  if cardinality(to_streams) = 1 then
    return query select r.* from log.append_one(to_streams[1], expected[1], new_ids, new_types, new_data, new_metadata) as r;
  elsif exists (select from log.events e where e.id = any (new_ids)) then
    return query
    select r.*
      from unnest(to_streams, expected) with ordinality as a (stream, expected, number)
     cross join lateral (
       select array_agg(n.id order by n.number) as ids, array_agg(n.type order by n.number) as types,
              array_agg(n.data order by n.number) as data, array_agg(n.metadata order by n.number) as metadata
         from unnest(appends, new_ids, new_types, new_data, new_metadata) with ordinality as n (append, id, type, data, metadata, number)
        where n.append = a.number
     ) as own
     cross join lateral log.append_one(a.stream, a.expected, own.ids, own.types, own.data, own.metadata) as r
     order by a.number;
  else
    return query
    with asked as (
      select a.number, a.stream, a.expected, n.events,
             coalesce((select e.revision from log.events e where e.stream = a.stream order by e.revision desc limit 1), -1) as actual
        from unnest(to_streams, expected) with ordinality as a (stream, expected, number)
        join (select append, count(*) as events from unnest(appends) as append group by append) as n on n.append = a.number
    ), accepted as (
      select asked.*, coalesce((select e.position from log.events e order by e.position desc limit 1), 0)
                      + sum(events) over (order by number) - events as before
        from asked
       where asked.expected in (-2, asked.actual)
    ), written as (
      insert into log.events (position, stream, revision, id, type, data, metadata)
      select a.before + n.number, a.stream, a.actual + n.number, n.id, n.type, n.data, n.metadata
        from (select *, row_number() over (partition by append order by place) as number
                from unnest(appends, new_ids, new_types, new_data, new_metadata)
                     with ordinality as n (append, id, type, data, metadata, place)) as n
        join accepted as a on a.number = n.append
    )
    select case when a.number is null then 'wrong-revision' else 'written' end,
           case when a.number is null then asked.actual else a.actual + a.events end,
           (a.before + a.events)::bigint
      from asked left join accepted as a using (number)
     order by asked.number;
  end if;
end $$;
