import type pg from 'pg';
import type { Filter, Position, RecordedEvent, StreamId } from '../port.ts';
import { unavailable } from './connection.ts';
import { batched } from '../../async/batcher.ts';

/** Some events after a position. `reach`: all requested events up to here are in this page or an earlier one. */
export type Page = { readonly events: readonly RecordedEvent[]; readonly reach: Position; readonly more: boolean };

export type Reader = {
  read(stream: StreamId, from: bigint): AsyncGenerator<RecordedEvent>;
  /** The log as it is now. */
  page(after: Position, filter?: Filter): Promise<Page>;
  /** The log as it is now or was a moment ago: subscribers that wake up at the same position share one answer. */
  sharedPage(after: Position, filter?: Filter): Promise<Page>;
  eventAt(position: Position): Promise<RecordedEvent | undefined>;
  head(): Promise<Position>;
};

/**
 * Reads in pages that are limited in rows and bytes, so that a log of any size needs little memory. Tails of streams that are requested at
 * the same time are read by one query, because most commands read one.
 */
export const logReader = (pool: pg.Pool): Reader => {
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row>({ name, text, values })).rows;
    } catch (error) {
      throw unavailable(error);
    }
  };

  const tail = batched(MAX_TAILS, async (tails: readonly Tail[]) => {
    const fairShare = Math.ceil(PAGE_BYTES / tails.length);
    const rows = await query<TailRow>('tails', TAILS, [tails.map((one) => one.stream), tails.map((one) => one.from), fairShare]);
    const answers = tails.map(() => ({ events: new Array<RecordedEvent>(), more: false }));
    for (const { place, found, ...event } of rows) {
      const answer = answers[Number(place) - 1];
      answer?.events.push(event);
      if (answer) answer.more = found === BigInt(TAIL_ROWS) || found > answer.events.length;
    }
    return answers;
  });

  const head = batched(Infinity, async (requests: readonly null[]) => {
    const rows = await query<{ head: Position }>('head', 'select coalesce(max(position), 0) as head from log.events', []);
    return requests.map(() => rows[0]?.head ?? 0n);
  });

  const page = async (after: Position, filter?: Filter): Promise<Page> =>
    pageOf(await query<PageRow>('page', PAGE, [after, filter?.streamPrefixes ?? null, PAGE_ROWS, PAGE_BYTES]), after);

  const underWay = new Map<string, Promise<Page>>();

  return {
    async *read(stream, from) {
      let next = from;
      for (;;) {
        const { events, more } = await tail({ stream, from: next });
        yield* events;
        const last = events.at(-1);
        if (!more || !last) return;
        next = last.revision + 1n;
      }
    },

    page,

    sharedPage(after, filter) {
      const key = JSON.stringify([String(after), filter?.streamPrefixes]);
      const shared = underWay.get(key) ?? page(after, filter).finally(() => underWay.delete(key));
      underWay.set(key, shared);
      return shared;
    },

    async eventAt(position) {
      const [event] = await query<RecordedEvent>(
        'event at',
        'select position, stream, revision, id, type, data, metadata from log.events where position = $1',
        [position],
      );
      return event;
    },

    head: () => head(null),
  };
};

type Tail = { readonly stream: StreamId; readonly from: bigint };
type TailRow = RecordedEvent & { place: bigint; found: bigint };

/** Limit for the stored (and so perhaps compressed) bytes of one answer. */
const PAGE_BYTES = 1024 * 1024;
const PAGE_ROWS = 2000;
const TAIL_ROWS = 500;
const MAX_TAILS = 64;

/**
 * `found`: the number of rows before the byte limit, so that the end of a stream is known without another query. Returns at least one row.
 */
const TAILS = `
  select asked.place, e.found, asked.stream, e.position, e.revision, e.id, e.type, e.data, e.metadata
    from unnest($1::text[], $2::bigint[]) with ordinality as asked (stream, start, place)
   cross join lateral (
     select tail.*, count(*) over () as found, sum(bytes) over (order by revision) - bytes as bytes_before
       from (
         select *, pg_column_size(data) + pg_column_size(metadata) as bytes
           from log.events
          where stream = asked.stream and revision >= asked.start
          order by revision
          limit ${TAIL_ROWS}
       ) as tail
   ) as e
   where e.bytes_before < $3
   order by asked.place, e.revision
`;

type PageRow = { reach: Position | null; more: boolean } & (RecordedEvent | { [name in keyof RecordedEvent]: null });

/**
 * Scans $3 rows without their data, determines how far $4 bytes of requested ones reach, and reads those. Returns at least one row, for
 * `reach`.
 */
const PAGE = `
  with looked as (
    select position, stream, pg_column_size(data) + pg_column_size(metadata) as bytes
      from log.events
     where position > $1
     order by position
     limit $3
  ), cut as (
    select min(position) - 1 as position
      from (
        select position, sum(bytes) over (order by position) - bytes as bytes_before
          from looked
         where $2::text[] is null or stream ^@ any ($2)
      ) as wanted
     where bytes_before >= $4
  ), page as (
    select coalesce(cut.position, (select max(position) from looked)) as reach,
           cut.position is not null or (select count(*) from looked) = $3 as more
      from cut
  )
  select page.reach, page.more, e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata
    from page
    left join log.events as e on e.position > $1 and e.position <= page.reach and ($2::text[] is null or e.stream ^@ any ($2))
   order by e.position
`;

const pageOf = (rows: readonly PageRow[], after: Position): Page => {
  const events: RecordedEvent[] = [];
  for (const row of rows) {
    if (row.id === null) continue;
    const { id, type, stream, revision, position, data, metadata } = row;
    events.push({ id, type, stream, revision, position, data, metadata });
  }
  return { events, reach: rows[0]?.reach ?? after, more: rows[0]?.more ?? false };
};
