/** Rebuilding every read model from a large log, against COPY in the server of the rows that result, into tables with the same indexes. */
import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { runCommand } from './processes.ts';
import { type Spent, spending } from './processor-time.ts';

export const rebuildAllFigures = async (
  { databaseUrl, superuserUrl, dataDir }: { readonly databaseUrl: string; readonly superuserUrl: string; readonly dataDir: string },
  { events, rounds }: { readonly events: number; readonly rounds: number },
): Promise<Figure[]> => {
  const server = new pg.Client({ connectionString: superuserUrl });
  await server.connect();
  await server.query('set synchronous_commit = off; set client_min_messages = warning');
  // Written and read by the server's own user.
  const files = mkdtempSync(join(tmpdir(), 'marktrail-copy-'));
  chmodSync(files, 0o777);
  const spent: { rebuild: Spent[]; copy: Spent[] } = { rebuild: [], copy: [] };
  try {
    const pairs = await inTurn(
      rounds,
      async () => {
        const done = await spending(() => runCommand(databaseUrl, dataDir, ['projections', 'rebuild', 'all']));
        spent.rebuild.push(done.spent);
        return done.spent.wall;
      },
      async () => {
        const tables = await shownTables(server);
        for (const { relation, name } of tables) {
          await server.query(`copy ${relation} to '${join(files, name)}' (format binary)`);
          await server.query(`drop table if exists bench_copy_${name}; create table bench_copy_${name} (like ${relation} including all)`);
        }
        const done = await spending(async () => {
          for (const { name } of tables) await server.query(`copy bench_copy_${name} from '${join(files, name)}' (format binary)`);
        });
        for (const { name } of tables) await server.query(`drop table bench_copy_${name}`);
        spent.copy.push(done.spent);
        return done.spent.wall;
      },
    );
    const what = `rebuild of all read models from ${events} events`;
    const against = 'against COPY in the server of their rows with all indexes';
    // The first round is to warm up, and which of the two begins changes from round to round: the rounds of both are in order.
    const inProcessors = spent.rebuild
      .slice(1)
      .map(({ cpu }, round) => ({ value: cpu ?? Number.NaN, limit: spent.copy[round + 1]?.cpu ?? Number.NaN }));
    return [
      compared(`${what}, s, ${against}`, pairs, { is: '<=', than: 2 }),
      compared(`${what}: processor time, s, ${against}`, inProcessors, { is: '<=', than: 2 }),
      plain(`${what}: events/s`, events / median(pairs.map(({ value }) => value))),
    ];
  } finally {
    await server.end();
    rmSync(files, { recursive: true, force: true });
  }
};

/** The tables behind the views. */
const shownTables = async (server: pg.Client): Promise<{ relation: string; name: string }[]> =>
  (
    await server.query<{ relation: string; name: string }>(
      `select v.tables[n] as name,
              'read.' || v.tables[n] || '_v' || v.version || case when v.generation = 0 then '' else '_g' || v.generation end as relation
         from read.version v, generate_subscripts(v.tables, 1) n where v.serving`,
    )
  ).rows;
