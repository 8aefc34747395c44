import pg from 'pg';
import { beforeEach, expect, onTestFailed } from 'vitest';
import type { CommandAnswer, LiveChange } from '../../api/contract/live.ts';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import { startPostgres, type PostgresServer } from '../../run/postgres/server.ts';
import { MarksByFold } from '../support/fold-check.ts';
import { startMarktrail, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { startedDataDir } from '../support/started-data-dir.ts';
import { until } from '../support/until.ts';
import { askToSignIn, DemoSchool, signIn } from './demo-school.ts';
import { Wire } from './wire.ts';

/** The database goes away under a running server, in three ways: its connections end, it ends itself, it falls silent. */
let dataDir: DataDir;
let database: PostgresServer;
export let wire: Wire;
let marktrail: StartedMarktrail;
export let address: string;
export let school: DemoSchool;

openedAnew(async (atEnd) => {
  dataDir = await startedDataDir({ demo: true });
  atEnd(() => dataDir.remove());
  await startDatabase();
  atEnd(() => database.stop());
  wire = await Wire.to(database.ownerUrl());
  atEnd(() => wire.close());
  marktrail = startMarktrail({ DATA_DIR: dataDir.path, DATABASE_URL: wire.url, DEMO: 'yes' }, ['--without-apps']);
  atEnd(() => {
    marktrail.process.kill('SIGTERM');
    return marktrail.ended;
  });
  address = await marktrail.ready;
  school = await DemoSchool.signIn(address);
});

beforeEach(() => onTestFailed(() => console.error(marktrail.output())));

export const unavailable = {
  command: 'store-unavailable, come back in 2 s',
  query: 'store-unavailable, come back in 2 s',
  'log-in': 'store-unavailable, come back in 2 s',
  health: 'down',
};

export const stopDatabase = (): Promise<boolean> => database.stop();

export async function startDatabase(): Promise<void> {
  database = await startPostgres({ directory: dataDir.path, durable: false });
}

/** What each kind of request gets. */
export async function everyRequest(): Promise<Record<string, string>> {
  const told = async (asked: Promise<Response>): Promise<string> => {
    const answer = await asked;
    const text = await answer.text();
    if (answer.status !== 503) return `${answer.status} ${text}`;
    const { code, status } = JSON.parse(text) as { code?: string; status: string };
    return code === undefined ? status : `${code}, come back in ${answer.headers.get('Retry-After')} s`;
  };
  const [command, query, login, health] = await Promise.all([
    told(school.send(address, school.upload('totals'))),
    told(school.uploads(address, null)),
    told(askToSignIn(address, 'leader@demo.example')),
    told(healthWhenDown()),
  ]);
  return { command, query, 'log-in': login, health };
}

/** What is known of the health is told again for a second. */
const healthWhenDown = async (): Promise<Response> => {
  let answer = await fetch(`${address}/api/health`);
  await until(async () => {
    if (answer.status === 200) answer = await fetch(`${address}/api/health`);
    return answer.status !== 200;
  });
  return answer;
};

export async function finished(commandId: string, done: Promise<CommandAnswer<Uploaded>>, live: Live): Promise<void> {
  const { position, result } = await done;
  expect(result.stored).toBe(729);
  expect(await eventsOf(commandId)).toEqual([position]);
  await school.shown(address, position);
  await live.hearsOf(position);
  await isWhole();
  await live.leave();
}

export async function isWhole(): Promise<void> {
  await until(async () => ((await (await fetch(`${address}/api/health`)).json()) as { status: string }).status === 'ok');
  await signIn(address, 'leader@demo.example');
  const fold = await MarksByFold.open({ databaseUrl: database.ownerUrl(), dataDir: dataDir.path });
  expect(await fold.differences()).toEqual([]);
  await fold.close();
}

type Live = Awaited<ReturnType<typeof listen>>;

/** One open /api/live. `hearsOf`: that the position is there, or that whatever is shown may be old. */
export async function listen() {
  const leaving = new AbortController();
  const messages: string[] = [];
  let ended: unknown;
  const listening = (async () => {
    for await (const message of school.live(address, leaving.signal)) messages.push(message);
    throw new Error('the live stream has ended');
  })().catch((error: unknown) => {
    ended = error;
  });
  const hears = async (news: (message: string) => boolean) => {
    await until(() => ended !== undefined || messages.some(news));
    expect(ended).toBeUndefined();
    messages.length = 0;
  };
  await hears((message) => message.includes('event: hello'));
  return {
    hearsOf: (position: string | null) => hears((message) => message.includes('event: hello') || reaches(message, BigInt(position ?? 0))),
    leave: () => {
      leaving.abort();
      return listening;
    },
  };
}

const reaches = (message: string, position: bigint): boolean => {
  const data = /^event: changed\ndata: (.*)$/m.exec(message)?.[1];
  return data !== undefined && BigInt((JSON.parse(data) as LiveChange).position) >= position;
};

export const endConnections = () => ask(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'marktrail%'`);

export const eventsOf = async (commandId: string): Promise<unknown[]> =>
  (await ask(`select position from log.events where metadata ->> 'commandId' = $1`, [commandId])).map(({ position }) => position);

async function ask(sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl() });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
