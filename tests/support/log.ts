import { createSecretKey } from 'node:crypto';
import type { Codec } from '../../events/codec/codec.ts';
import { codec } from '../../events/codec/codec.ts';
import type { KeyRing } from '../../events/codec/keys.ts';
import { keyRing, settledForgettings } from '../../events/codec/keys.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import { type EventStore, NO_SCHOOL, schoolOf } from '../../events/store/port.ts';
import { MASTER_KEY } from './product.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/** The codec of a test school's events, for reading the log from outside. */
export type OpenCodec = {
  readonly codec: Codec<typeof eventTypes>;
  readonly keys: KeyRing;
  settledForgettings(): Promise<string>;
  close(): Promise<void>;
};

export const openCodec = (databaseUrl: string): OpenCodec => {
  const pool = steadyPool({ connectionString: databaseUrl, max: 2 });
  const keys = keyRing({ pool, masterKey: createSecretKey(Buffer.from(MASTER_KEY, 'hex')) });
  return {
    codec: codec({ registry: eventTypes, keys }),
    keys,
    settledForgettings: () => settledForgettings(pool),
    close: () => pool.end(),
  };
};

/** All events of the log's schools, decoded, in order. */
export const wholeLog = async (store: EventStore, opened: OpenCodec): Promise<RecordedEvent[]> => {
  const recorded = [];
  for await (const event of store.readAll('start')) if (schoolOf(event.stream) !== NO_SCHOOL) recorded.push(event);
  return opened.codec.decode(recorded, (stream, from) => store.read(stream, from));
};
