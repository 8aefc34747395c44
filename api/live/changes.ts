import { randomUUID } from 'node:crypto';
import type { Committed } from '../../projections/engine/announcing/progress.ts';

/** The last change on each channel, so that a page that connects finds out what it missed since its queries. */
export class RecentChanges {
  /** By school and channel: the position of the last change, the oldest change first. */
  readonly #channels = new Map<string, Map<string, bigint>>();
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
    for (const { schoolId, channels } of changes) {
      if (channels.includes(EVERYTHING)) {
        const now = furthest(this.#positions());
        if (schoolId === EVERYTHING) {
          this.#since = now;
          this.#epoch = randomUUID();
          this.#channels.clear();
        } else {
          this.#everything.set(schoolId, now);
          this.#channels.delete(schoolId);
        }
        continue;
      }
      const ofSchool = this.#channels.get(schoolId) ?? new Map<string, bigint>();
      this.#channels.set(schoolId, ofSchool);
      for (const channel of channels) {
        const at = greater(position, ofSchool.get(channel) ?? 0n);
        ofSchool.delete(channel);
        ofSchool.set(channel, at);
      }
      this.#forgetOldest(schoolId, ofSchool);
    }
  }

  /** What is not remembered may have changed. */
  #forgetOldest(schoolId: string, ofSchool: Map<string, bigint>): void {
    for (const [channel, at] of ofSchool) {
      if (ofSchool.size <= MOST_REMEMBERED) return;
      ofSchool.delete(channel);
      this.#everything.set(schoolId, greater(at, this.#everything.get(schoolId) ?? 0n));
    }
  }

  /** See `liveHello`. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The channels of a school on which something has changed after a position; undefined: anything may have. */
  changedAfter(schoolId: string, position: bigint): readonly string[] | undefined {
    const { since, channels } = this.of(schoolId);
    return position < since ? undefined : [...channels].flatMap(([channel, at]) => (at > position ? channel : []));
  }

  of(schoolId: string): { readonly since: bigint; readonly epoch: string; readonly channels: ReadonlyMap<string, bigint> } {
    return {
      since: greater(this.#since, this.#everything.get(schoolId) ?? 0n),
      epoch: this.#epoch,
      channels: this.#channels.get(schoolId) ?? new Map(),
    };
  }
}

const EVERYTHING = '*';
/** Channels of a school: a `hello` then has at most 30 kB. */
const MOST_REMEMBERED = 300;

const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const furthest = (positions: ReadonlyMap<string, bigint>): bigint => [...positions.values()].reduce(greater, 0n);
