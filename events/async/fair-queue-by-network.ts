/** Where somebody comes from: a site, such as a school or provider, and a network of it. */
export type Origin = { readonly site: string; readonly network: string };

/** How many may wait. */
export type Places = { readonly network: number; readonly site: number; readonly all: number };

type Line = Waiting[];
type Waiting = { readonly go: () => void; readonly refuse: () => void };

/**
 * Lets some work run at once and the rest wait. Turns go round the sites, and within a site round its networks: however many come from one
 * of them, somebody from elsewhere waits for only one turn of each.
 *
 * Whoever finds no place is refused. In a full queue the site with the most waiting gives up its last place, so that a flood from a few
 * sites shuts out only itself.
 */
export class FairQueue {
  /** By site and network, those whose turn comes next first. Work without an origin has a line of its own. */
  readonly #sites = new Map<string, Map<string, Line>>();
  readonly #atOnce: number;
  readonly #places: Places;
  #running = 0;
  #waiting = 0;

  constructor(atOnce: number, places: Places) {
    this.#atOnce = atOnce;
    this.#places = places;
  }

  /**
   * Runs the work when it is its turn. `origin` undefined: the product's own work, which is never refused.
   *
   * @throws whatever `refusal` makes, if there is no place
   */
  async inTurn<Result>(origin: Origin | undefined, work: () => Promise<Result>, refusal: () => Error): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait(origin, refusal);
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = this.#next();
      if (next) next.go();
      else this.#running -= 1;
    }
  }

  #wait(origin: Origin | undefined, refusal: () => Error): Promise<void> {
    const { site, network } = origin ?? { site: '', network: '' };
    if (origin) {
      const places = this.#places;
      const line = this.#sites.get(site)?.get(network)?.length ?? 0;
      if (line >= places.network || this.#waitingOf(site) >= places.site) return Promise.reject(refusal());
      if (this.#waiting >= places.all && !this.#makePlaceFor(site)) return Promise.reject(refusal());
    }
    return new Promise((go, reject) => {
      const networks = this.#sites.get(site) ?? new Map<string, Line>();
      const line = networks.get(network) ?? [];
      line.push({ go, refuse: () => reject(refusal()) });
      networks.set(network, line);
      this.#sites.set(site, networks);
      this.#waiting += 1;
    });
  }

  /** Takes whoever waits first at the next site's next network; both then go to the end. */
  #next(): Waiting | undefined {
    for (const [site, networks] of this.#sites) {
      this.#sites.delete(site);
      for (const [network, line] of networks) {
        networks.delete(network);
        const next = line.shift();
        if (line.length > 0) networks.set(network, line);
        if (networks.size > 0) this.#sites.set(site, networks);
        if (next) this.#waiting -= 1;
        return next;
      }
    }
    return undefined;
  }

  /** Refuses the last of the longest line of the site with most waiting, unless `site` itself would then have more. */
  #makePlaceFor(site: string): boolean {
    const [fullest, networks] = largest(this.#sites, (_, one) => this.#waitingOf(one)) ?? [];
    if (fullest === undefined || networks === undefined || this.#waitingOf(fullest) <= this.#waitingOf(site) + 1) return false;
    const [network, line] = largest(networks, ({ length }) => length) ?? [];
    if (network === undefined || line === undefined) return false;
    line.pop()?.refuse();
    this.#waiting -= 1;
    if (line.length === 0) networks.delete(network);
    return true;
  }

  #waitingOf(site: string): number {
    let sum = 0;
    for (const line of this.#sites.get(site)?.values() ?? []) sum += line.length;
    return sum;
  }
}

const largest = <Value>(map: ReadonlyMap<string, Value>, sizeOf: (value: Value, key: string) => number): [string, Value] | undefined =>
  [...map].filter(([key]) => key !== '').sort(([key, value], [otherKey, other]) => sizeOf(other, otherKey) - sizeOf(value, key))[0];
