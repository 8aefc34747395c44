import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { destroyAgain } from '../../api/auth/forgetting.handler.ts';
import { codec, type Codec } from '../../events/codec/codec.ts';
import { Forgettings } from '../../events/codec/forgettings.ts';
import { keyRing, type KeyRing } from '../../events/codec/keys.ts';
import { openMasterKey } from '../../events/codec/master-key.ts';
import { eventTypes, type RecordedEvent } from '../../events/registry.ts';
import { CircuitBreaker } from '../../events/store/circuit-breaker.ts';
import { type EventStore, NO_SCHOOL, type RecordedEvent as Stored, schoolOf, StoreUnavailable } from '../../events/store/port.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import type { Decode } from '../../projections/engine/subscription/advance.ts';
import type { ReadLog } from '../../api/common/query.ts';
import { leafHash } from '../../events/proof/tree.ts';
import { openLog } from './log.ts';
import { logOrigin, placeOf } from './log-origin.ts';
import type { Settings } from '../settings.ts';

/** The log, with the keys to decrypt its events. */
export type DecodedLog = {
  readonly store: CircuitBreaker;
  readonly decode: Decode;
  readonly codec: Codec<typeof eventTypes>;
  readonly keys: KeyRing;
  readonly forgettings: Forgettings;
  readonly masterKey: KeyObject;
  /** of keys and identities */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

export type DecodedLogOptions = Pick<Settings, 'dataDir' | 'masterKey' | 'forgettingsFile'> & {
  readonly databaseUrl: string;
  readonly eventStoreUrl?: string | undefined;
  /** For keys and identities, at most. */
  readonly connections?: number;
  /** Used as the log instead of the one that the settings name. */
  readonly store?: EventStore;
  /** Prints a line on the console. */
  readonly tell?: (line: string) => void;
};

/** Destroys the keys of forgotten people again if a backup restored them. Errors: SecretKeyError, ForgettingsDamaged. */
export const openDecodedLog = async (options: DecodedLogOptions): Promise<DecodedLog> => {
  const pool = identityPool(options.databaseUrl, options.connections);
  const masterKey = await openMasterKey({ pool, dataDir: options.dataDir, masterKey: options.masterKey });
  const forgettings = await Forgettings.open(options.forgettingsFile);
  const keys = keyRing({ pool, masterKey, outside: forgettings });
  const restored = await destroyAgain(keys, forgettings);
  if (restored > 0) options.tell?.(`${restored} key(s) of people who were forgotten came back with a backup: they are destroyed again.`);
  const origin = logOrigin({ sql: pool, dataDir: options.dataDir, place: placeOf({ eventStoreUrl: options.eventStoreUrl }) });
  const store = new CircuitBreaker(options.store ?? (await openLog({ ...options, recognise: origin.recognise })), origin);
  const events = codec({ registry: eventTypes, keys });
  return {
    store,
    // Streams without a school were not written by a command. Only the ledger includes them.
    decode: (recorded) =>
      events.decode(
        recorded.filter(({ stream }) => schoolOf(stream) !== NO_SCHOOL),
        (stream, from) => store.read(stream, from),
      ),
    codec: events,
    keys,
    forgettings,
    masterKey,
    pool,
    async close() {
      await store.close();
      await pool.end();
    },
  };
};

/** For keys and identities. A server that is away or silent fails queries after seconds, but never ends the process. */
const identityPool = (databaseUrl: string, max = 10): pg.Pool =>
  steadyPool({
    connectionString: databaseUrl,
    max,
    application_name: 'marktrail',
    keepAlive: true,
    // Sessions are looked up with each request: planned once, using indexes.
    options: '-c search_path=identity -c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });

/** All of a school's events, decoded. */
export const eventsOfSchool = async function* (
  { store, codec }: Pick<DecodedLog, 'store' | 'codec'>,
  schoolId: string,
): AsyncGenerator<RecordedEvent> {
  const decode = (portion: readonly Stored[]) => codec.decode(portion, (stream, from) => store.read(stream, from));
  let portion: Stored[] = [];
  for await (const event of store.readAll('start')) {
    if (schoolOf(event.stream) !== schoolId) continue;
    portion.push(event);
    if (portion.length < PORTION) continue;
    yield* await decode(portion);
    portion = [];
  }
  yield* await decode(portion);
};

const PORTION = 500;

/** The events at these places, decoded. @throws StoreUnavailable where another event, or none, is at one: the log is being exchanged */
export const eventsAtPlaces = async (
  { store, codec }: Pick<DecodedLog, 'store' | 'codec'>,
  places: Parameters<ReadLog>[0],
): ReturnType<ReadLog> => {
  const stored = await Promise.all(
    places.map(async ({ position, eventId }) => {
      const event = await store.eventAt(BigInt(position));
      if (event?.id !== eventId) throw new StoreUnavailable(`the event ${eventId} is not where the record says`);
      return event;
    }),
  );
  const decoded = await codec.decode(stored, (stream, from) => store.read(stream, from));
  return decoded.map((event, index) => ({ event, hash: leafHash(stored[index]!) }));
};
