import type pg from 'pg';
import { DAMAGED, failuresWithin } from '../../api/common/failures.ts';
import { sayable } from '../../events/store/postgres/without-values.ts';
import { openDecodedLog } from '../log/decoded-log.ts';
import type { Settings } from '../settings.ts';
import { withClient } from '../with-client.ts';
import { type Finding, minuteOf } from './finding.ts';
import { gently, type Rest } from './rest.ts';
import { scrubs } from './scrub.ts';

export type Checking = {
  readonly settings: Settings;
  readonly databaseUrl: string;
  /** Prints a line on the console. */
  readonly tell: (line: string) => void;
};

const ALL = Object.keys(scrubs);

/**
 * Checks at night what is stored, a little at a time, of several processes in one. What was not finished is gone on with in the next night; where
 * no process runs at night, it is done by day.
 *
 * @returns a function that ends it
 */
export const startChecks = (
  { tell, ...options }: Checking,
  { lookMs = 60_000, hour = () => new Date().getHours(), resting = gently } = {},
): (() => Promise<void>) => {
  const stopping = new AbortController();
  let notBefore = 0;
  const look = async (): Promise<void> => {
    if (stopping.signal.aborted || Date.now() < notBefore) return;
    try {
      // Damage that requests have met does not wait for the night.
      const most = failuresWithin(10).has(DAMAGED) ? 1 : hour() < 5 ? 20 : 30;
      await withClient(connection(options.databaseUrl), async (client) => {
        if ((await due(client, most)).length > 0)
          await checkAll(client, { ...options, tell }, stopping.signal, () => due(client, most), resting(stopping.signal));
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      tell(`What is stored could not be checked, and this is tried again in an hour: ${sayable(error)}`);
      notBefore = Date.now() + 3_600_000;
    }
  };
  let last = Promise.resolve();
  const timer = setInterval(() => (last = last.then(look)), lookMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await last;
  };
};

/** It rests for long while read models are compared. */
export const connection = (connectionString: string): pg.ClientConfig => ({
  connectionString,
  keepAlive: true,
  application_name: 'marktrail',
});

/** Which checks were last done, or are known, for longer than so many hours. */
const due = async (client: pg.Client, hours: number): Promise<string[]> => {
  await client.query('insert into operations.checks (what) select unnest($1::text[]) on conflict do nothing', [ALL]);
  const { rows } = await client.query<{ what: string }>(
    `select what from operations.checks where what = any ($1) and coalesce(at, since) < now() - make_interval(hours => $2)`,
    [ALL, hours],
  );
  return ALL.filter((one) => rows.some(({ what }) => what === one));
};

/** Does the checks one after another, unless another process does. @returns whether it did */
export const checkAll = async (
  client: pg.Client,
  { settings, databaseUrl, tell }: Checking,
  stopping: AbortSignal,
  which: () => Promise<readonly string[]> = async () => ALL,
  rest: Rest = gently(stopping),
): Promise<boolean> => {
  const lock = `select pg_try_advisory_lock(hashtextextended('marktrail checks', 0)) as alone`;
  if ((await client.query<{ alone: boolean }>(lock)).rows[0]?.alone !== true) return false;
  const log = await openDecodedLog({ ...settings, databaseUrl, connections: 2 });
  try {
    for (const what of await which()) {
      const found = await scrubs[what]!({ settings, databaseUrl, log, client, rest, stopping });
      for (const line of [...found.problems, ...found.notes]) tell(line);
      await client.query(
        `insert into operations.checks (what, at, problems, notes) values ($1, now(), $2, $3)
         on conflict (what) do update set at = excluded.at, problems = excluded.problems, notes = excluded.notes`,
        [what, found.problems, found.notes],
      );
    }
    return true;
  } finally {
    await log.close();
  }
};

/** What the last checks have found, and of when they are. */
export const checksState = async (pool: Pick<pg.Pool, 'query'>): Promise<Finding[]> => {
  const { rows } = await pool.query<{ at: Date | null; problems: string[]; notes: string[] }>(
    'select at, problems, notes from operations.checks where what = any ($1)',
    [ALL],
  );
  const times = rows.flatMap(({ at }) => at ?? []).sort((one, other) => one.getTime() - other.getTime());
  const fact =
    times[0] === undefined || times.length < ALL.length
      ? 'What is stored has not been checked to the end yet: that is done at night.'
      : `What is stored was last checked by ${minuteOf(times[0])}: ${ALL.join(', ')}.`;
  return [
    { fact },
    ...rows.flatMap(({ notes }) => notes.map((note) => ({ fact: note }))),
    ...rows.flatMap(({ problems }) => problems.map((problem) => ({ problem }))),
  ];
};
