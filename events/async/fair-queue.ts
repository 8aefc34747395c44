/** More is asked for at once than can be answered soon: nothing was done. */
export class TooMuchAtOnce extends Error {
  override readonly name = 'TooMuchAtOnce';
  /** seconds until a retry makes sense */
  readonly retryAfter = 2;
}

export type TurnLimits = {
  /** how many pieces of work run at once */
  readonly atOnce: number;
  /** how many may wait, of all schools */
  readonly waiting: number;
  /** how long each may wait */
  readonly waitMs: number;
};

/**
 * Runs some pieces of work at once, and lets the others wait. The schools take turns, so that one with hundreds of open pages delays
 * another by no more than the work under way. Where too many wait, the last of the school that has most of them makes room. Whoever waits
 * too long, or has to make room, is told so instead of being kept in silence.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** by school: a school that has had its turn goes to the end */
  readonly #queues = new Map<string, Set<Waiting>>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** How many are waiting now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** @throws TooMuchAtOnce before the work has begun */
  async run<Result>(school: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#turn(school);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Fulfilled when it is this one's turn, which the one before has then handed over. */
  #turn(school: string): Promise<void> {
    if (this.#waiting >= this.#limits.waiting && !this.#makeRoom(school)) return Promise.reject(new TooMuchAtOnce());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#queues.get(school) ?? new Set();
    const giveUp = (): void => {
      this.#leave(school, queue, waiting);
      reject(new TooMuchAtOnce());
    };
    const waiting: Waiting = { begin: resolve, giveUp, timer: setTimeout(giveUp, this.#limits.waitMs) };
    this.#queues.set(school, queue.add(waiting));
    this.#waiting += 1;
    return promise;
  }

  /** Whether somebody made room: the last of the longest queue, unless the newcomer would be that one. */
  #makeRoom(newcomer: string): boolean {
    let longest = new Set<Waiting>();
    for (const queue of this.#queues.values()) if (queue.size > longest.size) longest = queue;
    const own = this.#queues.get(newcomer)?.size ?? 0;
    if (longest.size <= own + 1) return false;
    [...longest].at(-1)?.giveUp();
    return true;
  }

  #next(): void {
    const [first] = this.#queues;
    const [waiting] = first?.[1] ?? [];
    if (!first || !waiting) {
      this.#running -= 1;
      return;
    }
    const [school, queue] = first;
    this.#leave(school, queue, waiting);
    if (this.#queues.delete(school)) this.#queues.set(school, queue);
    waiting.begin();
  }

  #leave(school: string, queue: Set<Waiting>, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    queue.delete(waiting);
    this.#waiting -= 1;
    if (queue.size === 0) this.#queues.delete(school);
  }
}

type Waiting = { readonly begin: () => void; readonly giveUp: () => void; readonly timer: NodeJS.Timeout };
