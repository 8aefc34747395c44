import type { KeyObject } from 'node:crypto';
import type { Forgotten } from './event.ts';

/** The keys of persons and schools. A key is committed before it is handed out for writing. */
export interface KeyRing {
  /**
   * The key of each person, made where there is none yet, and committed.
   * @throws PersonForgotten
   */
  forWriting(schoolId: string, persons: readonly string[]): Promise<ReadonlyMap<string, KeyObject>>;
  /**
   * The key of each person, or `Forgotten`; at most one query.
   * @throws KeyMissing where a person has no row at all
   */
  forReading(persons: readonly string[]): Promise<ReadonlyMap<string, KeyObject | Forgotten>>;
  /** Destroys the person's key for ever. Whoever has it in memory loses it within `STALE_AFTER_MS`. */
  forget(person: string): Promise<void>;
  /** The school's key for tags; made at the first call. */
  schoolKey(schoolId: string): Promise<KeyObject>;
}
