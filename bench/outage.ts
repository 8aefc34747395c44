/** (p) Nothing waits for ever: how soon whoever asks is told to come back, with the log silent, and with the database silent or gone. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemActor } from '../api/actor.ts';
import { openBackend } from '../run/backend.ts';
import { commandClient } from '../run/command-client.ts';
import { readSettings } from '../run/settings.ts';
import { Wire } from '../tests/faults/wire.ts';
import { startEventStore } from '../tests/support/eventstoredb/server.ts';
import { type Figure, median, plain } from './figures.ts';
import { type Log, startProduct } from './processes.ts';
import { type Login, signIn } from './school.ts';

/** More than there are connections to the log. */
const COMMANDS = 64;
/** Commands one after the other, once the outage is known. */
const KNOWN = 5;

type Place = { readonly databaseUrl: string; readonly dataDir: string };

/** Both are migrated databases with an empty log. The log is a stand-in for EventStoreDB: what is measured is that it does not answer. */
export const outageFigures = async (ofLog: Place, ofDatabase: Place): Promise<Figure[]> => {
  const log = await startEventStore();
  try {
    const figures = await silentLog(ofLog, log.url, log.faults);
    return [...figures, ...(await databaseAway(ofDatabase))];
  } finally {
    await log.stop();
  }
};

const silentLog = async (
  { databaseUrl, dataDir }: Place,
  eventStoreUrl: string,
  faults: { silence(): void; clear(): void },
): Promise<Figure[]> => {
  const admin = await openSchool({ databaseUrl, eventStoreUrl }, dataDir);
  const product = await startProduct(databaseUrl, dataDir, { eventStoreUrl });
  try {
    const rename = renaming(product.url, await signIn(product.url, admin));
    faults.silence();
    const first = await Promise.all(Array.from({ length: COMMANDS }, () => timed(rename)));
    const known: number[] = [];
    for (let time = 0; time < KNOWN; time++) known.push(await timed(rename));
    return [
      plain(`log silent: s until the last of ${COMMANDS} commands is told to come back`, Math.max(...first) / 1000, { is: '<=', than: 15 }),
      plain(`log known to be silent: ms until a command is told, median of ${KNOWN}`, median(known), { is: '<=', than: 2_500 }),
    ];
  } finally {
    faults.clear();
    await product.stop();
  }
};

const databaseAway = async ({ databaseUrl, dataDir }: Place): Promise<Figure[]> => {
  const admin = await openSchool({ databaseUrl }, dataDir);
  const wire = await Wire.to(databaseUrl);
  const product = await startProduct(wire.url, dataDir);
  try {
    const cookie = await signIn(product.url, admin);
    const rename = renaming(product.url, cookie);
    const requests: (() => Promise<Response>)[] = [
      rename,
      () => fetch(`${product.url}/api/queries/me`, { headers: { cookie } }),
      () =>
        fetch(`${product.url}/api/identity/sign-in/email`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: originOf(product.url) },
          body: JSON.stringify(admin),
        }),
      () => fetch(`${product.url}/api/health`),
    ];
    const slowest = async (): Promise<number> => Math.max(...(await Promise.all(requests.map(timed))));
    wire.silence();
    const silent = await slowest();
    wire.speak();
    await untilWhole(product.url);
    wire.cut();
    const gone = await slowest();
    wire.speak();
    const what = 's until command, query, log-in and health are answered';
    return [
      plain(`database silent: ${what}`, silent / 1000, { is: '<=', than: 25 }),
      plain(`database gone: ${what}`, gone / 1000, { is: '<=', than: 2 }),
    ];
  } finally {
    wire.speak();
    await product.stop();
    wire.close();
  }
};

const openSchool = async (log: Log, dataDir: string): Promise<Login> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), ...log, tell: () => undefined });
  try {
    const system = commandClient(backend.bus, systemActor(randomUUID()));
    await system('school', 'OpenSchool', { name: 'Cut Off School' });
    const admin: Login = { email: `outage.${randomUUID()}@bench.example`, password: 'correct-horse' };
    await system('admin', 'OpenStaffAccount', { ...admin, name: 'Admin', role: 'admin' });
    return admin;
  } finally {
    await backend.close();
  }
};

const renaming = (url: string, cookie: string) => (): Promise<Response> =>
  fetch(`${url}/api/commands/RenameSchool`, {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), Origin: originOf(url) },
    body: JSON.stringify({ name: `School ${randomUUID()}` }),
  });

/** ms until it is told that something is away. */
const timed = async (ask: () => Promise<Response>): Promise<number> => {
  const start = performance.now();
  const { status } = await ask();
  if (status !== 503) throw new Error(`Something was away, and the answer was ${status}.`);
  return performance.now() - start;
};

const untilWhole = async (url: string): Promise<void> => {
  for (const giveUpAt = performance.now() + 60_000; performance.now() < giveUpAt; await pause(50)) {
    const { status } = (await (await fetch(`${url}/api/health`)).json()) as { status: string };
    if (status === 'ok') return;
  }
  throw new Error('The product has not recovered for a minute.');
};

const originOf = (url: string): string => url.replace('127.0.0.1', 'localhost');
