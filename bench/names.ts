/** (g) Decrypting names in a rebuild: each person has their own key, loaded in batches. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { codec } from '../events/codec/codec.ts';
import { eventId } from '../events/codec/ids.ts';
import { keyRing, type KeyRing } from '../events/codec/keys.ts';
import { openMasterKey } from '../events/codec/master-key.ts';
import { eventTypes } from '../events/registry.ts';
import type { RecordedEvent } from '../events/store/port.ts';
import { compared, type Figure, inTurn } from './figures.ts';

const BATCH = 1_000;

/** An empty key ring reads the events of `persons` students, as a rebuild does after a start. */
export const nameFigures = async (databaseUrl: string, dataDir: string, persons: number): Promise<Figure[]> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    const masterKey = await openMasterKey({ pool, dataDir });
    const [schoolId, commandId, subjectId, setId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const actor = { accountId: schoolId, role: 'system' as const, right: { by: 'role' as const } };
    const metadata = { commandId, correlationId: commandId, causationId: commandId, actor, at: new Date().toISOString(), bodyTag: 'A' };
    const events = Array.from({ length: persons }, (_, n) => {
      const person = { admissionNo: `M${n}`, name: `Surname, Name ${n}`, dateOfBirth: '2010-05-01', tag: `1.${n}` };
      return { type: 'StudentAdded' as const, data: { studentId: randomUUID(), subjectId, setId, person } };
    });
    const ids = events.map((_event, index) => eventId(commandId, index));
    const written = await codec({ registry: eventTypes, keys: keyRing({ pool, masterKey }) }).encode(schoolId, events, ids, metadata);
    const recorded = written.map((event, index): RecordedEvent => {
      return { ...event, stream: `roster-${schoolId}`, revision: BigInt(index), position: BigInt(index + 1) };
    });
    const warm = keyRing({ pool, masterKey, cacheSize: persons });
    const read = async (keys: KeyRing): Promise<number> => {
      const { decode } = codec({ registry: eventTypes, keys });
      const begin = performance.now();
      for (let from = 0; from < persons; from += BATCH) await decode(recorded.slice(from, from + BATCH), noParts);
      return persons / ((performance.now() - begin) / 1000);
    };
    await read(warm);
    const pairs = await inTurn(
      3,
      () => read(keyRing({ pool, masterKey })),
      () => read(warm),
    );
    return [
      compared(`names: persons/s read for a rebuild with ${persons} keys that no memory holds, against keys at hand`, pairs, {
        is: '>=',
        than: 0.3,
      }),
    ];
  } finally {
    await pool.end();
  }
};

async function* noParts(): AsyncGenerator<RecordedEvent> {
  // These events need none.
}
