import { randomUUID } from 'node:crypto';
import type { Committed } from '../../projections/engine/announcing/progress.ts';

/** The last change of each topic, so that a client that begins to listen can find out what it missed since its queries. */
export class RecentChanges {
  /** By school and channel: the position of the last change, the oldest change first. */
  readonly #topics = new Map<string, Map<string, bigint>>();
  /** By school: up to this position, everything may have changed. */
  readonly #everything = new Map<string, bigint>();
  readonly #positions: () => ReadonlyMap<string, bigint>;
  /** The same for all schools: changes before this process started, and any that it missed, are unknown. */
  #since: bigint;
  /** A new one for each process, and after each change of unknown extent: earlier positions may name other events. */
  #epoch: string = randomUUID();

  constructor(positions: () => ReadonlyMap<string, bigint>) {
    this.#positions = positions;
    this.#since = furthest(positions());
  }

  record({ positions, changes }: Committed): void {
    const position = furthest(positions);
    for (const { schoolId, topics } of changes) {
      if (topics.includes(EVERYTHING)) {
        const now = furthest(this.#positions());
        if (schoolId === EVERYTHING) {
          this.#since = now;
          this.#epoch = randomUUID();
          this.#topics.clear();
        } else {
          this.#everything.set(schoolId, now);
          this.#topics.delete(schoolId);
        }
        continue;
      }
      const known = this.#topics.get(schoolId) ?? new Map<string, bigint>();
      this.#topics.set(schoolId, known);
      for (const topic of topics) {
        const at = greater(position, known.get(topic) ?? 0n);
        known.delete(topic);
        known.set(topic, at);
      }
      this.#forgetOldest(schoolId, known);
    }
  }

  /** What is not remembered may have changed. */
  #forgetOldest(schoolId: string, known: Map<string, bigint>): void {
    for (const [topic, at] of known) {
      if (known.size <= MOST_REMEMBERED) return;
      known.delete(topic);
      this.#everything.set(schoolId, greater(at, this.#everything.get(schoolId) ?? 0n));
    }
  }

  /** See `liveHello`. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The channels of a school on which something has changed after a position; undefined: anything may have. */
  changedAfter(schoolId: string, position: bigint): readonly string[] | undefined {
    const { since, topics } = this.of(schoolId);
    return position < since ? undefined : [...topics].flatMap(([topic, at]) => (at > position ? topic : []));
  }

  of(schoolId: string): { readonly since: bigint; readonly epoch: string; readonly topics: ReadonlyMap<string, bigint> } {
    return {
      since: greater(this.#since, this.#everything.get(schoolId) ?? 0n),
      epoch: this.#epoch,
      topics: this.#topics.get(schoolId) ?? new Map(),
    };
  }
}

const EVERYTHING = '*';
/** Channels of a school: a `hello` then has at most 30 kB. */
const MOST_REMEMBERED = 300;

const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const furthest = (positions: ReadonlyMap<string, bigint>): bigint => [...positions.values()].reduce(greater, 0n);
