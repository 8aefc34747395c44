/** (h) `log verify` against streaming the same rows: a plain select of the same columns through a cursor. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { signingKey } from '../events/proof/head.ts';
import { leafHash, Tree } from '../events/proof/tree.ts';
import { verifyLog } from '../events/proof/verify.ts';
import { types } from '../events/store/postgres/connection.ts';
import { streamEvents } from '../events/transfer/postgres.ts';
import { compared, type Figure, inTurn } from './figures.ts';

/** In a separate database. */
export const verifyFigures = async (databaseUrl: string, { events, rounds }: { events: number; rounds: number }): Promise<Figure[]> => {
  const client = new pg.Client({ connectionString: databaseUrl, types });
  await client.connect();
  try {
    const school = randomUUID();
    await client.query(SAVES, [school, events]);
    await client.query('vacuum analyze log.events');
    const root = await rootOf(databaseUrl);
    const key = signingKey(Buffer.alloc(32, 1));
    const head = { number: 1, school, size: events, root, at: new Date().toISOString() };
    const heads = [{ ...head, ...key.sign(head) }];

    const pairs = await inTurn(
      rounds,
      () =>
        perSecond(events, async () => {
          const { proven } = await verifyLog({ events: () => streamEvents(databaseUrl), heads, keys: [key.keyId] });
          if (proven !== 1) throw new Error('the log is not what it was');
        }),
      () => perSecond(events, () => streamed(client)),
    );
    return [compared('log verify: events/s, against streaming the rows', pairs, { is: '>=', than: 0.5 })];
  } finally {
    await client.end();
  }
};

/** Saves of typed marks, 20 per stream, as large as the product's. */
export const SAVES = `
  insert into log.events
  select n, 'entry-' || $1::text || '.' || md5((n / 20)::text)::uuid, n % 20, gen_random_uuid(), 'MarksTyped',
         json_build_object('seq', n % 20, 'cells', json_build_array(json_build_object(
           'studentId', gen_random_uuid(), 'testId', gen_random_uuid(), 'is', n % 100, 'was', null))),
         json_build_object('commandId', gen_random_uuid(), 'correlationId', gen_random_uuid(), 'causationId', gen_random_uuid(),
           'actor', json_build_object('accountId', gen_random_uuid(), 'role', 'teacher',
             'right', json_build_object('by', 'sets', 'setIds', json_build_array(gen_random_uuid()))),
           'schoolId', $1::text, 'at', '2026-11-01T10:00:00.000Z', 'schemaVersion', 1, 'bodyTag', 'AAAAAAAAAAAAAAAAAAAAAA')
    from generate_series(1, $2::int) n`;

const rootOf = async (databaseUrl: string): Promise<string> => {
  const tree = new Tree();
  for await (const portion of streamEvents(databaseUrl)) for (const event of portion) tree.append(leafHash(event));
  return tree.root();
};

const streamed = async (client: pg.Client): Promise<void> => {
  await client.query(`begin; declare rows cursor for
    select position, stream, revision, id, type, data, metadata from log.events order by position`);
  while (((await client.query('fetch 1000 from rows')).rowCount ?? 0) > 0);
  await client.query('commit');
};

const perSecond = async (events: number, work: () => Promise<void>): Promise<number> => events / (await seconds(work));

export const seconds = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};
