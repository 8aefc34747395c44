/** More is asked for at once than can be answered soon: nothing was done. */
export class TooMuchAtOnce extends Error {
  override readonly name = 'TooMuchAtOnce';
  /** seconds until a retry makes sense */
  readonly retryAfter = 2;
}

/** Where work comes from: a group, such as a school or a site, and a part of it, such as a network. */
export type Origin = { readonly group: string; readonly part?: string };

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
 * Runs some pieces of work at once, and lets the others wait. Turns go round the groups, and within a group round its parts: however many
 * come from one of them, somebody from elsewhere waits for only one turn of each.
 *
 * In a full queue the group with the most waiting gives up its last place, so that a flood from a few groups shuts out only itself. Whoever
 * finds no place, has to give it up, or has waited too long, is refused instead of being kept in silence.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #refusal: () => Error;
  /** By group and part, those whose turn comes next first. Work without an origin has a line of its own. */
  readonly #groups = new Map<string, Map<string, Line>>();
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

  /**
   * Runs the work when it is its turn. `origin` undefined: the product's own work, for which there is always a place.
   *
   * @throws what `refusal` makes, before the work has begun
   */
  async run<Result>(origin: Origin | undefined, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#turn(origin);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  /** Fulfilled when it is this one's turn, which the one before has then handed over. */
  #turn(origin: Origin | undefined): Promise<void> {
    const { group, part } = { group: '', part: '', ...origin };
    if (origin && !this.#findsPlace(group, part)) return Promise.reject(this.#refusal());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const parts = this.#groups.get(group) ?? new Map<string, Line>();
    const line = parts.get(part) ?? new Set();
    const leave = (): void => {
      clearTimeout(timer);
      this.#waiting -= 1;
      line.delete(waiting);
      if (line.size === 0) parts.delete(part);
      if (parts.size === 0) this.#groups.delete(group);
    };
    const refuse = (): void => {
      leave();
      reject(this.#refusal());
    };
    const begin = (): void => {
      leave();
      // What still waits there goes to the end.
      if (parts.delete(part)) parts.set(part, line);
      if (this.#groups.delete(group)) this.#groups.set(group, parts);
      resolve();
    };
    const waiting: Waiting = { begin, refuse };
    const timer = this.#limits.waitMs === undefined ? undefined : setTimeout(refuse, this.#limits.waitMs);
    this.#groups.set(group, parts.set(part, line.add(waiting)));
    this.#waiting += 1;
    return promise;
  }

  #handOver(): void {
    const [parts] = this.#groups.values();
    const [line] = parts?.values() ?? [];
    const [next] = line ?? [];
    if (next) next.begin();
    else this.#running -= 1;
  }

  #findsPlace(group: string, part: string): boolean {
    const { waiting, ofGroup = Infinity, ofPart = Infinity } = this.#limits;
    const parts = this.#groups.get(group);
    if ((parts?.get(part)?.size ?? 0) >= ofPart || sizeOf(parts) >= ofGroup) return false;
    return this.#waiting < waiting || this.#makesRoom(sizeOf(parts));
  }

  /** Refuses the last of the longest line of the group with most waiting, unless the newcomer's, with `own` waiting, would then have more. */
  #makesRoom(own: number): boolean {
    const others = [...this.#groups].filter(([group]) => group !== '').map(([, parts]) => parts);
    const fullest = largest(others, sizeOf);
    if (sizeOf(fullest) <= own + 1) return false;
    const line = largest(fullest?.values() ?? [], ({ size }) => size);
    [...(line ?? [])].at(-1)?.refuse();
    return true;
  }
}

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
