/** What a commit of the read models changed: the schools concerned, and in each which topics (`*`: everything). */
export type Committed = {
  readonly positions: ReadonlyMap<string, bigint>;
  readonly changes: readonly { readonly schoolId: string; readonly topics: readonly string[] }[];
};

/** What changed last, and where: so that whoever begins to listen can be told what he has missed since he asked. */
export class News {
  /** By school and topic: the position of the last change. As many as there are subjects. */
  readonly #topics = new Map<string, Map<string, bigint>>();
  /** By school: before that, everything may have changed. */
  readonly #everything = new Map<string, bigint>();
  readonly #positions: () => ReadonlyMap<string, bigint>;
  /** The same for all schools: nothing is known of what was before this process, or of what it could not hear. */
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
