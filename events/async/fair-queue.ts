/** There are more requests at once than can be answered soon: nothing was done. */
export class TooMuchAtOnce extends Error {
  override readonly name = 'TooMuchAtOnce';
  /** seconds until a retry makes sense */
  readonly retryAfter = 2;
}

/**
 * Where work comes from: a group, such as a school or a site, and a part of it, such as a network. `isKnown`: one of our users has been seen
 * there; known origins and strangers have separate turns and places.
 */
export type Origin = { readonly group: string; readonly part?: string; readonly isKnown?: boolean };

export type FairQueueLimits = {
  /** how many pieces of work run at once */
  readonly atOnce: number;
  /** how many may wait: in all, of one group, and of one part of it */
  readonly waiting: number;
  readonly ofGroup?: number;
  readonly ofPart?: number;
  /** how long each may wait */
  readonly waitMs?: number;
};

/**
 * Runs some pieces of work at once, and lets the others wait. The groups take turns, and within a group its parts do: however much work comes
 * from one of them, work from elsewhere waits for only one turn of each.
 *
 * In a full queue the group with the most waiting gives up its last place, so that a flood from a few groups shuts out only itself. Work that
 * finds no place, loses it or has waited too long is refused at once.
 *
 * Against a flood from many groups, every other turn and half of the places are for those that are known, as long as any of them wait.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #refusal: () => Error;
  /** Known origins and strangers; the ring whose turn is next comes first. Work without an origin queues by itself among the known. */
  #rings: readonly [Ring, Ring] = [new Map(), new Map()];
  readonly #known = this.#rings[0];
  readonly #strangers = this.#rings[1];
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits, refusal = (): Error => new TooMuchAtOnce()) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** How many are waiting now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether work would have to wait now. */
  get isBusy(): boolean {
    return this.#running >= this.#limits.atOnce;
  }

  /**
   * Runs the work when its turn comes. `origin` undefined: the product's own work, for which there is always a place.
   *
   * @throws what `refusal` makes, before the work has begun
   */
  async run<Result>(origin: Origin | undefined, work: () => Promise<Result>): Promise<Result> {
    if (!this.isBusy) this.#running += 1;
    else await this.#turn(origin);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  /** Fulfilled when the piece of work before has handed its turn over. */
  #turn(origin: Origin | undefined): Promise<void> {
    const { group, part, isKnown } = { group: '', part: '', isKnown: origin === undefined, ...origin };
    const ring = isKnown ? this.#known : this.#strangers;
    if (origin && !this.#findsPlace(ring, group, part)) return Promise.reject(this.#refusal());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const parts = ring.get(group) ?? new Map<string, Line>();
    const line = parts.get(part) ?? new Set();
    const leave = (): void => {
      clearTimeout(timer);
      this.#waiting -= 1;
      line.delete(waiting);
      if (line.size === 0) parts.delete(part);
      if (parts.size === 0) ring.delete(group);
    };
    const refuse = (): void => {
      leave();
      reject(this.#refusal());
    };
    const begin = (): void => {
      leave();
      // What still waits there goes to the end.
      if (parts.delete(part)) parts.set(part, line);
      if (ring.delete(group)) ring.set(group, parts);
      resolve();
    };
    const waiting: Waiting = { begin, refuse };
    const timer = this.#limits.waitMs === undefined ? undefined : setTimeout(refuse, this.#limits.waitMs);
    ring.set(group, parts.set(part, line.add(waiting)));
    this.#waiting += 1;
    return promise;
  }

  #handOver(): void {
    const [first, second] = this.#rings;
    const ring = first.size > 0 ? first : second;
    // The other one is next.
    this.#rings = ring === this.#known ? [this.#strangers, this.#known] : [this.#known, this.#strangers];
    const [parts] = ring.values();
    const [line] = parts?.values() ?? [];
    const [next] = line ?? [];
    if (next) next.begin();
    else this.#running -= 1;
  }

  #findsPlace(ring: Ring, group: string, part: string): boolean {
    const { waiting, ofGroup = Infinity, ofPart = Infinity } = this.#limits;
    const parts = ring.get(group);
    if ((parts?.get(part)?.size ?? 0) >= ofPart || sizeOf(parts) >= ofGroup) return false;
    return this.#waiting < waiting || this.#makesRoom(ring, sizeOf(parts));
  }

  /**
   * Refuses the last one of the longest queue of the group with most waiting: in the other ring, if that has more than half of the places; else
   * in the newcomer's own, unless the newcomer's group, with `size` waiting, would then have more.
   */
  #makesRoom(ring: Ring, size: number): boolean {
    const isShort = [...ring.values()].reduce((sum, parts) => sum + sizeOf(parts), 0) < this.#limits.waiting / 2;
    const giving = isShort ? (ring === this.#known ? this.#strangers : this.#known) : ring;
    const fullest = largest(
      [...giving].filter(([group]) => group !== '').map(([, parts]) => parts),
      sizeOf,
    );
    if (!fullest || (!isShort && sizeOf(fullest) <= size + 1)) return false;
    const line = largest(fullest.values(), ({ size }) => size);
    [...(line ?? [])].at(-1)?.refuse();
    return true;
  }
}

/** By group and part. */
type Ring = Map<string, Map<string, Line>>;
type Line = Set<Waiting>;
type Waiting = { readonly begin: () => void; readonly refuse: () => void };

const sizeOf = (parts: ReadonlyMap<string, Line> | undefined): number => {
  let sum = 0;
  for (const { size } of parts?.values() ?? []) sum += size;
  return sum;
};

/** The first of the largest. */
const largest = <One>(all: Iterable<One>, size: (one: One) => number): One | undefined =>
  [...all].sort((one, other) => size(other) - size(one))[0];
