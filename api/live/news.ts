/** What a commit of the read models changed: the schools, and the topics in each (`*`: everything). */
export type Committed = {
  readonly positions: ReadonlyMap<string, bigint>;
  readonly changes: readonly { readonly schoolId: string; readonly topics: readonly string[] }[];
};

/** The last change of each topic, so that a client that begins to listen can find out what it missed since its queries. */
export class News {
  /** By school and topic: the position of the last change. Bounded by the number of subjects. */
  readonly #topics = new Map<string, Map<string, bigint>>();
  /** By school: up to this position, everything may have changed. */
  readonly #everything = new Map<string, bigint>();
  readonly #positions: () => ReadonlyMap<string, bigint>;
  /** The same for all schools: changes before the start of this process, or that it missed, are unknown. */
  #since: bigint;

  constructor(positions: () => ReadonlyMap<string, bigint>) {
    this.#positions = positions;
    this.#since = furthest(positions());
  }

  note({ positions, changes }: Committed): void {
    const position = furthest(positions);
    for (const { schoolId, topics } of changes) {
      if (topics.includes(EVERYTHING)) {
        const now = furthest(this.#positions());
        if (schoolId === EVERYTHING) this.#since = now;
        else this.#everything.set(schoolId, now);
        continue;
      }
      const known = this.#topics.get(schoolId) ?? new Map<string, bigint>();
      this.#topics.set(schoolId, known);
      for (const topic of topics) known.set(topic, position);
    }
  }

  of(schoolId: string): { readonly since: bigint; readonly topics: ReadonlyMap<string, bigint> } {
    return { since: greater(this.#since, this.#everything.get(schoolId) ?? 0n), topics: this.#topics.get(schoolId) ?? new Map() };
  }
}

const EVERYTHING = '*';

const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const furthest = (positions: ReadonlyMap<string, bigint>): bigint => [...positions.values()].reduce(greater, 0n);
